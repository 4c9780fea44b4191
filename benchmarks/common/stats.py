"""Ratios of paired measurements and their intervals."""
import math
import random
import statistics

DRAWS = 2000


def orders(sides, rounds):
    """ABBA: each round measures every side once, every other round backwards, so that
    a drift of the machine falls on all sides alike."""
    for number in range(rounds):
        yield list(sides) if number % 2 == 0 else list(sides)[::-1]


def bounds(draws):
    """What the middle 95 % of the draws lie between."""
    draws = sorted(draws)
    return draws[int(0.025 * len(draws))], draws[int(math.ceil(0.975 * len(draws))) - 1]


def interval(ratios):
    """The median, and the 95 % interval of a bootstrap over the pairs."""
    draw = random.Random(0)
    medians = [statistics.median(draw.choices(ratios, k=len(ratios))) for _ in range(DRAWS)]
    return (statistics.median(ratios), *bounds(medians))


def geomean(values):
    return math.exp(statistics.fmean(math.log(value) for value in values))


def geomean_interval(rows):
    """The geometric mean of the rows' median ratios; the pairs are drawn within each row,
    so the interval shows the noise of these models, not how others would perform."""
    draw = random.Random(0)
    means = [geomean([statistics.median(draw.choices(row, k=len(row))) for row in rows])
             for _ in range(DRAWS)]
    return (geomean([statistics.median(row) for row in rows]), *bounds(means))


def ratios(ours, theirs):
    return [a / b for a, b in zip(ours, theirs)]


def show(middle_low_high, digits=2):
    middle, low, high = (f"{value:.{digits}f}" for value in middle_low_high)
    return f"{middle} [{low}, {high}]"
