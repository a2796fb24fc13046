#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "composition/model/CompositionFile.hpp"
#include "fmi-bridge/archive/TemporaryFolder.hpp"
#include "fmi-bridge/ssp/ImportSystemStructure.hpp"
#include "openmi/sdk/Problem.hpp"

namespace openmi::tools {

/// The options that only system structures (.ssp, .ssd) have.
struct SystemStructureOptions {
  std::string description;
  std::string start, stop, step, tolerance;
  std::string kind, inputs, solver;

  void AddTo(CLI::App& app);
  /// \throws UsageFault  a number that is none
  ssp::SystemOptions Values() const;
  /// The same options again, for a child process.
  std::vector<std::string> Arguments() const;
};

/// What was named as a composition: itself, or what a system structure (.ssp, .ssd) becomes. A package stays unpacked
/// as long as this object lives.
class AsComposition {
 public:
  /// \param problems  gets those of the system structure
  /// \throws FileError, FormatError  it cannot be read at all
  /// \throws UsageFault  options for system structures, and a file that is none
  AsComposition(const std::string& path, const SystemStructureOptions& options, Problems& problems);
  ~AsComposition();
  AsComposition(const AsComposition&) = delete;
  AsComposition& operator=(const AsComposition&) = delete;

  bool IsSystem() const { return imported_.has_value(); }
  /// A system structure without components, or with one whose FMU is not there: it was said what is amiss, and to look
  /// further would only show what comes of it.
  bool IsUnfit() const;
  /// The composition; `problems` gets those of reading it, if it is one itself.
  /// \throws FileError, FormatError  the file cannot be read at all
  CompositionFile File(Problems& problems) const;
  /// A composition file: what was named, or one in a private folder that goes with this object.
  const std::string& Path();

 private:
  std::string path_;
  std::optional<ssp::ImportedSystem> imported_;
  std::unique_ptr<TemporaryFolder> folder_;  // null: nothing was written
};

}  // namespace openmi::tools
