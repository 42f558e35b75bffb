//! Where networks run.

use crate::error::NetError;
use serde::{Deserialize, Serialize};
use std::ffi::{CStr, c_char};
use tch::{Cuda, Device};

/// The user's choice of a device.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DeviceChoice {
    /// The processor.
    #[default]
    Cpu,
    /// The first CUDA device.
    Cuda,
}

impl std::str::FromStr for DeviceChoice {
    type Err = String;

    fn from_str(text: &str) -> Result<DeviceChoice, String> {
        match text {
            "cpu" => Ok(DeviceChoice::Cpu),
            "cuda" => Ok(DeviceChoice::Cuda),
            _ => Err(format!("device '{text}' is not known; it is cpu or cuda")),
        }
    }
}

/// Opens a device. Programs are linked with LibTorch's CPU library alone; for CUDA its library is loaded
/// now, and that must happen before LibTorch is used for anything else.
///
/// # Errors
/// [`NetError::Cuda`] says which library or device is missing and how to get it.
pub fn open(choice: DeviceChoice) -> Result<Device, NetError> {
    match choice {
        DeviceChoice::Cpu => Ok(Device::Cpu),
        DeviceChoice::Cuda => {
            load_cuda()?;
            if Cuda::is_available() {
                Ok(Device::Cuda(0))
            } else {
                Err(NetError::Cuda(
                    "LibTorch's CUDA library was loaded but finds no CUDA device or driver \
                     (does nvidia-smi list a device?)"
                        .to_string(),
                ))
            }
        }
    }
}

fn load_cuda() -> Result<(), NetError> {
    // SAFETY: the name is a C string; loading runs the library's initialisers, which is what it is for.
    let library = unsafe { libc::dlopen(c"libtorch_cuda.so".as_ptr(), libc::RTLD_NOW | libc::RTLD_GLOBAL) };
    if !library.is_null() {
        return Ok(());
    }
    // SAFETY: dlerror returns null or a C string that stays valid until the next call in this thread.
    let message = unsafe {
        let message: *const c_char = libc::dlerror();
        if message.is_null() { None } else { Some(CStr::from_ptr(message).to_string_lossy().into_owned()) }
    };
    let message = message.unwrap_or_else(|| "libtorch_cuda.so cannot be loaded".to_string());
    Err(NetError::Cuda(format!("{message}; run scripts/setup --cuda to get a LibTorch with CUDA")))
}
