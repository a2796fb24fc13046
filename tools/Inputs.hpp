#pragma once

#include <CLI/CLI.hpp>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "composition/run/Variables.hpp"
#include "openmi/sdk/Problem.hpp"

namespace openmi::tools {

/// The options by which values are put into a composition: --data DIR and --set NAME=VALUE.
struct VariableOptions {
  std::string data;
  std::vector<std::string> settings;

  void AddTo(CLI::App& app);
  /// \throws UsageFault   a setting without '='
  /// \throws MissingFile  no folder of data
  Variables Values() const;
  /// A warning for each --set whose name stands nowhere in `file`; for each in a system
  /// structure, which has no variables.
  Problems Unused(const std::string& file) const;
  /// The same options again, for a child process.
  std::vector<std::string> Arguments() const;
};

/// A word on the command line that an option does not take.
struct UsageFault {
  std::string text;
};

/// The number in `text`, written with a decimal point in every locale. \throws UsageFault
double ParseNumber(const std::string& text, const std::string& option, double least = 0.0);

/// "KEY=VALUE" cut at the first '='. \throws UsageFault  there is none
std::pair<std::string, std::string> ParseSetting(const std::string& text, const std::string& option);

/// Refuses every word but these.
CLI::Validator OneOf(std::vector<std::string> words);

/// The hidden flag of a sub-command that does its work here and answers its parent process.
void AddChildFlag(CLI::App& app, bool& in_child);

/// The option --timeout of sub-commands that load libraries in a child process; seconds.
void AddTimeout(CLI::App& app, std::string& timeout);

/// A file that was named and is not there.
struct MissingFile {
  std::string path;
  const char* kind = "a file";  ///< what was expected there
};

/// \throws MissingFile  there is no file at `path`
void ExpectFile(const std::string& path);

/// \throws MissingFile  there is nothing at `path`
/// \throws UsageFault   there is a file
void ExpectFolder(const std::string& path);

/// The same for results, which are there too where only the journal of a run that was killed is. \throws MissingFile
void ExpectResults(const std::string& path);

enum class InputKind { Omi, Composition };

/// Told by the root element, else by the ending of the name. \throws MissingFile
InputKind KindOf(const std::string& path);

}  // namespace openmi::tools
