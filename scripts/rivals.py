"""The programs that `scripts/bench-selfplay` measures: how each is begun, and how its counts are read."""

import fcntl
import json
import os
import pathlib
import shutil
import subprocess
import sys
from dataclasses import dataclass

from counting import Counting, Player

SCRIPTS = pathlib.Path(__file__).resolve().parent
BLOCKS, CHANNELS = 4, 64
CELLS = 6 * 7
# A program plays for as long as it is let.
FOR_EVER = 86_400


@dataclass(frozen=True)
class Recorded:
    """What was measured once on other cores, where a rival cannot be measured here."""

    program: str
    simulations: int
    states: float
    evaluations: float | None
    settings: str


RECORDED = [
    Recorded("pgx + mctx", 32, 448.0, 14_800.0, "recorded on two Zen 5 cores, a process a core"),
    Recorded("pgx + mctx", 100, 67.0, None, "recorded on one Zen 5 core"),
    Recorded("OpenSpiel", 100, 291.0, 13_300.0, "recorded on two Zen 5 cores, 128 actors, batches of 32, 2 threads"),
]


def cores():
    return sorted(os.sched_getaffinity(0))


# What a rival's network sees of a position.
PLANES = {"pgx + mctx": 2, "OpenSpiel": 3}


def operations(planes):
    """Floating-point operations of a position in the rivals' network: two for each multiplication with its addition.

    Both have the heads of AlphaZero's paper, made smaller: planes of a 1 x 1 convolution, fully connected layers.
    """
    trunk = 9 * CELLS * (planes * CHANNELS + 2 * BLOCKS * CHANNELS * CHANNELS)
    policy = CELLS * CHANNELS * 2 + 2 * CELLS * 7
    value = CELLS * CHANNELS + CELLS * CHANNELS + CHANNELS
    return 2 * (trunk + policy + value)


class GarrisonLines:
    """What `train bench --counts` prints: what plays, then its counts."""

    def __init__(self):
        self.player, self.states, self.answers = None, 0, 0

    def parse(self, line):
        line = json.loads(line)
        if self.player is None:
            self.player = line
            return None
        # Its games finish their searches in waves, since all began at once and search equally long; what their
        # searches were answered grows evenly.
        self.states, self.answers = line["states"], line["answers"]
        return line["answers"], line["evaluations"]

    def states_per_answer(self):
        """Since it began; searches under way are not counted, so that it is rather too low."""
        return self.states / max(self.answers, 1)

    def peak(self):
        """Operations a second that a core can make at best, in the numbers that it is best at."""
        return max(max(peak["product"], peak["registers"] or 0.0) for peak in self.player["peaks"])


def garrison(train, place, simulations, cache):
    lines = GarrisonLines()
    command = [train, "bench", "--game", "connect4", "--counts", "--seconds", FOR_EVER]
    changes = [f"selfplay.simulations={{always={simulations}}}", f"net.blocks={BLOCKS}", f"net.channels={CHANNELS}"]
    if not cache:
        changes.append("selfplay.cache_megabytes=0")
    for change in changes:
        command += ["--set", change]
    name = "Garrison" if cache else "Garrison, no cache"
    player = Player(name, simulations, "default settings", [Counting(command, place, lines.parse)])
    player.lines, player.scale = lines, lines.states_per_answer
    return player


PACKAGES = ["jax==0.10.2", "mctx==0.0.71", "pgx==2.6.0"]


def pgx_python(say):
    """The Python of an environment in the cache that has pgx and mctx, installed the first time; None where they
    cannot be had."""
    cache = os.environ.get("GARRISON_CACHE") or os.path.join(
        os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache", "garrison"
    )
    # By what is in it, so that other versions get an environment of their own.
    place = pathlib.Path(cache).absolute() / "-".join(["selfplay", *PACKAGES]).replace("==", "-")
    python, stamp = place / "bin/python", place / "complete"
    place.parent.mkdir(parents=True, exist_ok=True)
    with open(place.with_name("selfplay.lock"), "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        # The stamp comes last: an environment with it is complete.
        if not stamp.exists():
            say(f"installs {' '.join(PACKAGES)} in {place}")
            shutil.rmtree(place, ignore_errors=True)
            pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *PACKAGES]
            for command in [[sys.executable, "-m", "venv", place], pip]:
                if subprocess.run(command, stdin=subprocess.DEVNULL, stdout=sys.stderr).returncode != 0:
                    return None
            stamp.touch()
    return python


def pgx(python, place, simulations, batch):
    def parse(line):
        count = json.loads(line)
        return count["states"], count["evaluations"]

    processes = []
    for core in cores():
        own = place / f"{core}"
        own.mkdir()
        command = [python, SCRIPTS / "pgx_selfplay.py", "--core", core, "--simulations", simulations, "--batch", batch]
        processes.append(Counting(command, own, parse, environment={"JAX_PLATFORMS": "cpu"}))
    player = Player("pgx + mctx", simulations, f"a process a core, {batch} games each", processes)
    # It has no cache to fill, and a step of a new game takes as long as one of an old game.
    player.needs = 2.0
    return player


def pgx_settings(simulations):
    """Batch sizes to try."""
    return [32, 64, 128] if simulations > 64 else [64, 128, 256]


class OpenSpielLines:
    """The lines of OpenSpiel's learner.jsonl, one for each of its steps."""

    def __init__(self):
        self.evaluations = 0.0

    def parse(self, line):
        record = json.loads(line)
        # How many batches the network had since the last line, and how large they were on average.
        batches = record["batch_size"]
        self.evaluations += batches["num"] * batches["avg"]
        return record["total_states"], self.evaluations


# States of a step of OpenSpiel's learner, after which it counts and forgets its cache.
OPEN_SPIEL_STEP = 1500


def open_spiel(program, place, simulations, actors, batch, threads):
    command = [
        program,
        "--game=connect_four",
        f"--path={place}",
        "--devices=cpu",
        "--nn_model=resnet",
        f"--nn_depth={BLOCKS}",
        f"--nn_width={CHANNELS}",
        f"--max_simulations={simulations}",
        f"--actors={actors}",
        f"--inference_batch_size={batch}",
        f"--inference_threads={threads}",
        # Self-play alone: nobody plays for evaluation, games are not cut off, and with too few states for a batch
        # the learner does not train.
        "--evaluators=0",
        "--cutoff_probability=0",
        f"--replay_buffer_size={OPEN_SPIEL_STEP}",
        "--replay_buffer_reuse=1",
        f"--train_batch_size={2 * OPEN_SPIEL_STEP}",
        "--checkpoint_freq=1000000",
    ]
    # One thread of LibTorch for each of the program's own, as is best for it; teams would get into each other's way.
    process = Counting(
        command, place, OpenSpielLines().parse, environment={"OMP_NUM_THREADS": "1"}, log=place / "learner.jsonl"
    )
    settings = f"{actors} actors, batches of {batch}, {threads} inference threads"
    player = Player("OpenSpiel", simulations, settings, [process])
    # Games end in waves, which two intervals even out.
    player.least = 3
    return player


def open_spiel_settings():
    """Actors, batch and inference threads to try."""
    count = len(cores())
    return [(64 * count, 32, count), (64 * count, 64, count), (128 * count, 64, count)]
