"""An iterated loop that goes on without convergence."""
import sys

sys.path.insert(0, "..")
from references import *

write_figures([("a -> b -> a", "steps not converged", 24, 0), ("a -> b -> a", "iterations", 72, 0)])
