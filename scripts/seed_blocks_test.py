"""Tests of seed_blocks.py: python3 scripts/seed_blocks_test.py"""

import random
import unittest

from seed_blocks import Blocks, student


class BlocksTest(unittest.TestCase):
    def test_blocks_say_nothing_about_variants(self):
        effects, levels = {"a": 80.0, "b": 83.0, "c": 79.5}, {1: 0.0, 2: 10.0, 3: -4.0}
        numbers = {name: {block: effect + level for block, level in levels.items()} for name, effect in effects.items()}
        found = Blocks(numbers)
        self.assertAlmostEqual(found.mean("b") - found.mean("a"), 3.0)
        self.assertAlmostEqual(found.mean("a"), 82.0, msg="in an average block")
        self.assertEqual(found.freedom, 4)
        self.assertAlmostEqual(found.deviation, 0.0)

    def test_variants_that_miss_blocks_are_compared_by_those_they_share(self):
        # Only the weak block has seen c: its plain mean would say that c is the worst.
        numbers = {"a": {1: 80.0, 2: 60.0}, "b": {1: 81.0, 2: 61.0}, "c": {2: 65.0}}
        found = Blocks(numbers)
        self.assertAlmostEqual(found.mean("c") - found.mean("a"), 5.0)
        self.assertEqual(found.freedom, 1)
        self.assertIsNone(found.half_width("a"))

    def test_intervals_cover(self):
        random.seed(1)
        covered = 0
        for _ in range(400):
            levels = [random.gauss(0, 5) for _ in range(3)]
            numbers = {name: {block: 80 + random.gauss(0, 1.5) + level for block, level in enumerate(levels)}
                       for name in "abcdefg"}
            found = Blocks(numbers)
            covered += abs(found.mean("a") - found.mean("b")) <= found.half_width("a", "b")
        self.assertTrue(0.92 <= covered / 400 <= 0.98, covered)

    def test_students_quantile(self):
        for freedom, right in ((4, 2.776), (10, 2.228), (30, 2.042)):
            self.assertAlmostEqual(student(freedom), right, delta=0.01)
        self.assertIsNone(student(3))


if __name__ == "__main__":
    unittest.main()
