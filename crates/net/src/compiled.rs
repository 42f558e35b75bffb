//! A network compiled for calls of a few sizes, each when it is first asked for.
//!
//! There is a module for each size: one for several runs all but its first size a quarter slower. Self-play asks for
//! one or two of them, and networks are published by the thousand in a long run: what nobody asks for would be time
//! and memory.

use crate::error::NetError;
use crate::module::{Call, Module, PolicyForm};
use crate::network::Net;
use crate::plan::Path;
use crate::script::Script;
use crate::workshop;
use game::PlaneShape;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use tch::Kind;

/// A script and what it was compiled to so far; for all threads.
pub(crate) struct Compiled {
    /// Tensors belong to one thread at a time.
    script: Mutex<Script>,
    planes: PlaneShape,
    form: PolicyForm,
    kind: Kind,
    path: Path,
    modules: Vec<SizedModule>,
}

struct SizedModule {
    rows: usize,
    /// Warm, so that it may be shared.
    module: OnceLock<Module>,
}

impl Compiled {
    /// A script of `net` whose tensors are on the CPU and of the kind that it shall run with, not compiled yet.
    pub fn new(script: Script, net: &Net, kind: Kind, path: Path, sizes: &[usize]) -> Compiled {
        Compiled {
            script: Mutex::new(script),
            planes: net.plane_shape(),
            form: PolicyForm::of(net),
            kind,
            path,
            modules: sizes.iter().map(|&rows| SizedModule { rows, module: OnceLock::new() }).collect(),
        }
    }

    /// Compiles it for calls of `rows` rows, where that was not done before.
    ///
    /// One network is compiled at a time: whether networks are fused is a switch of the whole process, which is looked
    /// at then; and first calls of a module from several threads at once fail.
    ///
    /// # Errors
    /// Sizes other than those it was made with, and what LibTorch says.
    pub fn prepare(self: &Arc<Self>, rows: usize) -> Result<&Module, NetError> {
        let fault = || NetError::Module(format!("a network is not made for calls of {rows} rows"));
        let index = self.modules.iter().position(|sized| sized.rows == rows).ok_or_else(fault)?;
        let module = &self.modules[index].module;
        if let Some(module) = module.get() {
            return Ok(module);
        }
        let own = Arc::clone(self);
        workshop::run(move || match own.modules[index].module.get() {
            // Somebody else asked first.
            Some(_) => Ok(()),
            None => own.compile(rows).map(|module| drop(own.modules[index].module.set(module))),
        })??;
        module.get().ok_or_else(fault)
    }

    fn compile(&self, rows: usize) -> Result<Module, NetError> {
        let script = self.script.lock().unwrap_or_else(PoisonError::into_inner);
        let module = Module::new(&script, self.planes, self.form, self.kind, self.path)?;
        // The second call compiles it.
        let zeros = vec![0.0; rows * self.planes.len()];
        for _ in 0..2 {
            module.run(&mut Call::bare(&zeros, rows))?;
        }
        Ok(module)
    }

    /// Runs it. The caller has checked that the cells are in range; the calling thread is prepared.
    pub fn run(self: &Arc<Self>, call: &mut Call<'_>) -> Result<(), NetError> {
        self.prepare(call.rows)?.run(call)
    }
}

impl Drop for Compiled {
    fn drop(&mut self) {
        let modules = std::mem::take(&mut self.modules);
        // Without the thread they go here.
        let _ = workshop::run(move || drop(modules));
    }
}
