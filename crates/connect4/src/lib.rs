//! Connect Four: the small solved game that proves the learning loop.
