//! The device, and how it is lost.

use std::future::Future;
use std::rc::Rc;
use std::sync::Arc;

use super::signal::Signal;
use super::{Absence, Adapter, Tier};

/// A device that can compute. Clones share it.
#[derive(Clone)]
pub struct Gpu {
    shared: Rc<Shared>,
    tier: Tier,
}

struct Shared {
    device: wgpu::Device,
    queue: wgpu::Queue,
    adapter: Adapter,
    loss: Signal<String>,
}

impl Gpu {
    /// Asks for the fastest adapter and opens it with all the memory that it allows.
    ///
    /// # Errors
    /// [`Absence`] where there is none.
    pub async fn open() -> Result<Self, Absence> {
        let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle());
        let options = wgpu::RequestAdapterOptions {
            power_preference: wgpu::PowerPreference::HighPerformance,
            ..Default::default()
        };
        let adapter = instance
            .request_adapter(&options)
            .await
            .map_err(|_| Absence::NoAdapter)?;
        let description = wgpu::DeviceDescriptor {
            required_limits: limits(&adapter.limits()),
            ..Default::default()
        };
        let (device, queue) = adapter
            .request_device(&description)
            .await
            .map_err(|error| Absence::NoDevice(error.to_string()))?;
        let loss = Signal::new();
        let lost = loss.clone();
        device.set_device_lost_callback(move |reason, words| {
            lost.set(format!("{words} ({reason:?})").trim_start().to_owned());
        });
        // Errors that concern a run are caught where it submits; what comes outside of runs must not end the program.
        device.on_uncaptured_error(Arc::new(|_| {}));
        let info = adapter.get_info();
        let adapter = Adapter {
            is_software: info.device_type == wgpu::DeviceType::Cpu,
            name: info.name,
        };
        let tier = if adapter.is_software {
            Tier::Software
        } else {
            Tier::Hardware
        };
        let shared = Shared {
            device,
            queue,
            adapter,
            loss,
        };
        Ok(Self {
            shared: Rc::new(shared),
            tier,
        })
    }

    /// The same device with other kernels.
    pub fn with_tier(self, tier: Tier) -> Self {
        Self { tier, ..self }
    }

    /// Which kernels run.
    pub fn tier(&self) -> Tier {
        self.tier
    }

    /// The adapter in words.
    pub fn adapter(&self) -> &Adapter {
        &self.shared.adapter
    }

    /// Why the device was lost, where it was.
    pub fn lost(&self) -> Option<String> {
        self.shared.loss.get()
    }

    /// Waits until the device is lost; the reason in the driver's words. Does not keep the device alive.
    pub fn until_lost(&self) -> impl Future<Output = String> + 'static {
        self.shared.loss.clone()
    }

    /// Ends the device: everything under way on it fails as lost.
    pub fn destroy(&self) {
        self.shared.device.destroy();
    }
}

/// The defaults, which every device grants, with the sizes of buffers as large as this one allows.
fn limits(offered: &wgpu::Limits) -> wgpu::Limits {
    wgpu::Limits {
        max_buffer_size: offered.max_buffer_size,
        max_storage_buffer_binding_size: offered.max_storage_buffer_binding_size,
        ..wgpu::Limits::default()
    }
}
