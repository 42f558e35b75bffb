"""Self-play of Connect Four with OpenSpiel's C++ AlphaZero; prints the same JSON object as `pgx_mctx.py`.

Its settings are the best that were found for it on two cores; learning is off: no buffer ever holds a batch.
"""

import argparse
import json
import os
import pathlib
import resource
import signal
import subprocess
import tempfile
import time

# Searched states from one record of its log to the next.
STATES = 500


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program")
    parser.add_argument("--seconds", type=float, default=60.0)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        settings = {
            "game": "connect_four",
            "path": place,
            "nn_model": "resnet",
            "nn_width": 64,
            "nn_depth": 4,
            "max_simulations": 100,
            "actors": 128,
            "evaluators": 0,
            "inference_batch_size": 32,
            "inference_threads": 2,
            "replay_buffer_size": 3 * STATES,
            "replay_buffer_reuse": 3,
            "train_batch_size": 1_000_000,
        }
        command = [arguments.program] + [f"--{key}={value}" for key, value in settings.items()]
        environment = {**os.environ, "OMP_NUM_THREADS": "1"}
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        process = subprocess.Popen(command, env=environment, **quiet)
        time.sleep(arguments.seconds)
        # Its first signal stops it after the games in hand, its second at once.
        process.send_signal(signal.SIGINT)
        process.send_signal(signal.SIGINT)
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        lines = (pathlib.Path(place) / "learner.jsonl").read_text().splitlines()
    # The last line may be cut off.
    records = [json.loads(line) for line in lines if line.endswith("}")]
    if len(records) < 2:
        raise SystemExit(f"only {len(records)} records in {arguments.seconds} s: give it more --seconds")
    first, last = records[0], records[-1]
    seconds = last["time_rel"] - first["time_rel"]
    states = last["total_states"] - first["total_states"]
    evaluations = sum(record["cache"]["misses"] for record in records[1:])
    # In its favour: what it had in hand when it was stopped counts as a whole record.
    share = (last["total_states"] + STATES) / states / (used.ru_utime + used.ru_stime)
    print(
        json.dumps(
            {
                "states_per_second": states / seconds,
                "evaluations_per_second": evaluations / seconds,
                "states_per_processor_second": states * share,
                "evaluations_per_processor_second": evaluations * share,
                "seconds": seconds,
            }
        )
    )


if __name__ == "__main__":
    main()
