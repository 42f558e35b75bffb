"""The table of `scripts/bench-selfplay`, from the JSON files in a directory."""

import json
import pathlib
import sys

# Measured on two Zen 5 cores with bf16 instructions.
RECORDED = {
    "openspiel": {"states_per_second": 291.0, "evaluations_per_second": 13_300.0},
    "pgx": {"states_per_second": 448.0, "evaluations_per_second": 14_800.0},
}
COLUMNS = ("states_per_second", "evaluations_per_second", "states_per_processor_second", "evaluations_per_processor_second")
NAMES = ("states/s", "evaluations/s", "states a second of processor", "evaluations a second of processor")


def read(place, name):
    path = place / f"{name}.json"
    return json.loads(path.read_text()) if path.exists() and path.stat().st_size else None


def ours(place, name):
    """Rates of our self-play; the processor's from the median round, with the states that go with it."""
    bench = read(place, name)
    if bench is None:
        return None
    play = bench["play"]
    rounds = sorted(entry["evaluations_per_processor_second"] for entry in play["rounds"])
    middle = rounds[(len(rounds) - 1) // 2]
    clock = sum(entry["evaluations_per_second"] for entry in play["rounds"]) / len(play["rounds"])
    return {
        "states_per_second": play["steps_per_second"],
        "evaluations_per_second": play["evaluations_per_second"],
        "states_per_processor_second": middle * play["steps_per_second"] / clock,
        "evaluations_per_processor_second": middle,
        "share_of_peak": play["share_of_peak"],
        "plan": bench["plan"],
    }


def pgx(place):
    """The best batch, all processes added up."""
    best = None
    for games in (64, 256, 1024):
        parts = []
        while (part := read(place, f"pgx-{games}-{len(parts)}")) is not None:
            parts.append(part)
        if parts:
            rates = {column: sum(part[column] for part in parts) for column in COLUMNS[:2]}
            rates |= {column: sum(part[column] for part in parts) / len(parts) for column in COLUMNS[2:]}
            if best is None or rates["states_per_processor_second"] > best["states_per_processor_second"]:
                best = {**rates, "games": games}
    return best


def show(title, own, rival_name, rival, rival_text):
    label = rival_text if rival else f"{rival_name} (recorded on two Zen 5 cores with bf16, not measured here)"
    rival = rival or RECORDED[rival_name]
    print(f"\n{title}; ours: {own['plan']}, {100 * own['share_of_peak']:.1f} % of the peak")
    for name, rates in (("ours", own), (label, rival)):
        cells = [f"{rates[column]:.0f} {words}" for column, words in zip(COLUMNS, NAMES) if column in rates]
        print(f"  {name}: " + ", ".join(cells))
    ratios = [
        f"{own[column] / rival[column]:.2f} by {words}" for column, words in zip(COLUMNS, NAMES) if column in rival
    ]
    print("  ours to theirs: " + ", ".join(ratios))


def main():
    place = pathlib.Path(sys.argv[1])
    if (own := ours(place, "ours-gumbel")) is not None:
        rival = pgx(place)
        text = f"pgx and mctx, {rival['games']} games a process" if rival else ""
        show("Gumbel, 32 simulations", own, "pgx", rival, text)
    if (own := ours(place, "ours-puct")) is not None:
        show("PUCT, 100 simulations", own, "openspiel", read(place, "openspiel"), "OpenSpiel's C++ AlphaZero")


if __name__ == "__main__":
    main()
