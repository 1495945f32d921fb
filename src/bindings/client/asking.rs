//! What the page itself asks for.

use std::future::Future;

use wasm_bindgen_futures::JsFuture;

use super::super::comparison::Comparison;
use super::super::error::Refusal;
use super::super::measuring::{self, Measured};
use super::super::page::PageRun;
use super::super::pending::{Ends, Page, Purpose};
use super::super::status::GpuStatus;
use super::Client;
use crate::engine::Lane;

impl Client {
    /// Computes what the page shows for the state that `fragment` says. A newer run replaces an older one in its lane that
    /// has not ended, which is then refused as `aborted`.
    ///
    /// # Errors
    /// `aborted`, and `backend_unavailable` where no worker can compute it; the page has then already said so.
    pub async fn page_run(&self, fragment: &str, lane: Lane) -> Result<PageRun, Refusal> {
        let (ends, is_second_try) = (Ends::new(), false);
        let page = Page {
            fragment: fragment.to_owned(),
            lane,
            is_second_try,
        };
        self.0.post_page(self.0.new_id(), page, ends.clone());
        let answer = JsFuture::from(ends.promise).await;
        answer
            .map(|run| PageRun::from_message(&run))
            .map_err(Refusal::from_message)
    }

    /// Calls `heard` with what is known about WebGPU: at once, and whenever that changes.
    pub fn on_status(&self, heard: impl Fn(GpuStatus) + 'static) {
        self.0.listeners.add(heard);
    }

    /// What is known about WebGPU at present.
    pub fn status(&self) -> GpuStatus {
        self.0.listeners.status()
    }

    /// Computes the state that `fragment` says on both backends, and says how far apart the weights are.
    ///
    /// # Errors
    /// `backend_unavailable` where WebGPU is not there, with the reason.
    pub async fn compare(&self, fragment: &str) -> Result<Comparison, Refusal> {
        let ends = Ends::new();
        self.0
            .ask("compare", Some(fragment), Purpose::Result, ends.clone());
        JsFuture::from(ends.promise)
            .await
            .map_err(Refusal::from_message)
            .and_then(Comparison::from_message)
    }

    /// Runs the setting of `measured` on random inputs in its own turn, never before the page's own runs. Gives the number
    /// of the run, by which it can be [stopped](Self::stop), and the milliseconds that come.
    ///
    /// # Errors
    /// What the backend refuses, `backend_unavailable` where it is not there, and `aborted`.
    pub fn measure(
        &self,
        measured: &Measured<'_>,
    ) -> (u32, impl Future<Output = Result<f64, Refusal>> + use<>) {
        let (id, ends) = (self.0.new_id(), Ends::new());
        self.0
            .ask_as(id, &measured.message(id), Purpose::Result, ends.clone());
        (id, measuring::taken(ends.promise))
    }

    /// Stops a run between two of its tiles; nothing where it has ended.
    pub fn stop(&self, id: u32) {
        self.0.abort(id);
    }
}
