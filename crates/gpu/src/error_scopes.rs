//! Errors that a device raises over one submission.

use std::future::Future;
use std::pin::Pin;

use wgpu::ErrorFilter::{Internal, OutOfMemory, Validation};

type Answer = Pin<Box<dyn Future<Output = Option<wgpu::Error>>>>;

/// Open error scopes, which catch the errors raised until they are closed. Scopes form a stack on
/// the device, so nothing is awaited in between.
///
/// Fields are dropped in this order, which has to be that of the stack.
pub(super) struct ErrorScopes {
    internal: wgpu::ErrorScopeGuard,
    validation: wgpu::ErrorScopeGuard,
    memory: wgpu::ErrorScopeGuard,
}

/// Errors that the device reports for an error scope.
pub(super) struct PendingErrors([Answer; 2]);

impl ErrorScopes {
    pub(super) fn open(device: &wgpu::Device) -> Self {
        let memory = device.push_error_scope(OutOfMemory);
        let validation = device.push_error_scope(Validation);
        Self {
            internal: device.push_error_scope(Internal),
            validation,
            memory,
        }
    }

    pub(super) fn close(self) -> PendingErrors {
        // wgpu 30 panics over an internal error of a browser. It is kept from the console here, but not looked at: what it
        // spoils is refused as invalid when it is used.
        drop(self.internal);
        let validation: Answer = Box::pin(self.validation.pop());
        PendingErrors([validation, Box::pin(self.memory.pop())])
    }
}

impl PendingErrors {
    /// The first error, once the device has completed the work.
    pub(super) async fn first(self) -> Option<wgpu::Error> {
        let [validation, memory] = self.0;
        let errors = [validation.await, memory.await];
        errors.into_iter().flatten().next()
    }
}
