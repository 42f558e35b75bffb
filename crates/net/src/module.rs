//! The C++ side: networks exported as TorchScript, and settings that tch does not reach.
//!
//! All functions of `cpp/module.cpp` catch their exceptions and give back a message instead.

use crate::error::NetError;
use crate::network::Net;
use crate::plan::Path;
use crate::script::Script;
use game::{PlaneShape, PolicyShape};
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use tch::{Kind, Tensor};

#[repr(C)]
struct RawModule {
    private: [u8; 0],
}

/// How logits of steps are made of the policy head's answer; the same as in `cpp/module.cpp`.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct PolicyForm {
    squares: usize,
    planes: usize,
    cells_per_step: usize,
    pair_channels: usize,
}

impl PolicyForm {
    pub fn of(net: &Net) -> PolicyForm {
        let PolicyShape { squares, planes, cells_per_step } = net.policy_shape();
        PolicyForm {
            squares,
            planes,
            cells_per_step,
            pair_channels: net.config().policy_head.pair_channels(),
        }
    }
}

unsafe extern "C" {
    fn garrison_prepare_process();
    fn garrison_prepare_thread();
    fn garrison_autocast(enabled: c_int);
    fn garrison_pool_bytes() -> usize;
    fn garrison_describe(text: *mut c_char, size: usize);
    fn garrison_module_new(
        source: *const c_char,
        names: *const *const c_char,
        tensors: *const *const c_void,
        count: usize,
        packed_names: *const *const c_char,
        packed_weights: *const *const c_void,
        packed_biases: *const *const c_void,
        packed_count: usize,
        fuse: c_int,
        half: c_int,
        message: *mut c_char,
        message_size: usize,
    ) -> *mut RawModule;
    fn garrison_script_save(
        source: *const c_char,
        names: *const *const c_char,
        tensors: *const *const c_void,
        count: usize,
        path: *const c_char,
        about: *const c_char,
        message: *mut c_char,
        message_size: usize,
    ) -> c_int;
    fn garrison_module_free(module: *mut RawModule);
    fn garrison_module_run(
        module: *const RawModule,
        planes: *const f32,
        sizes: *const i64,
        answered: i64,
        step_ends: *const u32,
        cells: *const u32,
        form: *const PolicyForm,
        logits: *mut f32,
        values: *mut f32,
        message: *mut c_char,
        message_size: usize,
    ) -> c_int;
}

const MESSAGE_SIZE: usize = 1024;

fn message(buffer: &[u8; MESSAGE_SIZE]) -> String {
    match CStr::from_bytes_until_nul(buffer) {
        Ok(text) => text.to_string_lossy().into_owned(),
        Err(_) => "no message".to_string(),
    }
}

/// One thread per LibTorch operation and none beside, and no memory for networks that are gone.
pub(crate) fn prepare_process() {
    // SAFETY: no arguments; the function catches its exceptions.
    unsafe { garrison_prepare_process() }
}

/// One LibTorch thread, denormal numbers count as 0.
pub(crate) fn prepare_thread() {
    // SAFETY: no arguments; the function catches its exceptions.
    unsafe { garrison_prepare_thread() }
}

/// Memory that `cpp/pool.cpp` has taken for small C++ objects, in bytes.
pub(crate) fn pool_bytes() -> usize {
    // SAFETY: no arguments; reads a counter.
    unsafe { garrison_pool_bytes() }
}

/// What LibTorch says of itself, see `garrison_describe` in `cpp/module.cpp`.
pub(crate) fn describe() -> String {
    let mut buffer = vec![0u8; 16 << 10];
    // SAFETY: the buffer has the length given; the function ends its text with a zero and catches its
    // exceptions.
    unsafe { garrison_describe(buffer.as_mut_ptr().cast(), buffer.len()) }
    CStr::from_bytes_until_nul(&buffer)
        .map_or_else(|_| String::new(), |text| text.to_string_lossy().into_owned())
}

/// While it lives, this thread's convolutions and matrix products on the CPU compute in 16-bit brain floats.
/// (tch's own switch reaches CUDA alone.)
pub(crate) struct Autocast {
    /// Belongs to its thread.
    private: std::marker::PhantomData<*const ()>,
}

impl Autocast {
    pub fn start() -> Autocast {
        // SAFETY: a plain integer; the function catches its exceptions.
        unsafe { garrison_autocast(1) }
        Autocast { private: std::marker::PhantomData }
    }
}

impl Drop for Autocast {
    fn drop(&mut self) {
        let Autocast { private: _ } = self;
        // SAFETY: as above.
        unsafe { garrison_autocast(0) }
    }
}

/// What a module reads and writes for one call; checked by [`Module::run`].
pub(crate) struct Call<'a> {
    /// `[rows, board rows, columns, channels]`, padding included.
    pub planes: &'a [f32],
    /// Rows, padding included.
    pub rows: usize,
    /// End of each answered row in the list of steps; its length is the number of answered rows.
    pub step_ends: &'a [u32],
    /// `[steps, cells_per_step]`
    pub cells: &'a [u32],
    /// `[steps]`
    pub logits: &'a mut [f32],
    /// `[answered rows, 4]`: logits of win, draw and loss, and the margin.
    pub values: &'a mut [f32],
}

impl Call<'_> {
    /// A call whose answers nobody wants.
    pub fn bare(planes: &[f32], rows: usize) -> Call<'_> {
        Call { planes, rows, step_ends: &[], cells: &[], logits: &mut [], values: &mut [] }
    }
}

/// A script as the C++ side takes it.
struct RawScript<'a> {
    source: CString,
    /// What `name_pointers` point to.
    _names: Vec<CString>,
    name_pointers: Vec<*const c_char>,
    /// As many as names; they belong to the script.
    tensors: Vec<*const c_void>,
    /// What `packed_pointers` point to.
    _packed_names: Vec<CString>,
    packed_pointers: Vec<*const c_char>,
    /// As many as packed names each; they belong to the script.
    weights: Vec<*const c_void>,
    biases: Vec<*const c_void>,
    script: std::marker::PhantomData<&'a Script>,
}

impl RawScript<'_> {
    fn of(script: &Script) -> Result<RawScript<'_>, NetError> {
        let source = text(&script.source)?;
        let names = script.tensors.iter().map(|(name, _)| text(name)).collect::<Result<Vec<_>, _>>()?;
        let name_pointers = names.iter().map(|name| name.as_ptr()).collect();
        let raw = |tensor: &Tensor| tensor.as_ptr().cast::<c_void>();
        let tensors = script.tensors.iter().map(|(_, tensor)| raw(tensor)).collect();
        let packed = &script.packed;
        let packed_names = packed.iter().map(|layer| text(&layer.name)).collect::<Result<Vec<_>, _>>()?;
        Ok(RawScript {
            source,
            _names: names,
            name_pointers,
            tensors,
            packed_pointers: packed_names.iter().map(|name| name.as_ptr()).collect(),
            _packed_names: packed_names,
            weights: packed.iter().map(|layer| raw(&layer.weight)).collect(),
            biases: packed.iter().map(|layer| raw(&layer.bias)).collect(),
            script: std::marker::PhantomData,
        })
    }
}

fn text(text: &str) -> Result<CString, NetError> {
    CString::new(text).map_err(|error| NetError::Module(error.to_string()))
}

/// Writes a script as a TorchScript file, its tensors as buffers, with `about` as the extra file
/// [`crate::export::ABOUT`].
pub(crate) fn save_script(script: &Script, path: &std::path::Path, about: &str) -> Result<(), NetError> {
    let raw = RawScript::of(script)?;
    let path = CString::new(path.as_os_str().as_encoded_bytes())
        .map_err(|error| NetError::Module(error.to_string()))?;
    let about = text(about)?;
    let mut buffer = [0u8; MESSAGE_SIZE];
    // SAFETY: all pointers are valid for the call, and both lists have as many entries as tensors; the
    // function keeps none of them.
    let failed = unsafe {
        garrison_script_save(
            raw.source.as_ptr(),
            raw.name_pointers.as_ptr(),
            raw.tensors.as_ptr(),
            raw.tensors.len(),
            path.as_ptr(),
            about.as_ptr(),
            buffer.as_mut_ptr().cast(),
            buffer.len(),
        )
    };
    if failed == 0 { Ok(()) } else { Err(NetError::Module(message(&buffer))) }
}

/// A frozen TorchScript module.
pub(crate) struct Module {
    raw: *mut RawModule,
    planes: PlaneShape,
    form: PolicyForm,
}

// SAFETY: the module is frozen: running it reads constants, and LibTorch's executor takes a lock where it
// compiles for a new shape. Callers warm it up on one thread before they share it (compiled.rs).
unsafe impl Send for Module {}
// SAFETY: as above.
unsafe impl Sync for Module {}

impl Module {
    /// Exports a network by a script of it, whose tensors are on the CPU and of the kind that it shall run with. It
    /// is to be run with calls of one size, and one is made after the other until its second call
    /// ([`crate::compiled`]).
    pub fn new(
        script: &Script,
        planes: PlaneShape,
        form: PolicyForm,
        kind: Kind,
        path: Path,
    ) -> Result<Module, NetError> {
        let raw_script = RawScript::of(script)?;
        let mut buffer = [0u8; MESSAGE_SIZE];
        // SAFETY: all pointers are valid for the call, and all lists have as many entries as said; the function
        // makes handles of its own on the tensors.
        let raw = unsafe {
            garrison_module_new(
                raw_script.source.as_ptr(),
                raw_script.name_pointers.as_ptr(),
                raw_script.tensors.as_ptr(),
                raw_script.tensors.len(),
                raw_script.packed_pointers.as_ptr(),
                raw_script.weights.as_ptr(),
                raw_script.biases.as_ptr(),
                raw_script.weights.len(),
                c_int::from(path == Path::Fused),
                c_int::from(kind == Kind::BFloat16),
                buffer.as_mut_ptr().cast(),
                buffer.len(),
            )
        };
        if raw.is_null() {
            return Err(NetError::Module(message(&buffer)));
        }
        Ok(Module { raw, planes, form })
    }

    /// Runs it. The caller has checked that the cells are in range.
    pub fn run(&self, call: &mut Call<'_>) -> Result<(), NetError> {
        let answered = call.step_ends.len();
        let steps = call.step_ends.last().map_or(0, |&end| end as usize);
        if call.planes.len() != call.rows * self.planes.len()
            || answered > call.rows
            || !call.step_ends.is_sorted()
            || call.cells.len() != steps * self.form.cells_per_step
            || call.logits.len() != steps
            || call.values.len() != answered * 4
        {
            return Err(NetError::Module("a call's buffers do not fit together".to_string()));
        }
        let sizes = [call.rows, self.planes.channels, self.planes.rows, self.planes.columns];
        let sizes = sizes.map(|size| size as i64);
        let mut buffer = [0u8; MESSAGE_SIZE];
        // SAFETY: the buffers have the lengths that the sizes say, checked above; cells are checked
        // against the form on the other side.
        let failed = unsafe {
            garrison_module_run(
                self.raw,
                call.planes.as_ptr(),
                sizes.as_ptr(),
                answered as i64,
                call.step_ends.as_ptr(),
                call.cells.as_ptr(),
                &self.form,
                call.logits.as_mut_ptr(),
                call.values.as_mut_ptr(),
                buffer.as_mut_ptr().cast(),
                buffer.len(),
            )
        };
        if failed == 0 { Ok(()) } else { Err(NetError::Module(message(&buffer))) }
    }
}

impl Drop for Module {
    fn drop(&mut self) {
        // SAFETY: `raw` came from `garrison_module_new` and nobody else frees it.
        unsafe { garrison_module_free(self.raw) }
    }
}
