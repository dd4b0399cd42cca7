"""Builds docs/reference.md from the docstrings of posenc_ref: all public names on one page.

python -m tools.reference            writes the page
python -m tools.reference --check    says whether it is stale, changes nothing
"""

from __future__ import annotations

import re
import textwrap
from pathlib import Path

from tools.docstrings import Docstring, File, Name, read_package, unexported
from tools.pages import write_or_check

PAGE = Path("docs") / "reference.md"
KINDS = {
    "Foundations": "device positions attention attention_scale masks",
    "Absolute": "sinusoidal sinusoidal_axial shift_matrix learned recurrent floater multiplicative "
    "concatenated",
    "Scores": "shaw bert_relative rel_shift transformer_xl transformer_xl_embedding xlnet "
    "xlnet_embedding deberta deberta_buckets cope",
    "Biases": "t5 alibi kerple sandwich fire forgetting",
    "Rotary": "rope_angles rope rotation_matrix rope_partial rope_2d rope_axial mrope "
    "rope_mixed xpos qk_norm",
    "Rotary scaling": "position_interpolation ntk ntk_by_parts yarn llama3 longrope proportional "
    "base_bound self_extend",
    "Cache": "kv_cache grouped_query latent_attention rotated_cache sinks",
    "Models": "tiny_lm encoding encoding_names encoding_input encoding_rotary encoding_grid "
    "encoding_scores encoding_layers decoder_block decoding_cache generate ablation from_config",
}
HEAD = """<!-- built by tools/reference.py from the docstrings of posenc_ref/: edit those -->

# Reference of posenc_ref

本页由`posenc_ref`的docstring生成，只有英文；概念的中文讲解见各章，术语见[术语表](glossary.md)。

This page is built from the docstrings of `posenc_ref`, in English only; the chapters explain the
ideas in both languages, the [glossary](glossary.md) pairs the terms.

Every name is imported as `from posenc_ref import name`, every example is run by the tests."""


def reference(files: list[File] | None = None) -> str:
    """Return the page: contents, then the docstrings, kind by kind and file by file."""
    if missing := unexported():
        raise SystemExit(
            f"export it in posenc_ref/__init__.py, in __all__ too: {', '.join(missing)}"
        )
    by_stem = {file.stem: file for file in (read_package() if files is None else files)}
    kinds = {
        kind: [by_stem.pop(stem) for stem in stems.split() if stem in by_stem]
        for kind, stems in KINDS.items()
    }
    if by_stem:
        raise SystemExit(f"add to a kind in KINDS of tools/reference.py: {', '.join(by_stem)}")
    present = {kind: members for kind, members in kinds.items() if members}
    blocks = [HEAD, _contents(present)]
    for kind, members in present.items():
        blocks += [f"## {kind}", *(block for member in members for block in _file(member))]
    return "\n\n".join(blocks) + "\n"


def _contents(kinds: dict[str, list[File]]) -> str:
    rows = ["| | file | what | names |", "|---|---|---|---|"]
    for kind, files in kinds.items():
        for file in files:
            what = file.docstring.prose.splitlines()[0].rstrip(".:").replace("|", r"\|")
            names = ", ".join(f"`{name.name}`" for name in file.names)
            first = kind if file is files[0] else ""
            rows.append(f"| {first} | [{file.stem}](#{file.stem}) | {what} | {names} |")
    return "\n".join(rows)


def _file(file: File) -> list[str]:
    path = f"posenc_ref/{file.stem}.py"
    types = [_fenced("\n".join(file.types), "python")] if file.types else []
    names = (block for name in file.names for block in _name(name))
    return [
        *(f"### {file.stem}", f"[`{path}`](../{path})"),
        *(*_docstring(file.docstring), *types, *names),
    ]


def _name(name: Name) -> list[str]:
    docstring = _docstring(name.docstring, name.parameters)
    blocks = [f"#### {name.name}", _fenced(name.signature, "python"), *docstring]
    for method in name.methods:
        first, *rest = _docstring(method.docstring, method.parameters)
        blocks += [f"`{method.name}`: {first}", *rest]
    return blocks


def _docstring(docstring: Docstring, parameters: tuple[str, ...] = ()) -> list[str]:
    blocks = [_paragraph(part, parameters) for part in re.split(r"\n\s*?\n", docstring.prose)]
    if docstring.source:
        blocks.append(f"**Source:** {docstring.source}")
    if docstring.raises:
        errors = re.sub(r"^(?! )([\w, ]+):", r"- `\1`:", docstring.raises, flags=re.MULTILINE)
        blocks += ["**Raises:**", errors]
    if docstring.example:
        blocks.append(_fenced(docstring.example, "pycon"))
    return blocks


def _paragraph(text: str, parameters: tuple[str, ...]) -> str:
    """Return a paragraph as Markdown: an indented formula fenced, `parameter: …` lines a list."""
    if text.startswith("    "):
        return _fenced(textwrap.dedent(text), "text")
    lines = []
    for line in text.splitlines():
        names, colon, rest = line.partition(": ")
        listed = colon and set(names.split(", ")) <= set(parameters)
        lines.append(f"- `{names}`: {rest}" if listed else line)
    return "\n".join(lines)


def _fenced(text: str, language: str) -> str:
    return f"```{language}\n{text}\n```"


if __name__ == "__main__":
    write_or_check(reference(), PAGE, "python -m tools.reference", __doc__)
