#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "composition/hosts/Placement.hpp"

namespace openmi::tools {

/// The options that say where the groups of a composition run.
class PlacementOptions {
 public:
  void AddTo(CLI::App& app);
  /// \throws UsageFault  an option has another form
  /// \throws Error       the file of hosts cannot be read
  Placement Value() const;

 private:
  std::vector<std::string> places_;
  std::string hosts_;
  bool slurm_ = false;
  Placement placement_;
};

}  // namespace openmi::tools
