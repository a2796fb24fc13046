#pragma once

#include <string>
#include <vector>

namespace openmi {

/// What a results file records about its run. Empty members are omitted.
struct RunInfo {
  std::string title = {};    ///< what was run
  std::string source = {};   ///< what computed it: programs and their versions
  std::string history = {};  ///< when and by which command: "2026-01-31T12:00:00Z openmi run upper-creek.xml"
  std::string comment = {};  ///< such as what is invented
  int compression = 0;       ///< of a NetCDF file: 0: classic, which every library reads; 1 to 9: netCDF-4, by deflate
  std::vector<std::string> notes = {};  ///< what changed the run from outside, each with its time
};

}  // namespace openmi
