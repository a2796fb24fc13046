#pragma once

#include <cstdlib>

namespace openmi::test {

/// Lets Open MPI start ranks for root, as in a container, and more of them than there are cores. \returns true, to be
/// kept in a variable of a file
inline bool LetRanksStart() {
  return setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1) == 0 && setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1) == 0 &&
         setenv("OMPI_MCA_rmaps_base_oversubscribe", "1", 1) == 0;
}

}  // namespace openmi::test
