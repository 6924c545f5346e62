"""The files a run leaves."""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from freebody.api import Trajectory
from freebody.cli import files
from freebody.cli.failure import usage
from freebody.cli.output import Output
from freebody.cli.wishes import PAGES, PICTURES, RUNS
from freebody.errors import ArgumentError


@dataclass
class Leaves:
    """What is to be saved, drawn (and of what) and reported."""

    save: Sequence[Path]
    plot: Sequence[Path]
    show: Sequence[str]
    report: Sequence[Path]
    made: list[str] = field(default_factory=list)

    def check(self) -> None:
        """Before the run: can they be written?"""
        kinds = (("--save", self.save, RUNS), ("--plot", self.plot, PICTURES), ("--report", self.report, PAGES))
        for option, paths, suffixes in kinds:
            for path in paths:
                files.check(option, path, suffixes)
        if self.show and not self.plot:
            raise usage("--show says what --plot draws; give --plot PATH too")

    def write(self, out: Output, run: Trajectory) -> None:
        """One after the other, what keeps the numbers first."""
        for path in self.save:
            self._one(out, "--save", path, partial(run.save, path))
        if self.plot:
            os.environ.setdefault("MPLBACKEND", "Agg")
            names = _known(run, self.show)
            for path in self.plot:
                self._one(out, "--plot", path, partial(run.plot, *names, path=path))
        for path in self.report:
            self._one(out, "--report", path, partial(run.report, path))
        if self.made:
            out.note(f"written: {', '.join(self.made)}")

    def _one(self, out: Output, option: str, path: Path, write: Callable[[], object]) -> None:
        files.written(option, path, write)
        self.made.append(str(path))
        out.tell(files=list(self.made))


def _known(run: Trajectory, names: Sequence[str]) -> list[str]:
    try:
        return [run.key(name) for name in names]
    except ArgumentError as error:
        raise usage(f"--show: {error}") from error
