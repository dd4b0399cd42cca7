"""What is shown while a class is graded."""

from rich.progress import Progress

from autograde.grading.display import PaceColumn


def test_the_time_left_is_by_the_mean_since_the_start():
    """Seen: 9 of 12 done in 150 s, of which the last in a burst, and "5 seconds left"."""
    clock = [0.0]
    progress = Progress(PaceColumn(), get_time=lambda: clock[-1])
    task = progress.add_task("", total=12)
    assert PaceColumn().render(progress.tasks[0]).plain == "-:--:--"
    for moment in (100, 100.1, 100.2, 100.3):
        clock.append(moment)
        progress.advance(task)
    assert PaceColumn().render(progress.tasks[0]).plain == "0:03:21 0.04/s"
