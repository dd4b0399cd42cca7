"""Bringing a learner's notebooks up to date with the course, and losing nothing that they wrote."""

from tools.renewal.folder import Outcome, StudyFolder
from tools.renewal.merge import renew

__all__ = ["Outcome", "StudyFolder", "renew"]
