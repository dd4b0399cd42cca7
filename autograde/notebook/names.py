"""What a notebook imports from `autograde`."""

from autograde.notebook.answer import answer as answer
from autograde.notebook.check import check as check
from autograde.notebook.environment import environment as environment
from autograde.notebook.hint import hint as hint
from autograde.notebook.progress import progress as progress
from autograde.notebook.quiz import quiz as quiz
from autograde.notebook.review import review as review
from bilingual.switch import language_switch as language_switch
