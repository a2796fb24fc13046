#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "composition/hosts/Placement.hpp"

namespace openmi::tools {

/// The options that say how workers of other hosts are started, for runs and studies.
class LaunchOptions {
 public:
  /// \param slurm  what --slurm does
  void AddTo(CLI::App& app, const std::string& slurm);
  /// The placement with these options. Its hosts are to be added.
  /// \throws UsageFault  an option has another form
  /// \throws Error       the nodes of the allocation cannot be found out
  Placement Value() const;
  /// \param options  those that name hosts, for the message
  /// \throws UsageFault  it is said how workers of other hosts are started, and no host is named
  void ExpectHosts(bool are_there, const std::string& options) const;

 private:
  bool slurm_ = false;
  std::string start_timeout_ = "60";  // s
  Placement placement_;
};

/// The options that say where the groups of a composition run.
class PlacementOptions {
 public:
  void AddTo(CLI::App& app);
  /// \throws UsageFault  an option has another form
  /// \throws Error       the file of hosts cannot be read, or the nodes of the allocation cannot be found out
  Placement Value() const;

 private:
  std::vector<std::string> places_;
  std::string hosts_;
  LaunchOptions launch_;
};

}  // namespace openmi::tools
