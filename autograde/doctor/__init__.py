"""What this machine has and lacks for the course, and what to do about it.

- `requirements.py`  which packages the course needs, and which are installed
- `machine.py`       one finding for each thing that the course needs
- `command.py`       `python -m autograde doctor`
"""
