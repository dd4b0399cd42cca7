"""Grades on a Slurm cluster, in the course folder: python slurm.py 02_sinusoidal."""

import subprocess
import sys

from dask_jobqueue import SLURMCluster
from distributed import Security

JOBS = 10  # each of them grades with 8 processes

with SLURMCluster(
    cores=8,
    processes=8,
    memory="32GB",
    walltime="02:00:00",
    protocol="tls://",
    security=Security(),  # what dask.yaml says, which `autograde grade` reads too
) as cluster:
    cluster.scale(jobs=JOBS)
    grade = [sys.executable, "-m", "autograde", "grade", *sys.argv[1:]]
    done = subprocess.run([*grade, "--scheduler", cluster.scheduler_address])
sys.exit(done.returncode)
