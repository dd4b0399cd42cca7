"""Where graded code runs: a process that can do little and is not trusted.

The graders (`autograde.grading`) share a fork server, which has Python, torch and IPython loaded.
Each grader gets a zygote, a fork of it, and each submission a worker: a fork of the zygote that
gives up files, network, other processes and rights before it reads a student's first line. Each
answer is called in a fork of the worker. Grader and worker exchange plain values over a socket.
docs/security.md has the threat model.

- `fork_server_handle.py`  the graders' end of the fork server: `ForkServer`, which forks zygotes
- `zygote_handle.py`    the grader's end of its zygote: `Zygote`, which starts workers and ends them
- `worker_handle.py`    the grader's end of one worker: `Worker`
- `failures.py`         who caused a failure
- `fork_server.py`      the process that zygotes are forked from
- `zygote.py`           the process that a grader's workers are forked from
- `huge_pages.py`       makes forks quick
- `worker.py`           takes orders: write files, run a cell, open an answer, call it
- `frames.py`           messages: lengths, JSON, bytes
- `values.py`           tensors and plain values as JSON and bytes
- `shell.py`            IPython, and what a cell shows
- `outputs.py`          makes a cell's outputs safe for a page that a teacher opens
- `stand_in.py`         what `import posenc_ref` gives to graded code
- `confine.py`          the layers of confinement, one after the other, and their tier
- `view.py`             namespaces: what a worker sees of the disk
- `bubblewrap.py`       a view of the disk for the fork server itself
- `landlock.py`         a list of the files that may be opened
- `system_calls.py`     seccomp: a list of allowed system calls
- `limits.py`           seconds and bytes
- `process_limits.py`   sets the limits of one process
- `control_group.py`    one limit for all processes of a worker together
- `kernel.py`           the system calls that Python does not offer
- `deadline.py`         ends a call that takes too long

It imports torch, numpy, IPython and matplotlib, and nothing else of this course.
"""
