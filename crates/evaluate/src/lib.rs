//! Matches between checkpoints, built-in opponents and each other, with honest error bars.
