"""Where graded code runs: a process that can do little, and is believed nothing.

The judge (`autograde.grading`) starts one zygote, which has Python, torch and IPython loaded. Each
submission gets a worker, a fork of it that gives up files, network, other processes and rights
before it reads a student's first line. Each exercise is judged in a fork of the worker. What is
judged and what judges exchange plain values over a socket. docs/security.md has the threat model.

- `launch.py`           the judge's end: `Zygote`, `Worker`
- `zygote.py`           the process that workers are forked from
- `huge_pages.py`       makes forks of it quick
- `worker.py`           obeys: files, run a cell, open an answer, call it
- `frames.py`           messages: lengths, JSON, bytes
- `values.py`           tensors and plain values as JSON and bytes
- `shell.py`            IPython, and what a cell shows
- `outputs.py`          makes shown things fit for a page that a teacher opens
- `stand_in.py`         what `import posenc_ref` gives to graded code
- `confine.py`          the layers, one after the other, and the tier that they make
- `view.py`             namespaces: what is left of the disk
- `landlock.py`         a list of files
- `system_calls.py`     seccomp: a list of system calls
- `limits.py`           seconds and bytes
- `process_limits.py`   sets them for one process
- `control_group.py`    one limit for all processes of a worker together
- `kernel.py`           the system calls that Python does not offer
- `deadline.py`         ends a call that takes too long

It imports torch, numpy, IPython and matplotlib, and nothing else of this course.
"""
