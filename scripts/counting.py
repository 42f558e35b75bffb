"""Programs that play and count, each for a while in turn: what `scripts/bench-selfplay` measures with.

A `Counting` process says by and by what it has done so far. It stands still (SIGSTOP) unless it is its turn. Every count
is noted with the clock and the process's processor time of that moment, and a rate is taken between the first and the
last count of a turn, so that neither standing still nor the time between counts is measured.
"""

import ctypes
import os
import pathlib
import signal
import subprocess
import threading
import time
from dataclasses import dataclass

TICKS = os.sysconf("SC_CLK_TCK")
# From the start of a process, or of a turn, to its next count: compilers and busy machines take their time.
PATIENCE = 600.0
PR_SET_PDEATHSIG = 1
LIBC = ctypes.CDLL(None)


class Fault(Exception):
    """A program failed."""


@dataclass(frozen=True)
class Count:
    """What a process has done so far, and when."""

    states: float
    """Searched positions."""
    evaluations: float
    """Positions judged by the network."""
    clock: float
    """Seconds."""
    processor: float
    """Processor time, seconds."""


@dataclass(frozen=True)
class Rate:
    """What a program does in a second."""

    states: float
    evaluations: float
    cores: float
    """Processor time that it takes a second."""

    @staticmethod
    def between(first, last):
        """The rate between two counts of a process."""
        seconds = last.clock - first.clock
        if seconds <= 0.0:
            raise ValueError("two counts at the same moment")
        part = lambda name: (getattr(last, name) - getattr(first, name)) / seconds
        return Rate(part("states"), part("evaluations"), part("processor"))

    @staticmethod
    def together(rates):
        """Of several processes at once."""
        return Rate(*(sum(getattr(rate, name) for rate in rates) for name in ("states", "evaluations", "cores")))

    @property
    def states_per_processor_second(self):
        return self.states / max(self.cores, 1e-9)

    @property
    def evaluations_per_processor_second(self):
        return self.evaluations / max(self.cores, 1e-9)


def status(process):
    """The fields of a process's /proc/…/stat after its name, which may have spaces and parentheses."""
    return pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()


def processor_seconds(process):
    """Processor time of all threads of a process."""
    fields = status(process)
    return (int(fields[11]) + int(fields[12])) / TICKS


def machine_seconds():
    """Processor time that all processes of the machine have taken."""
    fields = pathlib.Path("/proc/stat").read_text().splitlines()[0].split()[1:]
    user, nice, system, _idle, _wait, irq, softirq = map(int, fields[:7])
    return (user + nice + system + irq + softirq) / TICKS


def die_with_parent():
    """A process that stands still would outlive a killed parent for ever."""
    LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


class Counting:
    """A process that counts. `parse` makes of each of its lines states and evaluations so far, or None; the lines are
    those of its standard output or of the file `log`. Use it as a context: it is killed at the end."""

    def __init__(self, command, place, parse, environment=None, log=None):
        self.command, self.parse, self.log = [str(part) for part in command], parse, log
        self.counts, self.fault = [], None
        self.complaints = pathlib.Path(place) / "stderr"
        output = subprocess.DEVNULL if log else subprocess.PIPE
        with open(self.complaints, "w") as complaints:
            self.process = subprocess.Popen(
                self.command,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=complaints,
                text=True,
                env=os.environ | (environment or {}),
                preexec_fn=die_with_parent,
            )
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self.reader.join()
        if self.process.stdout:
            self.process.stdout.close()

    def lines(self):
        if self.log is None:
            yield from self.process.stdout
            return
        while not self.log.exists():
            if self.process.poll() is not None:
                return
            time.sleep(0.05)
        with open(self.log) as file:
            line = ""
            while True:
                line += file.readline()
                if line.endswith("\n"):
                    yield line
                    line = ""
                elif self.process.poll() is not None:
                    return
                else:
                    time.sleep(0.02)

    def read(self):
        """Notes counts as they come; works in a thread of its own."""
        try:
            for line in self.lines():
                if done := self.parse(line):
                    self.counts.append(Count(*done, time.monotonic(), processor_seconds(self.process.pid)))
        except (OSError, ValueError, KeyError, TypeError) as error:
            # It ended meanwhile, or it says what nobody expects.
            self.fault = f"{type(error).__name__}: {error}"

    def check(self):
        """Raises a fault where the process or its reader has ended."""
        # All that plays here plays until it is killed.
        if self.process.poll() is None and self.reader.is_alive():
            return
        text = self.complaints.read_text(errors="replace").strip().splitlines()
        reason = (text or [self.fault or "it ended"])[-1]
        raise Fault(f"{self.command[0]}: {reason}")

    def go_on(self):
        self.process.send_signal(signal.SIGCONT)

    def stand_still(self):
        self.process.send_signal(signal.SIGSTOP)
        while self.process.poll() is None and status(self.process.pid)[0] != "T":
            time.sleep(0.001)


class Player:
    """A program that plays with certain settings, in one process or several at once."""

    def __init__(self, name, simulations, settings, processes):
        self.name, self.simulations, self.settings, self.processes = name, simulations, settings, processes
        # Seconds to play before its speed is the one that it keeps, at most.
        self.needs = float("inf")
        # What its processes say besides counts, where they do.
        self.lines = None
        # States of one that it counts: 1 unless it counts something else that grows more evenly.
        self.scale = lambda: 1.0
        # Counts of a turn, at least.
        self.least = 2
        # Of each turn: the rate, and how many cores other programs took.
        self.counted, self.others = [], []

    def in_states(self, rate):
        """A rate of what it counts as one of states."""
        return Rate(rate.states * self.scale(), rate.evaluations, rate.cores)

    @property
    def rates(self):
        return [self.in_states(rate) for rate in self.counted]

    def wait(self, until):
        begin = time.monotonic()
        while not until():
            for process in self.processes:
                process.check()
            if time.monotonic() - begin > PATIENCE:
                raise Fault(f"{self.name} ({self.settings}) did not count for {PATIENCE:.0f} seconds")
            time.sleep(0.02)

    def turn(self, seconds, least):
        """Goes on for `seconds`, and until every process has counted `least` times more; answers the counts."""
        before = [len(process.counts) for process in self.processes]
        new = lambda: [process.counts[at:] for process, at in zip(self.processes, before)]
        for process in self.processes:
            process.go_on()
        begin = time.monotonic()
        enough = lambda: time.monotonic() - begin >= seconds and all(len(counts) >= least for counts in new())
        try:
            self.wait(enough)
        finally:
            for process in self.processes:
                process.stand_still()
        # A line that was under way when the process stopped belongs to this turn.
        time.sleep(0.1)
        return new()

    def warm_up(self, seconds):
        """Begins, plays for `seconds` after its first counts, and stands still."""
        self.turn(0.0, 1)
        self.turn(seconds, 1)

    def measure(self, seconds):
        """Its turn: notes the rate, and what other programs took meanwhile."""
        begin, machine = time.monotonic(), machine_seconds()
        own = sum(processor_seconds(process.process.pid) for process in self.processes)
        counts = self.turn(seconds, self.least)
        rate = Rate.together([Rate.between(each[0], each[-1]) for each in counts])
        own = sum(processor_seconds(process.process.pid) for process in self.processes) - own
        passed = time.monotonic() - begin
        self.others.append(max(machine_seconds() - machine - own, 0.0) / passed)
        self.counted.append(rate)
        return self.in_states(rate)

    def end(self):
        for process in self.processes:
            process.__exit__()
