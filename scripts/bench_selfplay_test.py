"""What `scripts/bench-selfplay` reads, works out and prints, on programs and numbers made up for it."""

import contextlib
import io
import json
import os
import pathlib
import sys
import tempfile
import time
import unittest

import bench_selfplay
import rivals
from counting import Count, Counting, Fault, Player, Rate

# Counts as fast as it can; what it is told goes to a file or to standard output.
COUNTER = """
import itertools, json, sys, time
out = open(sys.argv[1], "w") if len(sys.argv) > 1 else sys.stdout
for count in itertools.count(1):
    print(json.dumps({"states": count, "evaluations": 33 * count}), file=out, flush=True)
    time.sleep(0.01)
"""


def parse(line):
    count = json.loads(line)
    return count["states"], count["evaluations"]


def player(name, simulations, *rates):
    made = Player(name, simulations, "made up", [])
    made.counted, made.others = [Rate(*rate) for rate in rates], [0.5] * len(rates)
    return made


def garrison():
    """With its cache 400 states a second, without it 300."""
    made = {}
    for simulations in (100, 32):
        made["Garrison", simulations] = player("Garrison", simulations, (400.0, 8000.0, 2.0), (420.0, 8000.0, 2.0))
        made["Garrison, no cache", simulations] = player("Garrison, no cache", simulations, (300.0, 9000.0, 2.0))
    return made


class Reading(unittest.TestCase):
    def test_the_first_line_of_garrison_says_who_plays(self):
        lines = rivals.GarrisonLines()
        peaks = [{"product": 2e11, "registers": 3e11}, {"product": 5e11, "registers": None}]
        self.assertIsNone(lines.parse(json.dumps({"plan": "fused", "peaks": peaks})))
        self.assertEqual(lines.parse('{"seconds": 0.5, "states": 7, "evaluations": 200, "answers": 230}'), (230, 200))
        self.assertEqual(lines.states_per_answer(), 7 / 230)
        self.assertEqual(lines.peak(), 5e11)

    def test_the_evaluations_of_openspiel_are_of_all_its_batches(self):
        lines = rivals.OpenSpielLines()
        record = '{"batch_size": {"avg": 31.5, "num": %d}, "loss": {"policy": "-nan"}, "total_states": %d}\n'
        self.assertEqual(lines.parse(record % (100, 1501)), (1501, 3150.0))
        self.assertEqual(lines.parse(record % (10, 3010)), (3010, 3465.0))

    def test_operations_grow_with_the_planes(self):
        self.assertEqual(rivals.operations(3) - rivals.operations(2), 2 * 9 * 42 * 64)
        self.assertAlmostEqual(rivals.operations(2) / 1e6, 24.9, delta=0.1)


class Measuring(unittest.TestCase):
    def test_a_rate_is_between_two_counts(self):
        rate = Rate.between(Count(100, 3300, 10.0, 4.0), Count(300, 9900, 14.0, 8.0))
        self.assertEqual(rate, Rate(states=50.0, evaluations=1650.0, cores=1.0))
        self.assertEqual(Rate.together([rate, rate]), Rate(100.0, 3300.0, 2.0))
        self.assertEqual(Rate(100.0, 3300.0, 2.0).states_per_processor_second, 50.0)
        with self.assertRaises(ValueError):
            Rate.between(Count(1, 1, 2.0, 0.0), Count(2, 2, 2.0, 0.0))

    def test_what_is_counted_may_stand_for_states(self):
        playing = player("Garrison", 100, (5000.0, 4000.0, 2.0))
        playing.scale = lambda: 0.01
        self.assertEqual(playing.rates, [Rate(50.0, 4000.0, 2.0)])

    def counting(self, log):
        with tempfile.TemporaryDirectory() as place:
            place = pathlib.Path(place)
            command = [sys.executable, "-c", COUNTER] + ([place / "log"] if log else [])
            with Counting(command, place, parse, log=place / "log" if log else None) as process:
                playing = Player("counter", 32, "", [process])
                playing.warm_up(0.0)
                rate = playing.measure(0.1)
                # The reader of a busy machine may be late.
                time.sleep(0.3)
                seen = len(process.counts)
                time.sleep(0.2)
                self.assertEqual(len(process.counts), seen, "it counts although it is not its turn")
                self.assertAlmostEqual(rate.evaluations / rate.states, 33.0)
                playing.measure(0.1)
                self.assertGreater(len(process.counts), seen)
                self.assertEqual(len(playing.rates), 2)
                number = process.process.pid
            with self.assertRaises(ProcessLookupError):
                os.kill(number, 0)

    def test_a_process_counts_in_its_turn_only(self):
        self.counting(log=False)

    def test_counts_may_be_in_a_file(self):
        self.counting(log=True)

    def test_a_program_that_ends_is_a_fault(self):
        for log in (False, True):
            for code, words in [("import sys; sys.exit('no such game')", "no such game"), ("print('{}')", "")]:
                with tempfile.TemporaryDirectory() as place:
                    place = pathlib.Path(place)
                    command = [sys.executable, "-c", code]
                    with Counting(command, place, parse, log=place / "log" if log else None) as process:
                        with self.assertRaisesRegex(Fault, words):
                            Player("broken", 32, "", [process]).warm_up(0.0)


class Telling(unittest.TestCase):
    def rows(self):
        own = garrison()
        rival = player("OpenSpiel", 100, (200.0, 9000.0, 1.0), (200.0, 9000.0, 1.0))
        rows = [bench_selfplay.row(each, None, 25e6, 5e11, own) for each in [*own.values(), rival]]
        return rows + [bench_selfplay.recorded_row(record, own) for record in rivals.RECORDED[:2]]

    def test_ratios_are_of_the_same_round(self):
        own = player("Garrison", 100, (400.0, 1.0, 2.0), (100.0, 1.0, 2.0), (900.0, 1.0, 2.0))
        rival = player("OpenSpiel", 100, (200.0, 1.0, 1.0), (50.0, 1.0, 1.0), (300.0, 1.0, 1.0))
        self.assertEqual(bench_selfplay.ratios(own, rival), (2.0, 1.0))

    def test_the_table_has_a_line_for_each(self):
        rows = self.rows()
        lines = bench_selfplay.table(rows).splitlines()
        self.assertEqual(len(lines), 1 + len(rows))
        rival = next(line for line in lines if line.startswith("OpenSpiel"))
        self.assertIn("45 %", rival)
        self.assertIn("2.05 (1.02)", rival)
        self.assertIn("1.50 (0.75)", rival)
        recorded = next(line for line in lines if line.startswith("pgx") and "448" in line)
        self.assertIn("recorded", recorded)
        self.assertIn("14 800", recorded)
        # Numbers stand under each other.
        ends = {line.index(number) + len(number) for line, number in [(rival, " 200 "), (recorded, " 448 ")]}
        self.assertEqual(len(ends), 1, lines)

    def test_a_verdict_says_what_was_missed_and_what_was_recorded_elsewhere(self):
        verdicts = list(bench_selfplay.verdicts(self.rows()))
        self.assertEqual(len(verdicts), 2)
        self.assertIn("2.05 times", verdicts[0])
        self.assertTrue(verdicts[0].endswith("reached"), verdicts)
        self.assertIn("recorded elsewhere", verdicts[1])
        self.assertTrue(verdicts[1].endswith("missed"), verdicts)

    def test_all_faults_of_a_command_line_are_told_at_once(self):
        words = ["--rounds", "0", "--seconds", "0", "--train", "/nowhere/train", "--open-spiel", "/nowhere/az"]
        with contextlib.redirect_stderr(io.StringIO()) as told, self.assertRaises(SystemExit) as end:
            bench_selfplay.read_arguments(words)
        self.assertEqual(end.exception.code, 2)
        for word in ("--rounds", "--seconds", "/nowhere/train", "/nowhere/az"):
            self.assertIn(word, told.getvalue())


if __name__ == "__main__":
    unittest.main()
