//! What the programs must survive, tried on the programs themselves: kills at chosen system calls, faults of the
//! file system, signals, clocks that jump back, directories that are moved ([`campaign`], binary `torture`), and
//! long runs whose memory must not grow ([`soak`], binary `soak`).
//!
//! Nothing here links the programs: they are started as users start them, with a small library loaded into them
//! ([`shim`]) that counts their system calls and lets the chosen one fail.

pub mod campaign;
pub mod fault;
pub mod figures;
pub mod place;
pub mod shim;
pub mod soak;
pub mod subject;
pub mod subjects;
