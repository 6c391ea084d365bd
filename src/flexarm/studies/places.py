"""Where chunks are computed: in this process, in processes of this machine, or on a cluster of Dask. One small contract."""

from __future__ import annotations

import functools
import hashlib
import multiprocessing
import pickle
import sys
import zlib
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

from flexarm.errors import FlexarmError
from flexarm.processes import cores
from flexarm.studies.chunk import Chunk, run_chunk
from flexarm.studies.plan import Plan

ANSWER_SECONDS = 10.0
"""How long a scheduler may take to answer."""
GONE = "the scheduler does not answer any more"


class Place(Protocol):
    """Takes chunks and gives them back."""

    @property
    def slots(self) -> int:
        """Chunks that are worked on at once."""
        ...

    def submit(self, start: int, stop: int) -> Future[Chunk]:
        """Begin a chunk."""
        ...

    def lost(self, error: BaseException) -> bool:
        """True if an error means that a worker is gone and the chunk can be begun again; makes that possible."""
        ...

    def check(self) -> None:
        """Raise if nothing will come any more."""
        ...

    def close(self) -> None:
        """Let go of everything."""
        ...


def packed_plan(plan: Plan) -> bytes:
    """A plan for other processes: small, and read once by each."""
    try:
        return zlib.compress(pickle.dumps(plan))
    except (pickle.PicklingError, AttributeError, TypeError):
        try:
            import cloudpickle
        except ImportError:
            raise FlexarmError(
                "a function of this script cannot travel to other processes: put it into a module, install cloudpickle, or "
                "run with workers=1",
                field="keep",
            ) from None
        return zlib.compress(cloudpickle.dumps(plan))


@functools.lru_cache(maxsize=4)
def _opened(content: bytes) -> Plan:
    plan: Plan = pickle.loads(zlib.decompress(content))
    return plan


def work(content: bytes, start: int, stop: int) -> Chunk:
    """Compute a chunk in whatever process this is."""
    return run_chunk(_opened(content), start, stop)


class Here:
    """In this process, one chunk after the other."""

    slots = 1

    def __init__(self, plan: Plan):
        self._plan = plan

    def submit(self, start: int, stop: int) -> Future[Chunk]:
        """`Place.submit`: done when it returns."""
        future: Future[Chunk] = Future()
        future.set_result(run_chunk(self._plan, start, stop))
        return future

    def lost(self, error: BaseException) -> bool:
        """`Place.lost`: never."""
        return False

    def check(self) -> None:
        """`Place.check`."""

    def close(self) -> None:
        """`Place.close`."""


class Processes:
    """Processes of this machine, begun from a clean server: nothing of this process, no thread and no lock, is copied."""

    def __init__(self, plan: Plan, workers: int | None = None):
        self._content, self._workers = packed_plan(plan), workers or cores()
        self._pool: ProcessPoolExecutor | None = None

    @property
    def slots(self) -> int:
        """`Place.slots`: one more waits for each that is worked on."""
        return 2 * self._workers

    def submit(self, start: int, stop: int) -> Future[Chunk]:
        """`Place.submit`; processes are begun when there is something for them to do."""
        if self._pool is None:
            kind = "forkserver" if "forkserver" in multiprocessing.get_all_start_methods() else "spawn"
            context: Any = multiprocessing.get_context(kind)
            if kind == "forkserver":
                context.set_forkserver_preload([__name__])
            self._pool = ProcessPoolExecutor(self._workers, mp_context=context, initializer=_calm)
        with _without_main():
            return self._pool.submit(work, self._content, start, stop)

    def lost(self, error: BaseException) -> bool:
        """`Place.lost`: a process died; the others are replaced too."""
        if not isinstance(error, BrokenExecutor):
            return False
        self.close()
        return True

    def check(self) -> None:
        """`Place.check`."""

    def close(self) -> None:
        """`Place.close`."""
        if self._pool is not None:
            self._pool.shutdown(wait=True, cancel_futures=True)
            self._pool = None


def _calm() -> None:
    """In a new process: Ctrl-C is for the one that started it; when that one is gone, this one goes too."""
    import os
    import signal
    import threading

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()

    def follow() -> None:
        if parent is not None:
            parent.join()
            os._exit(1)

    threading.Thread(target=follow, daemon=True).start()


@contextmanager
def _without_main() -> Iterator[None]:
    """New processes do not run the user's script again, which would begin the study in each of them."""
    main = sys.modules["__main__"]
    kept: dict[str, Any] = {name: main.__dict__[name] for name in ("__file__", "__spec__") if name in main.__dict__}
    main.__dict__.pop("__file__", None)
    main.__spec__ = None
    try:
        yield
    finally:
        main.__dict__.update(kept)


class Cluster:
    """Workers of a Dask scheduler.

    Parameters
    ----------
    plan : Plan
        What they work on.
    scheduler : str or distributed.Client
        Address such as ``tcp://10.0.0.1:8786``, or a client that the user has.
    """

    def __init__(self, plan: Plan, scheduler: Any):
        self._own = isinstance(scheduler, str)
        self._client = _connected(scheduler) if self._own else scheduler
        self._content = packed_plan(plan)
        self._check_workers()
        self._executor = self._client.get_executor(retries=3, pure=False)

    @property
    def slots(self) -> int:
        """`Place.slots`: two for each thread of the workers."""
        return max(2, 2 * sum(self._client.nthreads().values()))

    def submit(self, start: int, stop: int) -> Future[Chunk]:
        """`Place.submit`."""
        future: Future[Chunk] = self._executor.submit(work, self._content, start, stop)
        return future

    def lost(self, error: BaseException) -> bool:
        """`Place.lost`: the scheduler gave a chunk up because several workers died with it."""
        from concurrent.futures import CancelledError

        from distributed.scheduler import KilledWorker

        if isinstance(error, (CancelledError, OSError)):
            raise FlexarmError(GONE, field="--scheduler")
        return isinstance(error, KilledWorker)

    def check(self) -> None:
        """`Place.check`."""
        if self._client.status != "running":
            raise FlexarmError(GONE, field="--scheduler")

    def close(self) -> None:
        """`Place.close`: a client of the user stays."""
        self._executor.shutdown(wait=False)
        if self._own:
            self._client.close(timeout=2)

    def _check_workers(self) -> None:
        """Refuse workers that would give other numbers."""
        try:
            self._client.wait_for_workers(1, timeout=ANSWER_SECONDS)
        except TimeoutError:
            raise FlexarmError(
                "the scheduler has no workers: start some (dask worker ADDRESS)", field="--scheduler"
            ) from None
        try:
            found = self._client.run(code_digest)
        except Exception as error:
            raise FlexarmError(
                f"the workers cannot run flexarm ({type(error).__name__}: {error}): install the same version there",
                field="--scheduler",
            ) from None
        others = {worker: version for worker, version in found.items() if version != code_digest()}
        if others:
            worker, version = next(iter(others.items()))
            raise FlexarmError(
                f"worker {worker} has other code of flexarm ({version.partition(' ')[0]}; here {code_digest().partition(' ')[0]}): "
                "install the same version there, its numbers would differ",
                field="--scheduler",
            )


def _connected(address: str) -> Any:
    try:
        from distributed import Client
    except ImportError:
        raise FlexarmError("a cluster needs Dask: pip install 'flexarm[cluster]'", field="--scheduler") from None
    import logging

    for name in ("distributed.client", "distributed.comm", "distributed.core"):
        logging.getLogger(name).setLevel(logging.CRITICAL)  # what goes wrong is told in a sentence here
    try:
        return Client(address, timeout=ANSWER_SECONDS, set_as_default=False)
    except (OSError, TimeoutError, ValueError) as error:
        raise FlexarmError(
            f"no scheduler answers at '{address}' ({type(error).__name__}): start one (dask scheduler), or leave --scheduler out to "
            "use the cores of this machine",
            field="--scheduler",
        ) from None


@functools.lru_cache(maxsize=1)
def code_digest() -> str:
    """Version of the package and a checksum of its sources."""
    import flexarm
    from flexarm._version import __version__

    folder, digest = Path(flexarm.__file__).parent, hashlib.sha256()
    for path in sorted(folder.rglob("*.py")):
        digest.update(path.relative_to(folder).as_posix().encode() + path.read_bytes())
    return f"{__version__} {digest.hexdigest()}"
