"""Self-play of Connect Four beside other programs: what `scripts/bench-selfplay` runs."""

import argparse
import contextlib
import json
import pathlib
import platform
import shutil
import signal
import statistics
import sys
import tempfile

import rivals
from counting import Fault

CHECKOUT = pathlib.Path(__file__).resolve().parent.parent
# What is wanted: how many times as many states as the rival, at these simulations.
WANTED = 2.0
COMPARISONS = [("OpenSpiel", 100), ("pgx + mctx", 32)]


def say(text):
    print(f"bench-selfplay: {text}", file=sys.stderr, flush=True)


def median(numbers):
    return statistics.median(numbers)


def ratios(own, other):
    """How many times the states of `other` a player makes, by the clock and by processor time: of turns of the same
    round, the middle one."""
    by = lambda number: median([number(mine) / number(theirs) for mine, theirs in zip(own.rates, other.rates)])
    return by(lambda rate: rate.states), by(lambda rate: rate.states_per_processor_second)


def row(player, planes, flops, peak, garrison):
    """What is told of a player: middle figures of its turns. A rival's network has `planes`, Garrison's takes `flops`
    operations."""
    flops = rivals.operations(planes) if planes else flops
    of = lambda number: median([number(rate) for rate in player.rates])
    evaluations = of(lambda rate: rate.evaluations_per_processor_second)
    told = {
        "program": player.name,
        "simulations": player.simulations,
        "settings": player.settings,
        "states_per_second": of(lambda rate: rate.states),
        "evaluations_per_second": of(lambda rate: rate.evaluations),
        "states_per_processor_second": of(lambda rate: rate.states_per_processor_second),
        "evaluations_per_processor_second": evaluations,
        "share_of_peak": evaluations * flops / peak,
        "other_work_cores": median(player.others),
        "turns": [vars(rate) for rate in player.rates],
    }
    if not player.name.startswith("Garrison"):
        for key, name in [("garrison", "Garrison"), ("garrison_without_cache", "Garrison, no cache")]:
            told[key] = ratios(garrison[name, player.simulations], player)
    return told


def recorded_row(record, garrison):
    """What is told of a rival that was measured elsewhere."""
    ratio = lambda name: median([rate.states / record.states for rate in garrison[name, record.simulations].rates])
    return {
        "program": record.program,
        "simulations": record.simulations,
        "settings": record.settings,
        "recorded": True,
        "states_per_second": record.states,
        "evaluations_per_second": record.evaluations,
        "garrison": [ratio("Garrison"), None],
        "garrison_without_cache": [ratio("Garrison, no cache"), None],
    }


def table(rows):
    """The rows for people."""
    number = lambda value: "" if value is None else f"{value:,.0f}".replace(",", " ")

    def times(pair):
        clock, processor = pair or (None, None)
        if clock is None:
            return ""
        return f"{clock:.2f}" if processor is None else f"{clock:.2f} ({processor:.2f})"

    lines = [["program", "simulations", "states/s", "evaluations/s", "states/processor s", "of the peak", "Garrison ×",
              "without cache ×", "settings"]]  # fmt: skip
    for told in rows:
        share = told.get("share_of_peak")
        lines.append([
            told["program"],
            str(told["simulations"]),
            number(told["states_per_second"]),
            number(told["evaluations_per_second"]),
            number(told.get("states_per_processor_second")),
            "" if share is None else f"{share * 100:.0f} %",
            times(told.get("garrison")),
            times(told.get("garrison_without_cache")),
            told["settings"],
        ])  # fmt: skip
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    left = (0, len(widths) - 1)
    show = lambda column, text: text.ljust(widths[column]) if column in left else text.rjust(widths[column])
    return "\n".join("  ".join(show(*cell) for cell in enumerate(line)).rstrip() for line in lines)


def verdicts(rows):
    """Whether what is wanted was reached, in words."""
    for program, simulations in COMPARISONS:
        found = [told for told in rows if (told["program"], told["simulations"]) == (program, simulations)]
        for told in found:
            clock, processor = told["garrison"]
            without, _ = told["garrison_without_cache"]
            by_processor = "" if processor is None else f", {processor:.2f} by processor time"
            elsewhere = " as recorded elsewhere" if told.get("recorded") else ""
            yield (
                f"{program} at {simulations} simulations{elsewhere}: Garrison plays {clock:.2f} times as many states by the "
                f"clock{by_processor}, {without:.2f} without its cache; wanted: {WANTED:.0f}, "
                + ("reached" if clock >= WANTED else "missed")
            )


def processor_name():
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.processor()


class Bench:
    """Everything that plays, in folders of its own."""

    def __init__(self, arguments, place):
        self.arguments, self.place, self.players, self.tried = arguments, pathlib.Path(place), [], []

    def folder(self):
        return pathlib.Path(tempfile.mkdtemp(dir=self.place))

    def begin(self, make):
        """A player that has warmed up and stands still."""
        player = make(self.folder())
        self.players.append(player)
        say(f"{player.name}, {player.simulations} simulations, {player.settings}: warms up")
        player.warm_up(min(self.arguments.warm_up, player.needs))
        return player

    def best(self, makers):
        """Of players of the same program the one that makes most states; the others end."""
        candidates = []
        for make in makers:
            player = self.begin(make)
            rate = player.measure(self.arguments.seconds)
            player.counted, player.others = [], []
            say(f"    {rate.states:.0f} states/s, {rate.states_per_processor_second:.0f} a second of processor time")
            self.tried.append({"program": player.name, "simulations": player.simulations, "settings": player.settings}
                              | vars(rate))  # fmt: skip
            candidates.append((rate.states, player))
        chosen = max(candidates, key=lambda candidate: candidate[0])[1]
        for _, player in candidates:
            if player is not chosen:
                player.end()
                self.players.remove(player)
        return chosen

    def end(self):
        for player in self.players:
            player.end()

    def gather(self):
        """Begins Garrison and the best settings of each rival that can be had; answers the names of those."""
        arguments, measured = self.arguments, set()
        pgx = None
        if "pgx" not in arguments.without:
            pgx = rivals.pgx_python(say)
            if pgx is None:
                say("pgx and mctx cannot be had: what was recorded stands in for them")
        for simulations in (100, 32):
            for cache in (True, False):
                self.begin(lambda place: rivals.garrison(arguments.train, place, simulations, cache))
        if arguments.open_spiel and "open-spiel" not in arguments.without:
            measured.add("OpenSpiel")
            self.best([
                lambda place, settings=settings: rivals.open_spiel(arguments.open_spiel, place, 100, *settings)
                for settings in rivals.open_spiel_settings()
            ])  # fmt: skip
        if pgx:
            measured.add("pgx + mctx")
            for simulations in (32, 100):
                self.best([
                    lambda place, batch=batch: rivals.pgx(pgx, place, simulations, batch)
                    for batch in rivals.pgx_settings(simulations)
                ])  # fmt: skip
        return measured

    def run(self):
        """Measures; answers everything that is told."""
        measured = self.gather()
        for turn in range(self.arguments.rounds):
            for player in self.players:
                rate = player.measure(self.arguments.seconds)
                say(f"turn {turn + 1} of {self.arguments.rounds}: {player.name}, {player.simulations} simulations: "
                    f"{rate.states:.0f} states/s, {rate.states_per_processor_second:.0f} a second of processor time")  # fmt: skip
        garrison = {(player.name, player.simulations): player for player in self.players if player.lines}
        lines = [player.lines for player in garrison.values()]
        peak = max(line.peak() for line in lines)
        own = lines[0].player["flops_per_position"]
        rows = [row(player, rivals.PLANES.get(player.name), own, peak, garrison) for player in self.players]
        elsewhere = [record for record in rivals.RECORDED if record.program not in measured]
        rows += [recorded_row(record, garrison) for record in elsewhere]
        rows.sort(key=lambda told: -told["simulations"])
        return {
            "processor": processor_name(),
            "cores": len(rivals.cores()),
            "game": "connect4",
            "blocks": rivals.BLOCKS,
            "channels": rivals.CHANNELS,
            "plan": lines[0].player["plan"],
            "peak_of_a_core": peak,
            "other_work_cores": median([other for player in self.players for other in player.others]),
            "rows": rows,
            "tried": self.tried,
        }


def read_arguments(words):
    parser = argparse.ArgumentParser(
        prog="bench-selfplay", usage="scripts/bench-selfplay [OPTION]… (see --help)", add_help=False
    )
    parser.add_argument("--open-spiel", metavar="PROGRAM")
    parser.add_argument("--without", action="append", default=[], choices=["pgx", "open-spiel"])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=7.0)
    parser.add_argument("--warm-up", type=float, default=20.0)
    parser.add_argument("--train", default=str(CHECKOUT / "target/release/train"))
    parser.add_argument("--json", metavar="FILE", type=pathlib.Path)
    arguments = parser.parse_args(words)
    faults = []
    if arguments.rounds < 1:
        faults.append("--rounds must be at least 1")
    if not 1.0 <= arguments.seconds <= 600.0:
        faults.append("--seconds must be 1 to 600")
    if not 0.0 <= arguments.warm_up <= 600.0:
        faults.append("--warm-up must be 0 to 600")
    if not shutil.which(arguments.train):
        faults.append(f"{arguments.train} is no program: build it with cargo build --release -p train, or name it with --train")
    if arguments.open_spiel and not shutil.which(arguments.open_spiel):
        faults.append(f"--open-spiel {arguments.open_spiel} is no program")
    if arguments.json and not arguments.json.absolute().parent.is_dir():
        faults.append(f"--json {arguments.json}: there is no such directory")
    if faults:
        parser.error("; ".join(faults))
    return arguments


def show(told):
    print(f"Connect Four, network of {told['blocks']} x {told['channels']}, untrained; {told['processor']}, "
          f"{told['cores']} cores, {told['peak_of_a_core'] / 1e9:.0f} billion operations/s each at best; other programs took "
          f"{told['other_work_cores']:.2f} cores meanwhile")  # fmt: skip
    print(f"Garrison: {told['plan']}\n")
    print(table(told["rows"]))
    print("\nstates: searched positions. evaluations: positions judged by the network, answers of a cache not counted. The peak")
    print("is by processor time. Garrison ×: how many times the rival's states, by the clock (by processor time).\n")
    for line in verdicts(told["rows"]):
        print(line)


def main(words):
    arguments = read_arguments(words)
    # So that what plays is ended and its folders are removed.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    with tempfile.TemporaryDirectory(prefix="bench-selfplay-") as place:
        bench = Bench(arguments, place)
        with contextlib.ExitStack() as stack:
            stack.callback(bench.end)
            told = bench.run()
    if arguments.json:
        fresh = arguments.json.with_name(arguments.json.name + ".fresh")
        fresh.write_text(json.dumps(told, indent=2) + "\n")
        fresh.replace(arguments.json)
    show(told)


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except Fault as fault:
        say(f"error: {fault}")
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)
