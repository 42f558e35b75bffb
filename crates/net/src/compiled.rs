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
use game::PlaneShape;
use std::sync::{Mutex, OnceLock, PoisonError};
use tch::Kind;

/// Held while a network is compiled. Whether networks are fused is a switch of the whole process, which is looked at
/// when they are compiled; and first calls of a module from several threads at once fail.
static COMPILING: Mutex<()> = Mutex::new(());

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

    /// Compiles it for calls of `rows` rows, where that was not done before. The calling thread is prepared.
    ///
    /// # Errors
    /// Sizes other than those it was made with, and what LibTorch says.
    pub fn prepare(&self, rows: usize) -> Result<&Module, NetError> {
        let fault = || NetError::Module(format!("a network is not made for calls of {rows} rows"));
        let sized = self.modules.iter().find(|sized| sized.rows == rows).ok_or_else(fault)?;
        if let Some(module) = sized.module.get() {
            return Ok(module);
        }
        let _alone = COMPILING.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(module) = sized.module.get() {
            return Ok(module);
        }
        let module = self.compile(rows)?;
        Ok(sized.module.get_or_init(|| module))
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
    pub fn run(&self, call: &mut Call<'_>) -> Result<(), NetError> {
        self.prepare(call.rows)?.run(call)
    }
}
