"""Components in Python on several ranks, with mpi4py."""

import importlib.util
import os
import unittest

from support import BINARY, Folder, openmi

SHARES = """
import openmi

class Shares(openmi.SteppingComponent):
    uses_communicator = True

    def initialize(self):
        world = self.communicator
        cells = self.elements(ids=range(world.rank + 1, 7, world.size))
        self.take = self.input("take", elements=cells, default=2.0)
        self.share = self.output("share", elements=cells)

    def step(self, begin, end):
        total = self.communicator.allreduce(sum(self.take.values))
        self.share.values[:] = self.take.values / total
"""


@unittest.skipUnless(os.path.exists(os.path.join(BINARY, "bin", "openmi-rank-host")), "a build without MPI")
@unittest.skipUnless(importlib.util.find_spec("mpi4py"), "no mpi4py")
class Ranks(Folder):
    def setUp(self):
        super().setUp()
        for name in ("OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"):
            os.environ[name] = "1"

    def composed(self, text, ranks):
        self.write("shares.py", text)
        made = openmi.Composition("made", folder=self.folder)
        made.add("shares", type="Shares", assembly="shares.py", ranks=ranks)
        made.observe("shares.share")
        return made.run_from("2020-01-01T00:00Z", "2020-01-01T06:00Z")

    def test_a_component_gets_its_communicator(self):
        result = self.composed(SHARES, 4).run()
        self.assertEqual(result["shares.share"].values[-1].tolist(), [1 / 6] * 6)

    def test_one_that_uses_none_is_refused(self):
        problems = self.composed(SHARES.replace("uses_communicator = True", "pass"), 2).check()
        self.assertIn("expected a component that uses a communicator", "\n".join(str(one) for one in problems))


if __name__ == "__main__":
    unittest.main()
