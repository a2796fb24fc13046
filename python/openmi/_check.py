"""The child process of a check: loads the libraries of a composition, and reports what it finds to its parent.

Called by `openmi.Composition.check` as `python _check.py REQUEST ID...`; the ids are components that are not loaded.
"""

import os
import sys

# The folder of this file would hide modules of others by the names of ours; the package is found beside it.
sys.path[0] = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

from openmi import _openmi  # noqa: E402

_openmi.answer_check(sys.argv[1], sys.argv[2:])
