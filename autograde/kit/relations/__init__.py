"""What holds between a wrong result and the right one, where no misconception explains it.

- `pair.py`       a result beside the right one, as numbers
- `shape.py`      the right numbers in another shape
- `order.py`      the right numbers in another order
- `factor.py`     the right numbers times a factor, or plus a constant
- `term.py`       an input that is left out or added
- `function.py`   a function of the right numbers, or they of the result
- `mask.py`       masks missing or the wrong way round, and NaN
- `precision.py`  the right numbers with too few digits
- `place.py`      results that are right in some places only
- `change.py`     what may have been done to the inputs
- `inputs.py`     the right results for changed inputs
- `two.py`        two mistakes at once
- `condition.py`  which inputs get a right result
- `relate.py`     tries them in turn
"""
