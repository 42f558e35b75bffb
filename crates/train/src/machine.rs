//! What the machine has: memory, disk, load. Linux, like the rest of the program.

use std::ffi::CString;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// One GiB.
pub const GIB: f64 = (1u64 << 30) as f64;

/// Memory in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Memory {
    /// What the machine has, or what this process's group may use where that is less.
    pub total: f64,
    /// What is free, or can be made so.
    pub available: f64,
}

impl Memory {
    /// Of this machine; `None` where the system does not say.
    pub fn here() -> Option<Memory> {
        let text = std::fs::read_to_string("/proc/meminfo").ok()?;
        let field = |name: &str| -> Option<f64> {
            let line = text.lines().find_map(|line| line.strip_prefix(name))?;
            Some(line.split_whitespace().next()?.parse::<f64>().ok()? * 1024.0)
        };
        let mut memory = Memory { total: field("MemTotal:")?, available: field("MemAvailable:")? };
        let number = |path: &str| -> Option<f64> { std::fs::read_to_string(path).ok()?.trim().parse().ok() };
        if let Some(limit) = number("/sys/fs/cgroup/memory.max").filter(|&limit| limit < memory.total) {
            let used = number("/sys/fs/cgroup/memory.current").unwrap_or_default();
            memory = Memory { total: limit, available: memory.available.min((limit - used).max(0.0)) };
        }
        Some(memory)
    }
}

/// Bytes that a user may still write to the file system of a directory.
///
/// # Errors
/// What the file system says.
pub fn free_bytes(directory: &Path) -> io::Result<f64> {
    let path = CString::new(directory.as_os_str().as_bytes())?;
    // SAFETY: all-zero bytes are a valid value of this plain C struct.
    let mut numbers: libc::statvfs = unsafe { std::mem::zeroed() };
    // SAFETY: a C string and a struct to fill in, both alive for the call.
    if unsafe { libc::statvfs(path.as_ptr(), &raw mut numbers) } != 0 {
        return Err(io::Error::last_os_error());
    }
    Ok(numbers.f_bavail as f64 * numbers.f_frsize as f64)
}

/// Processes that want a core, averaged over the last minute.
pub fn load() -> Option<f64> {
    std::fs::read_to_string("/proc/loadavg").ok()?.split_whitespace().next()?.parse().ok()
}

/// Resident memory of this process in MiB; 0 where the system does not say.
pub fn resident_mib() -> f64 {
    own_mib("VmRSS:")
}

/// The most memory this process ever had resident, MiB; 0 where the system does not say.
pub fn peak_mib() -> f64 {
    own_mib("VmHWM:")
}

fn own_mib(field: &str) -> f64 {
    let text = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix(field));
    let kib = line.and_then(|line| line.split_whitespace().next()).and_then(|word| word.parse::<f64>().ok());
    kib.unwrap_or(0.0) / 1024.0
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn the_machine_says_what_it_has() {
        let memory = Memory::here().unwrap();
        assert!(memory.total >= memory.available && memory.available > 0.0, "{memory:?}");
        assert!(free_bytes(Path::new(".")).unwrap() > 0.0);
        assert!(free_bytes(Path::new("/nowhere/at/all")).is_err());
        assert!(resident_mib() > 0.5);
        assert!(peak_mib() > 0.5 && load().is_some());
    }
}
