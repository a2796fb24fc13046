#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "composition/model/CompositionFile.hpp"
#include "fmi-bridge/fmi/ssp/ImportSystemStructure.hpp"
#include "openmi/sdk/Problem.hpp"
#include "openmi/system/TemporaryFolder.hpp"

namespace openmi::tools {

/// The options for system structures (.ssp, .ssd) alone.
struct SystemStructureOptions {
  std::string description, within;
  std::string start, stop, step, tolerance;
  std::string kind, inputs, solver;
  std::vector<std::string> start_values;
  bool compile = false;

  void AddTo(CLI::App& app);
  /// The values of the options.
  /// \throws UsageFault  a text that is no number
  ssp::SystemOptions Values() const;
  /// The same options as arguments for a child process.
  std::vector<std::string> Arguments() const;
};

/// \param expected     "a system structure"
/// \throws UsageFault  the file or folder is an FMU
void ExpectNoFmu(const std::string& path, const std::string& expected);

/// The composition that the user named: a composition file, or a system structure (.ssp, .ssd) turned into one.
///
/// A package stays unpacked during the life of this object.
class AsComposition {
 public:
  /// \param path  of the composition or system structure
  /// \param options  for a system structure
  /// \param problems  gets the problems of the system structure
  /// \throws FileError  the file cannot be opened
  /// \throws FormatError  the file cannot be read at all
  /// \throws UsageFault  options for system structures with a file that is none
  AsComposition(const std::string& path, const SystemStructureOptions& options, Problems& problems);
  ~AsComposition();
  AsComposition(const AsComposition&) = delete;
  AsComposition& operator=(const AsComposition&) = delete;

  /// Whether a system structure has no components, or one whose FMU is missing.
  ///
  /// The problem has been reported; further checks would only show its consequences.
  bool IsUnfit() const;
  /// The composition.
  /// \param problems  gets the problems of reading the file, if it is a composition file
  /// \throws FileError  the file cannot be opened
  /// \throws FormatError  the file cannot be read at all
  CompositionFile File(Problems& problems) const;
  /// Path of a composition file: the named one, or one in a private folder that is removed with this object.
  const std::string& Path();

 private:
  std::string path_;
  std::optional<ssp::ImportedSystem> imported_;
  std::unique_ptr<TemporaryFolder> folder_;  // null: no file was written
};

}  // namespace openmi::tools
