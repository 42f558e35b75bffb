"""Means of variants and how sure they are, where runs of one block have something in common.

A block is the runs with the same seed on the same machine: they saw the same random streams and the same speed, so
what they share says nothing about variants. The model is number = variant + block + noise, fitted by least squares
(R. A. Fisher, "The Design of Experiments", 1935, chapter 4: randomised blocks); not every variant needs a run in
every block. Intervals are 95 %, Student's.
"""

import math
import statistics


def student(freedom):
    """The 97.5 % quantile of Student's distribution: Cornish and Fisher's expansion, right to 0.01 from four
    degrees of freedom on; None below."""
    if freedom < 4:
        return None
    z = statistics.NormalDist().inv_cdf(0.975)
    return (z + (z**3 + z) / (4 * freedom) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)
            + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * freedom**3))


class Blocks:
    """A measure of many runs: `numbers[variant][block]`."""

    def __init__(self, numbers):
        self.numbers = numbers
        cells = [(variant, block, number) for variant, row in numbers.items() for block, number in row.items()]
        self.variants = {variant: 0.0 for variant in numbers}
        blocks = {block: 0.0 for _, block, _ in cells}
        # Least squares by turns: each effect is the mean of what the other one leaves. It converges for every
        # plan in which blocks hang together by variants; where they do not, block means stay where they began.
        for _ in range(2000):
            moved = 0.0
            for variant, row in numbers.items():
                effect = statistics.mean(number - blocks[block] for block, number in row.items())
                moved = max(moved, abs(effect - self.variants[variant]))
                self.variants[variant] = effect
            for block in blocks:
                left = [number - self.variants[variant] for variant, other, number in cells if other == block]
                blocks[block] = statistics.mean(left)
            # A block is measured against the mean of all, so that variants keep the level of the numbers.
            shift = sum(blocks[block] for _, block, _ in cells) / len(cells)
            blocks = {block: effect - shift for block, effect in blocks.items()}
            if moved < 1e-12:
                break
        squares = sum((number - self.variants[variant] - blocks[block]) ** 2 for variant, block, number in cells)
        self.freedom = len(cells) - len(self.variants) - len(blocks) + 1
        self.deviation = math.sqrt(squares / self.freedom) if self.freedom > 0 else math.nan
        self.quantile = student(self.freedom)

    def mean(self, variant):
        """What a variant comes to in an average block."""
        return self.variants[variant]

    def runs(self, variant):
        return len(self.numbers[variant])

    def half_width(self, *variants):
        """Half of the interval of a variant's mean, or of the difference of two; None where too little is known."""
        return None if self.quantile is None else self.quantile * self.error(*variants)

    def error(self, *variants):
        return self.deviation * math.sqrt(sum(1 / self.runs(variant) for variant in variants))

    def detectable(self, *variants):
        """The difference of two variants that the comparison would have shown with probability 80 %."""
        if self.quantile is None:
            return None
        return (self.quantile + statistics.NormalDist().inv_cdf(0.8)) * self.error(*variants)
