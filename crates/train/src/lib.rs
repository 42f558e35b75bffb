//! Trains an agent from scratch: play, train, publish, evaluate, go on.
