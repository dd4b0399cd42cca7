"""Explains the errors that Python and torch raise most in these exercises, in both languages.

- `explain.py`      finds the explanation of an error by its type and message
- `explanation.py`  what an explanation is
- `shapes.py`       shapes and axes that do not fit
- `indices.py`      places, rows and keys that do not exist
- `dtypes.py`       integers, floats, booleans, one number or many, gradients
- `language.py`     Python itself: arguments, names, None, division by 0
"""
