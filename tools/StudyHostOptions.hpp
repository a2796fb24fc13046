#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "study/run/StudyRun.hpp"
#include "tools/PlacementOptions.hpp"

namespace openmi::tools {

/// The options that say on which hosts the workers of a study run.
class StudyHostOptions {
 public:
  void AddTo(CLI::App& app);
  /// \param workers  the value of --workers; 0: none
  /// \returns without hosts if all workers are of this machine
  /// \throws UsageFault  an option has another form
  /// \throws Error       the file of hosts cannot be read, or the nodes of the allocation cannot be found out
  StudyPlaces Value(int workers) const;

 private:
  std::vector<std::string> hosts_;
  std::string file_;
  LaunchOptions launch_;
};

}  // namespace openmi::tools
