"""The recipes of docs/cluster.md, run as far as a machine without Slurm and Kubernetes can."""

import os
import re
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from tests.classroom.one_chapter import CHAPTER, ROOT, hand_in, scores, solved_text

pytestmark = pytest.mark.slow

GUIDE = ROOT / "docs" / "cluster.md"
RECIPES = ROOT / "docs" / "cluster"
SHARED = "/shared/dask-tls"
FEWER = {
    "JOBS = 10": "JOBS = 1",
    "cores=8": "cores=1",
    "processes=8": "processes=1",
    "32GB": "4GB",
}
SBATCH = """#!/bin/sh
cp "$1" "$0.$$"  # as Slurm does: whoever hands in a script may remove it
sh "$0.$$" > /dev/null 2>&1 &
echo "Submitted batch job $!"
"""
ASK = """
import sys
from distributed import Client
with Client(sys.argv[1], timeout=300) as client:
    client.wait_for_workers(1, timeout=300)
    print(client.submit(sum, (1, 2)).result(), *client.scheduler_info()["workers"])
"""


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    """The folder that the guide makes, with its dask.yaml."""
    if not shutil.which("openssl"):
        pytest.skip("openssl is not installed")
    folder = tmp_path_factory.mktemp("dask-tls")
    lines = set(re.findall(r"^openssl .*$", GUIDE.read_text(encoding="utf-8"), re.MULTILINE))
    (command,) = lines  # the same in both languages
    subprocess.run(command, shell=True, cwd=folder, check=True, capture_output=True)
    settings = (RECIPES / "dask.yaml").read_text(encoding="utf-8")
    (folder / "dask.yaml").write_text(settings.replace(SHARED, str(folder)), encoding="utf-8")
    return folder


def settings(certificate, **more):
    config = str(certificate / "dask.yaml")
    return {**os.environ, "DASK_CONFIG": config, "OMP_NUM_THREADS": "1", **more}


def test_slurm_grades_and_gives_the_jobs_back(certificate, course, tmp_path):
    bin_ = tmp_path / "bin"
    bin_.mkdir()
    for student in ("ada", "zoe"):
        hand_in(course, student, solved_text(course))
    for name, script in {"sbatch": SBATCH, "scancel": "#!/bin/sh\nkill $1\n"}.items():
        (bin_ / name).write_text(script)
        (bin_ / name).chmod(0o755)
    recipe = (RECIPES / "slurm.py").read_text(encoding="utf-8")
    for many, few in FEWER.items():
        assert many in recipe
        recipe = recipe.replace(many, few)
    (tmp_path / "slurm.py").write_text(recipe, encoding="utf-8")
    path = os.pathsep.join([str(bin_), os.environ["PATH"]])
    done = subprocess.run(
        [sys.executable, str(tmp_path / "slurm.py"), CHAPTER],
        cwd=course,
        env=settings(certificate, PATH=path, PYTHONPATH=str(ROOT)),
        capture_output=True,
        text=True,
        timeout=900,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert set(scores(course)) == {"ada", "zoe"}
    assert min(scores(course).values()) > 0


def test_the_pods_of_kubernetes_meet_over_tls(certificate, tmp_path):
    spec = yaml.safe_load((RECIPES / "kubernetes.yaml").read_text(encoding="utf-8"))["spec"]
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])

    def here(text):
        for there, local in {
            SHARED: str(certificate),
            "posenc-scheduler": "127.0.0.1",
            "8786": port,
            "$(DASK_WORKER_NAME)": "a-worker",
        }.items():
            text = text.replace(there, local)
        return text

    def start(role, *options):
        (pod,) = spec[role]["spec"]["containers"]
        program, *arguments = map(here, pod["args"])
        variables = {one["name"]: here(one["value"]) for one in pod["env"]}
        return subprocess.Popen(
            [sys.executable, "-m", program, *arguments, *options],
            cwd=tmp_path,
            env={**settings(certificate), **variables},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    started = [start("scheduler", "--port", port), start("worker")]
    try:
        client = subprocess.run(
            [sys.executable, "-c", ASK, f"tls://127.0.0.1:{port}"],
            env=settings(certificate),
            capture_output=True,
            text=True,
            timeout=900,
        )
    finally:
        for process in reversed(started):
            process.terminate()
            process.wait()
    assert re.match(r"3 tls://", client.stdout), client.stdout + client.stderr


def test_kubernetes_names_agree_everywhere():
    cluster = yaml.safe_load((RECIPES / "kubernetes.yaml").read_text(encoding="utf-8"))
    name = cluster["metadata"]["name"]
    for role in ("scheduler", "worker"):
        (pod,) = cluster["spec"][role]["spec"]["containers"]
        variables = {one["name"]: one["value"] for one in pod["env"]}
        assert variables["DASK_SCHEDULER_ADDRESS"] == f"tls://{name}-scheduler:8786"
        assert Path(variables["DASK_CONFIG"]).parent == Path(pod["volumeMounts"][0]["mountPath"])
    assert cluster["spec"]["scheduler"]["service"]["selector"]["dask.org/cluster-name"] == name
    assert f"service/{name}-scheduler" in GUIDE.read_text(encoding="utf-8")
