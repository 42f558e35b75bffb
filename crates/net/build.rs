//! Compiles the C++ side of inference and tells the linker, here and in crates that build programs on
//! this one (`DEP_GARRISON_NET_RUN_PATHS`), where programs find LibTorch when they run.

use std::path::{Path, PathBuf};

fn main() {
    println!("cargo::rerun-if-changed=cpp");
    let Some(libraries) = std::env::var_os("DEP_TCH_LIBTORCH_LIB").map(PathBuf::from) else {
        println!("cargo::error=torch-sys did not say where LibTorch is; run scripts/setup first");
        return;
    };
    let Some(libtorch) = libraries.parent() else {
        println!("cargo::error=LibTorch has no parent directory: {}", libraries.display());
        return;
    };
    cc::Build::new()
        .cpp(true)
        .std("c++17")
        .define("_GLIBCXX_USE_CXX11_ABI", "1")
        // LibTorch's headers are not free of warnings.
        .flag("-isystem")
        .flag(libtorch.join("include"))
        .flag("-isystem")
        .flag(libtorch.join("include/torch/csrc/api/include"))
        .file("cpp/module.cpp")
        .file("cpp/pool.cpp")
        .compile("garrison_net");

    // First through the link in the checkout, so that choosing another LibTorch (with CUDA, say) needs
    // no new build; then the real directory, so that a program outlives its checkout.
    let seen = libtorch.join("runtime");
    let seen = if seen.exists() { seen } else { libraries.clone() };
    let real = std::fs::canonicalize(&seen).unwrap_or_else(|_| seen.clone());
    let paths = if seen == real { vec![real] } else { vec![seen, real] };
    let joined: Vec<String> = paths.iter().map(|path: &PathBuf| Path::display(path).to_string()).collect();
    let joined = joined.join(":");
    // The older kind of run path goes before LD_LIBRARY_PATH, where another LibTorch may lie.
    println!("cargo::rustc-link-arg=-Wl,--disable-new-dtags,-rpath,{joined}");
    println!("cargo::metadata=run_paths={joined}");
}
