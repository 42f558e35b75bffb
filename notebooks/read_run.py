"""A run from Python: its newest weights and its games.

    train export RUN --games games.parquet
    python notebooks/read_run.py RUN games.parquet
"""
import json, pathlib, sys
import pandas
from safetensors.numpy import load_file

run, games = map(pathlib.Path, sys.argv[1:])
checkpoint = max(path for path in (run / "checkpoints").iterdir() if path.name.isdigit())
state = json.loads((checkpoint / "state.json").read_text())
weights = load_file(checkpoint / "weights.safetensors")
print(state["identity"]["game"], len(weights), "tensors", sum(w.size for w in weights.values()), "numbers")
steps = pandas.read_parquet(games) if games.suffix == ".parquet" else pandas.read_json(games, lines=True)
print(steps.groupby("reason")["game"].nunique().rename("games"))
print(steps.loc[steps["full_search"], ["position", "played", "policy", "policy_weight", "value", "outcome"]].head())
