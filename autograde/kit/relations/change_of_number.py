"""Changes of a plain number: one more, half, its root, a fixed number instead."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from autograde.kit.relations.change import Change, of_input

COMMON = (0, 1, 2, 8, 16, 32, 64, 100, 128, 200, 512, 10000)  # numbers that people hard-code


def of_number(name: str, value: float, values: Sequence[float]) -> Iterator[Change]:
    """Yield the changes that fit a number; `values`: the number in all calls."""
    if isinstance(value, int):
        for step, sign in ((1, "+"), (-1, "−")):
            words = f"`{name}` {sign} 1"
            yield of_input(
                name, f"for {words}", f"`{name}`取{words}", lambda x, step=step: x + step
            )
        yield of_input(name, f"for `{name}` / 2", f"`{name}`取一半", lambda x: x // 2)
    else:
        yield of_input(name, f"for 1 / `{name}`", f"`{name}`取倒数", lambda x: 1 / x)
        yield of_input(name, f"for √`{name}`", f"`{name}`取平方根", lambda x: x**0.5)
        yield of_input(name, f"for −`{name}`", f"`{name}`取相反数", lambda x: -x)
        yield of_input(name, f"for `{name}` / 2", f"`{name}`取一半", lambda x: x / 2)
    if any(float(one) > 1 and not float(one).is_integer() for one in values):
        yield of_input(name, f"for `{name}` cut to an integer", f"`{name}`取整", int)
    yield of_input(name, f"for 2 · `{name}`", f"`{name}`取两倍", lambda x: 2 * x)
    if len(set(values)) == 1:
        return  # if a number never changes, nothing shows that it is ignored
    # a size that is much larger than this call's would take memory and time
    largest = max(32, 4 * value) if isinstance(value, int) else max(COMMON)
    for fixed in (number for number in COMMON if number <= largest):
        yield of_input(
            name,
            f"with `{name}` = {fixed} whatever is passed",
            f"无论传入什么、`{name}`都取{fixed}",
            lambda x, fixed=fixed: type(x)(fixed),
            rare=True,
        )
