"""Times of calls whose results are complete, of two sides in turn."""
import statistics
import time

from common import stats

ROUNDS = 10
MOST_CALLS = 500
WARM_UP_S = 0.1


class Timer:
    """The seconds of a call, until its results are complete."""

    def __init__(self, once, wait):
        self.once, self.wait = once, wait

    def warm_up(self):
        """The seconds that a call takes, roughly."""
        times, end = [], time.perf_counter() + WARM_UP_S
        while len(times) < 3 or (time.perf_counter() < end and len(times) < MOST_CALLS):
            times.append(self.call())
        return statistics.median(times)

    def call(self):
        start = time.perf_counter()
        result = self.once()
        self.wait(result)
        return time.perf_counter() - start

    def block(self, calls):
        return statistics.median(self.call() for _ in range(calls))


def in_turn(ours, theirs, seconds):
    """The medians in microseconds of each round, of both."""
    sides = [ours, theirs]
    share = seconds / len(sides) / ROUNDS
    calls = {side: max(1, min(MOST_CALLS, round(share / side.warm_up()))) for side in sides}
    found = {side: [] for side in sides}
    for order in stats.orders(sides, ROUNDS):
        for side in order:
            found[side].append(1e6 * side.block(calls[side]))
    return found[ours], found[theirs]
