"""Runs jobs side by side, with a progress bar; one that fails does not stop the others."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import ProcessPoolExecutor, as_completed
from typing import Any

from rich.progress import Progress

from autograde.grading.cores import cores

Job = tuple[Callable[..., None], *tuple[Any, ...]]  # a function of a module, and its arguments


class JobsFailed(RuntimeError):
    """Some jobs raised; the message has the name and error of each. The other jobs are done."""


def run_all(title: str, jobs: Mapping[str, Job]) -> None:
    """Run every job in a pool with one process per core; `JobsFailed` if any raised."""
    failed: dict[str, BaseException] = {}
    with ProcessPoolExecutor(cores()) as pool:
        running = {pool.submit(*job): name for name, job in jobs.items()}
        with Progress() as progress:  # has a thread, which might hold a lock during a fork
            bar = progress.add_task(title, total=len(jobs))
            for job in as_completed(running):
                name, error = running[job], job.exception()
                if error:
                    failed[name] = error
                if error or not progress.console.is_terminal:  # a log has no bar
                    progress.console.print(f"{title}: {name} {'failed' if error else 'done'}")
                progress.update(bar, advance=1, description=f"{title}: {name}")
    if failed:
        reasons = (f"{name}: {error}" for name, error in failed.items())
        message = f"{title} failed for {', '.join(failed)}\n" + "\n".join(reasons)
        raise JobsFailed(message) from next(iter(failed.values()))
