//! Tells programs of this crate where LibTorch is when they run; `net` found it.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if let Ok(paths) = std::env::var("DEP_GARRISON_NET_RUN_PATHS") {
        println!("cargo::rustc-link-arg=-Wl,--disable-new-dtags,-rpath,{paths}");
    }
}
