"""A small tree of everything that the programs write: a run of Connect Four, a match, a ladder, a study of
set-ups, a policy that places pieces, a saved game and written games. `hostile-files` damages such trees,
`check-frozen` keeps some."""

import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAMS = ("train", "evaluate", "study", "rules")

TRAIN = """seed = 3
game = { name = "connect4" }
limits = { cycles = 2 }
net = { blocks = 1, channels = 4, pooling_channels = 2, policy_channels = 4, value_channels = 4, value_hidden = 8 }
selfplay = { games_per_worker = 8, batch_size = 8, simulations = { always = 4 } }
window = { least_samples = 100 }
training = { batch = 32, metrics_every = 2 }
cycle = { positions = 200, workers = 1 }
[evaluation]
opening_turns = 4
ladder = [{ opponent = "random", pairs = 2, simulations = 2 }]
"""
STUDY = """seed = 3
generate = { uniform = 0, prior = 0, mutations = 0 }
race = { simulations = [0], pairs = 2, keep = 2 }
matrix = { simulations = 0, pairs = 8, least_pairs = 4, batch = 8 }
oracle = { candidates = 2, games = 2, pairs = 2, confirm = 4 }
stop = { rounds = 1, pairs = 60 }
"""

DEPLOY = """seed = 3
updates = 4
agent = { player = "greedy", opening_turns = 2 }
network = { blocks = 1, channels = 4 }
batch = { pairs = 4 }
opponents = { pool = 4, every = 2 }
games = { share = 1.0 }
estimate = { every = 0, set_ups = 2, candidates = 4, confirm = 4, mixture = 8 }
oracle = { candidates = 4, games = 2, pairs = 1, confirm = 4 }
"""

BEGIN = ["train", "run", "config.toml", "--run", "run"]
RESUME = [*BEGIN, "--resume", "--cycles", "3"]
REPORT = ["train", "report", "run"]
KEPT_MATCH = ["evaluate", "match", "run@2", "random", "--game", "connect4", "--pairs", "3", "--save", "match.jsonl"]
MATCH = [word if word != "3" else "4" for word in KEPT_MATCH]
LADDER = ["evaluate", "ladder", "run@2", "greedy", "--game", "connect4", "--dir", "ladder", "--block", "2"]
STANDINGS = ["evaluate", "report", "ladder"]
STUDY_BEGIN = ["study", "deployments", "study.toml", "--run", "study"]
STUDY_RESUME = [*STUDY_BEGIN, "--resume"]
DEPLOY_BEGIN = ["study", "deploy", "deploy.toml", "--run", "policy"]
DEPLOY_RESUME = [*DEPLOY_BEGIN, "--resume"]
PROPOSE = ["study", "propose", "policy", "--count", "4"]
LOAD = ["evaluate", "play", "random", "--game", "connect4", "--load", "saved.game"]


def find_binaries(directory=None):
    """The directory with the programs; ends with 2 where one is missing."""
    target = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    binaries = pathlib.Path(directory or target / "release").resolve()
    for program in PROGRAMS:
        if not (binaries / program).is_file():
            print(f"{binaries / program} is missing: run 'cargo build --release --bins'", file=sys.stderr)
            sys.exit(2)
    return binaries


def must(binaries, command, place, script=""):
    """Standard output of a command that must end well, in a directory."""
    # By its bare name and without git, so that no path of this machine and no difference gets into a manifest.
    done = subprocess.run(command, executable=binaries / command[0], cwd=place, input=script.encode(),
                          env={**os.environ, "PATH": ""}, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode != 0:
        sys.exit(f"error: {' '.join(command)}: {done.returncode}: {done.stderr.decode(errors='replace')}")
    return done.stdout


def make(binaries, place):
    """Makes the tree in a new directory."""
    place.mkdir(parents=True)
    (place / "config.toml").write_text(TRAIN)
    (place / "study.toml").write_text(STUDY)
    must(binaries, BEGIN, place)
    must(binaries, KEPT_MATCH, place)
    must(binaries, [*LADDER, "--pairs", "6"], place)
    must(binaries, STUDY_BEGIN, place)
    (place / "deploy.toml").write_text(DEPLOY)
    must(binaries, DEPLOY_BEGIN, place)
    must(binaries, ["evaluate", "play", "random", "--game", "connect4"], place, "d\ne\nsave saved.game\nquit\n")
    games = [must(binaries, ["rules", "play", "connect4", "--seed", str(seed), "--json"], place) for seed in (1, 2)]
    (place / "games.jsonl").write_bytes(b"".join(games))
    sample = must(binaries, ["rules", "setup", "sample", "commander", "--count", "4"], place)
    (place / "set-ups.txt").write_bytes(sample)
    (place / "starts.txt").write_text("7/7/7/7/7/3x3 o\n7/7/7/7/3o3/3x3 x\n")
