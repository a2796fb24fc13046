#pragma once

#include <CLI/CLI.hpp>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "composition/check/ChildAnswer.hpp"
#include "composition/link/Variables.hpp"
#include "openmi/sdk/Problem.hpp"

namespace openmi::tools {

/// The options for the variables of a composition: --data DIR and --set NAME=VALUE.
struct VariableOptions {
  std::string data;
  std::vector<std::string> settings;

  void AddTo(CLI::App& app);
  /// The values of the options.
  /// \throws UsageFault  a setting without '='
  /// \throws MissingFile  the folder of data does not exist
  Variables Values() const;
  /// A warning for each --set whose name is not in `file`. A system structure has no variables, so each --set gets one.
  Problems Unused(const std::string& file) const;
  /// The same options as arguments for a child process.
  std::vector<std::string> Arguments() const;
};

/// A word on the command line that an option does not accept.
struct UsageFault {
  std::string text;
};

/// The number in `text`, written with a decimal point in every locale.
/// \param text  the value of the option
/// \param option  for the message
/// \param least  the smallest number allowed
/// \throws UsageFault  `text` is no number, or too small
double ParseNumber(const std::string& text, const std::string& option, double least = 0.0);

/// Splits "KEY=VALUE" at the first '='.
/// \throws UsageFault  there is none
std::pair<std::string, std::string> ParseSetting(const std::string& text, const std::string& option);

/// A validator that accepts only these words.
CLI::Validator OneOf(std::vector<std::string> words);

/// Adds an option whose value the help calls `kind`: "FILE".
/// \param value  receives what the user gives
template <class T>
CLI::Option* AddValue(CLI::App& app, const char* names, T& value, const char* kind, const std::string& text) {
  return app.add_option(names, value, text)->type_name(kind);
}
/// The same, with the present value as default in the help.
template <class T>
CLI::Option* AddShown(CLI::App& app, const char* names, T& value, const char* kind, const std::string& text) {
  return AddValue(app, names, value, kind, text)->capture_default_str();
}
/// The same, of an option that may be repeated, with one value each time.
CLI::Option* AddRepeated(CLI::App& app, const char* names, std::vector<std::string>& values, const char* kind,
                         const std::string& text);
/// The same, of an option that accepts only these words, with the present value, if any, as default in the help.
CLI::Option* AddChoice(CLI::App& app, const char* names, std::string& value, const std::vector<std::string>& words,
                       const std::string& text);

/// Adds the hidden flag of a sub-command with which it works in this process and answers its parent process.
void AddChildFlag(CLI::App& app, bool& in_child);

/// Runs this program with that flag in a child process; see `AskChild`.
/// \param arguments  after the program's name
ChildAnswer AskThisProgram(const std::vector<std::string>& arguments, double seconds,
                           ChildTime time = ChildTime::InAll);

/// Adds the option --timeout, in seconds, of sub-commands that load libraries in a child process.
void AddTimeout(CLI::App& app, std::string& timeout);

/// A named file does not exist.
struct MissingFile {
  std::string path;
  const char* kind = "a file";  ///< what was expected there
};

/// Checks that there is a file.
/// \throws MissingFile  there is no file at `path`
void ExpectFile(const std::string& path);
/// The same for the description of a slave.
/// \throws UsageFault  `path` is the address of a slave
/// \throws MissingFile  there is no file at `path`
void ExpectSlaveDescription(const std::string& path);

/// Checks that there is a folder.
/// \throws MissingFile  there is nothing at `path`
/// \throws UsageFault  `path` is a file
void ExpectFolder(const std::string& path);

/// Checks that there are results; the journal of a run that was killed is enough.
/// \throws MissingFile  there are none at `path`
void ExpectResults(const std::string& path);

enum class InputKind { Omi, Composition };

/// The kind of a file, from its root element, else from its extension.
/// \throws MissingFile  there is no file at `path`
InputKind KindOf(const std::string& path);

}  // namespace openmi::tools
