"""`python -m autograde doctor`: what this machine is and lacks; --teacher: how safely it grades."""

from __future__ import annotations

import argparse
import sys

from autograde.doctor.machine import findings, for_teachers
from autograde.grading.fork_servers import HIDDEN_FROM_ANSWERS
from autograde.notebook.environment import REPORT, described
from bilingual import Text
from confined.confine import Layers, tier
from confined.failures import GraderError
from confined.fork_server_handle import ForkServer
from confined.limits import Limits

TIER = Text(
    en="Confinement of graded code: tier {tier} of 3 (1 is the strongest; docs/security.md)",
    zh="对学生代码的隔离：第{tier}级，共3级（第1级最强；见docs/security.md）",
)
FOR_TEACHERS = Text(en="also what grading a class needs", zh="连同给全班评分所需的一起检查")
TEACHERS = Text(
    en="For grading a class: python -m autograde doctor --teacher",
    zh="要给全班评分：python -m autograde doctor --teacher",
)
NO_GRADER = Text(en="Grading does not work here: {why}", zh="本机无法评分：{why}")
HELP = {
    "namespaces": Text(
        en="allow user namespaces (sysctl kernel.unprivileged_userns_clone=1, or "
        "kernel.apparmor_restrict_unprivileged_userns=0), or grade as root; in a container, "
        "start it with --security-opt seccomp=unconfined --cap-add SYS_ADMIN",
        zh="允许用户命名空间（sysctl kernel.unprivileged_userns_clone=1，或"
        "kernel.apparmor_restrict_unprivileged_userns=0），或以root评分；在容器里，"
        "启动时加--security-opt seccomp=unconfined --cap-add SYS_ADMIN",
    ),
    "landlock": Text(
        en="Linux 5.13 or newer, with landlock in the kernel's list of security modules",
        zh="需要Linux 5.13或更新的版本，且内核的安全模块列表里有landlock",
    ),
    "seccomp": Text(
        en="install libseccomp (libseccomp2 on Debian and Ubuntu)",
        zh="安装libseccomp（在Debian和Ubuntu上是libseccomp2）",
    ),
    "limits": Text(en="raise the hard limits (ulimit -H)", zh="放宽硬限制（ulimit -H）"),
    "bubblewrap": Text(
        en="tier 1 does not need it; for a second, independent wall, install bubblewrap (the "
        "package has that name on Debian, Ubuntu and Fedora)",
        zh="第1级不要求它；若想再加一道出自别家的墙，请安装bubblewrap"
        "（Debian、Ubuntu、Fedora上的软件包即叫此名）",
    ),
    "cgroup": Text(
        en="without one a submission may take {processes} times {memory} MiB of memory, that much "
        "in each of its processes; tier 1 does not need one. To limit all of them together, grade "
        "as root, or in a delegated scope (systemd-run --user --scope -p Delegate=yes …)",
        zh="没有cgroup时，内存限额按进程算，一份提交最多可占{processes}×{memory} MiB；"
        "第1级不要求它。若要限制总量，请以root评分，或在委托的scope里评分"
        "（systemd-run --user --scope -p Delegate=yes …）",
    ).format(processes=Limits().processes, memory=Limits().memory),
    "user": Text(
        en="install Python and the course where every user may read them, or allow namespaces",
        zh="把Python和课程装到所有用户都能读的地方，或允许命名空间",
    ),
}


def doctor(*, teacher: bool = False) -> bool:
    """Print what this machine has and lacks for a learner; return whether it lacks nothing.

    teacher: print what grading needs too, and return whether grading works.
    """
    lines = findings()
    if not teacher:
        print(*described(), "", *lines, "", TEACHERS, REPORT, sep="\n")
        return not any(finding.remedy for finding in lines)
    lines += for_teachers()
    print(*described(), "", *lines, "", sep="\n", flush=True)  # the grader starts slowly
    try:
        with (
            ForkServer(HIDDEN_FROM_ANSWERS) as server,
            server.zygote(Limits()) as zygote,
            zygote.worker() as worker,
        ):
            layers = worker.layers
    except (GraderError, OSError, AttributeError) as error:
        print(NO_GRADER.format(why=_why(error)), "", REPORT, sep="\n")
        return False
    print(TIER.format(tier=tier(layers)), *_lines(layers), "", REPORT, sep="\n")
    return True


def _why(error: Exception) -> Text:
    """Return why in both languages: `confined`, without `Text`, writes Chinese · English."""
    zh, _, en = (str(error) or type(error).__name__).partition(" · ")
    return Text(en=en or zh, zh=zh)


def _lines(layers: Layers) -> list[str]:
    lines = []
    for name, why in layers.items():
        lines.append(f"  {'✗' if why else '✓'} {name}" + (f": {why}" if why else ""))
        if why:
            lines += [f"    → {line}" for line in str(HELP[name]).split("\n")]
    return lines


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Add the options of `doctor` to its command."""
    command.add_argument("--teacher", action="store_true", help=FOR_TEACHERS.label())
    command.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> None:
    sys.exit(0 if doctor(teacher=options.teacher) else 1)
