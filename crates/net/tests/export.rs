//! Networks as TorchScript files.

#![allow(clippy::unwrap_used)] // Also in the helpers of tests.

mod support;

use net::export;
use support::{PLANES, POLICY, net};
use tch::{CModule, Device, IValue, Kind, Tensor};

#[test]
fn an_exported_network_is_loaded_for_any_batch_and_tells_whose_it_is() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("net.pt");
    export::write(&net(5), &path, "{\"game\":\"test\"}").unwrap();
    let module = CModule::load(&path).unwrap();
    for rows in [1, 7] {
        let planes = Tensor::ones(
            [rows, PLANES.channels as i64, PLANES.rows as i64, PLANES.columns as i64],
            (Kind::Float, Device::Cpu),
        );
        let IValue::Tuple(answers) = module.forward_is(&[IValue::Tensor(planes)]).unwrap() else {
            panic!("a tuple")
        };
        let sizes: Vec<Vec<i64>> = answers
            .iter()
            .map(|answer| match answer {
                IValue::Tensor(tensor) => tensor.size(),
                other => panic!("{other:?}"),
            })
            .collect();
        let policy = [rows, POLICY.planes as i64, PLANES.rows as i64, PLANES.columns as i64];
        assert_eq!(sizes, [policy.to_vec(), vec![rows, 3], vec![rows, 1]]);
    }
    // The file is an archive that is not compressed.
    let bytes = std::fs::read(&path).unwrap();
    let contains = |text: &[u8]| bytes.windows(text.len()).any(|window| window == text);
    assert!(contains(b"extra/garrison.json") && contains(b"{\"game\":\"test\"}"));
}

#[test]
fn a_place_that_cannot_be_written_is_an_error() {
    let directory = tempfile::tempdir().unwrap();
    let error = export::write(&net(5), &directory.path().join("no/where.pt"), "{}").unwrap_err();
    assert!(!error.to_string().is_empty());
}
