//! The examination that every game must pass.
