"""One text in two languages, and which of these the reader wants to see.

Every sentence that a learner or teacher meets is a `Text`. The reader's choice is `language()`:
"en", "zh" or "both". It is kept in the user's own settings file, or given by the environment
variable `POSENC_LANGUAGE` (builds, tests and graders set it).

- `files.py`    writes a file whole or not at all
- `text.py`     a sentence in English and in Chinese
- `hanzi.py`    joins the lines of Chinese prose
- `setting.py`  which language the reader wants
- `command.py`  ends a command whose environment names an unknown language
- `switch.py`   the language buttons at the top of a notebook; what they do to the page: `page/`
- `server.py`   receives the choice in Jupyter's server, before any kernel runs; undelayed sliders
"""

from bilingual.setting import LANGUAGES, Language, language, page_languages, set_language
from bilingual.text import Text, listed

__all__ = ["LANGUAGES", "Language", "Text", "language", "listed", "page_languages", "set_language"]
