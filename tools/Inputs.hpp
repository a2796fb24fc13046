#pragma once

#include <CLI/CLI.hpp>
#include <map>
#include <string>
#include <vector>

#include "composition/run/Variables.hpp"

namespace openmi::tools {

/// The options by which values are put into a composition: --data DIR and --set NAME=VALUE.
struct VariableOptions {
  std::string data;
  std::vector<std::string> settings;

  void AddTo(CLI::App& app);
  /// \throws ArgumentError  a setting without '='
  Variables Values() const;
  /// The same options again, for a child process.
  std::vector<std::string> Arguments() const;
};

/// A file that was named and is not there.
struct MissingFile {
  std::string path;
};

/// \throws MissingFile  there is no file at `path`
void ExpectFile(const std::string& path);

enum class InputKind { Omi, Composition };

/// Told by the root element, else by the ending of the name. \throws MissingFile
InputKind KindOf(const std::string& path);

}  // namespace openmi::tools
