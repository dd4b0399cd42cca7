"""Plant the faults of all rooms in copies of a tree, and print which ones its tests find."""

from __future__ import annotations

import argparse
import itertools
import json
import queue
import shutil
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Lock
from typing import Any

from bilingual.files import write_whole
from tools.faults.copies import copy_tree
from tools.faults.fault import Fault, digest_of, read_faults
from tools.faults.trial import refusal, try_fault

ROOT = Path(__file__).resolve().parents[2]


class Report:
    """The results so far, in a JSON file; a later run of the same tree continues from it."""

    def __init__(self, path: Path, tree: Path) -> None:
        """Read the file if it belongs to a tree with the same content."""
        self.path, self.tree = path, digest_of(tree)
        earlier = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
        same = earlier.get("tree") == self.tree
        self.results: dict[str, Any] = earlier["results"] if same else {}
        self._lock = Lock()  # copies are tried at once, each in a thread

    def has(self, fault: Fault) -> bool:
        """Return whether this very fault was tried, with a verdict that stands."""
        result = self.results.get(fault.id, {})
        return result.get("digest") == fault.digest and result["verdict"] != "unclear"

    def add(self, fault: Fault, verdict: str, first: str, seconds: float) -> None:
        """Keep one result, and print it."""
        result = {
            "room": fault.room,
            "breaks": fault.breaks,
            "verdict": verdict,
            "first": first,
            "seconds": round(seconds, 1),
            "digest": fault.digest,
        }
        with self._lock:
            self.results[fault.id] = result
            content = {"tree": self.tree, "results": self.results}
            write_whole(self.path, json.dumps(content, indent=1, ensure_ascii=False).encode())
            print(f"{verdict:16}{fault.room:12}{fault.id:26}{first}", flush=True)


def try_all(faults: list[Fault], tree: Path, jobs: int, report: Report) -> None:
    """Try faults in `jobs` copies at once; faults with the same tests share a copy."""
    by_tests = sorted(faults, key=_tests)
    groups = [list(group) for _, group in itertools.groupby(by_tests, key=_tests)]
    (tree / "build").mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="faults-", dir=tree / "build") as folder:
        copies: queue.Queue[Path] = queue.Queue()
        for number in range(min(jobs, len(groups))):
            copy = Path(folder, str(number))
            copy.mkdir()
            copy_tree(tree, copy)
            copies.put(copy)

        def try_group(group: list[Fault]) -> None:
            copy = copies.get()
            try:
                _try_group(group, copy, report)
            finally:
                copies.put(copy)

        with ThreadPoolExecutor(jobs) as pool:
            list(pool.map(try_group, groups))


def _tests(fault: Fault) -> tuple[tuple[str, ...], str]:
    return fault.tests, fault.select


def _try_group(group: list[Fault], copy: Path, report: Report) -> None:
    refused = refusal(copy, group[0])
    for fault in group:
        start = time.monotonic()
        verdict, first = (refused, "") if refused else try_fault(copy, fault)
        report.add(fault, verdict, first, time.monotonic() - start)


def main() -> None:
    """Read the arguments; the exit status is 1 if a fault was not found."""
    faults = read_faults()
    names = dict.fromkeys(name for fault in faults for name in (fault.room, fault.id))
    parser = argparse.ArgumentParser(prog="python -m tools.faults", description=__doc__)
    parser.add_argument("--tree", type=Path, default=ROOT, help="the checkout to plant them in")
    parser.add_argument(
        "--only", action="append", choices=names, metavar="NAME", help="a room, or a fault's id"
    )
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("build") / "faults.json")
    parser.add_argument("--again", action="store_true", help="forget earlier results")
    options = parser.parse_args()
    options.out.parent.mkdir(parents=True, exist_ok=True)
    if options.again:
        options.out.unlink(missing_ok=True)
    if not shutil.which("git"):
        raise SystemExit("git is needed, to list the files of the tree")
    report = Report(options.out, options.tree.resolve())
    only = {*(options.only or names)}
    selection = [fault for fault in faults if {fault.room, fault.id} & only]
    left = [fault for fault in selection if not report.has(fault)]
    if left:
        try_all(left, options.tree.resolve(), options.jobs, report)
    verdicts = Counter(report.results[fault.id]["verdict"] for fault in selection)
    print(", ".join(f"{count} {verdict}" for verdict, count in verdicts.most_common()))
    raise SystemExit(verdicts["found"] < len(selection))


if __name__ == "__main__":
    main()
