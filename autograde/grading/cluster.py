"""Grading on other machines: on an existing Dask cluster, over TLS."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from autograde.grading.submissions import GradeError
from bilingual import Text

if TYPE_CHECKING:
    from distributed import Client

NOT_TLS = Text(
    en="{address} is not encrypted: answers and grades travel over it. Start the scheduler with "
    "certificates and give its tls:// address (docs/cluster.md).",
    zh="{address}没有加密，而作答和成绩要经它传输。请用证书启动调度器，并给出它的tls://地址（见docs/cluster.md）。",
)
NO_DASK = Text(
    en='A cluster needs one more package: pip install "posenc-course[cluster]".',
    zh='使用集群还需一个软件包：pip install "posenc-course[cluster]"。',
)
NOT_THERE = Text(
    en="No scheduler answers at {address}: {why}", zh="{address}处没有调度器应答：{why}"
)

CONNECTING = 120  # seconds: a scheduler, or this machine, may be busy
TRIES = 3  # how often a submission is graded elsewhere after its machine is lost


class Cluster:
    """The workers of a Dask scheduler, as they come and go."""

    def __init__(self, client: Client) -> None:
        """Grade on the cluster that `client` is connected to."""
        self.client, self.executor = client, client.get_executor(retries=TRIES, pure=False)

    @property
    def workers(self) -> int:
        """Return how many submissions the cluster grades at a time."""
        return sum(self.client.nthreads().values())

    def submit(self, fn: Callable[..., Any], /, *args: Any) -> Future[Any]:
        """Have a worker call `fn`."""
        return self.executor.submit(fn, *args)


@contextmanager
def cluster(address: str) -> Iterator[Cluster]:
    """Connect to the Dask scheduler at `address`.

    Dask's own configuration names the certificates (distributed.comm.tls). The workers need the
    same version of this course installed. Raises `GradeError` without TLS, Dask or a scheduler.
    """
    if not address.startswith("tls://"):
        raise GradeError(str(NOT_TLS.format(address=address)))
    try:
        from distributed import Client  # an extra: most classes fit one machine
    except ImportError as error:
        raise GradeError(str(NO_DASK)) from error
    try:
        client = Client(address, timeout=CONNECTING, set_as_default=False)
    except (OSError, TypeError, ValueError) as error:
        raise GradeError(str(NOT_THERE.format(address=address, why=error))) from error
    with client:
        yield Cluster(client)
