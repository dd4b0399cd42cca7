"""One test of many cases that nobody runs by name: thousands of tests take a while to hand out."""

from collections.abc import Callable, Iterable

Check = Callable[..., None]


def one_test(cases: Iterable[tuple], name: Callable[..., str]) -> Callable[[Check], Check]:
    """Make one test of a check: all cases are tried, those that fail are named with their errors.

    cases: what the check is called with; name: what a case is called, made of the same.
    """
    cases = list(cases)

    def of_all(check: Check) -> Check:
        def test() -> None:
            assert cases
            errors = []
            for case in cases:
                try:
                    check(*case)
                except Exception as error:
                    error.add_note(f"case: {name(*case)}")
                    errors.append(error)
            if errors:
                raise ExceptionGroup(f"{len(errors)} of {len(cases)} cases fail", errors)

        test.__doc__ = check.__doc__
        return test

    return of_all
