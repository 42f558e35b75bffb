#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| garrison_fuzz::run("study_records", data));
