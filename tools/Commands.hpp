#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>

namespace openmi::tools {

/// The exit codes of the command; `openmi --help` prints them.
enum ExitCode : int {
  kSuccess = 0,
  kInternalError = 1,  ///< an unexpected fault of the program
  kUsage = 2,          ///< an unknown sub-command or option, or a value that an option does not accept
  kMissingFile = 3,    ///< a named file does not exist
  kBadInput = 4,       ///< a file exists but has the wrong content
  kProblemsFound = 5,  ///< the check found problems
  kModelFailed = 6,    ///< a component failed, a host was lost, or the run did not reach its end
  kCannotWrite = 7,    ///< results, a report or a drawing could not be written, or earlier ones are in the way
  kDifferences = 8,    ///< `compare` found differences
  kInterrupted = 130   ///< Ctrl-C; the results until then are kept
};

/// The action that the parsed command line asks for.
struct Invocation {
  std::string command_line;      ///< as the user typed it, for the history in the results
  std::function<int()> execute;  ///< runs it and returns an ExitCode; may throw Error
};

// Each function adds one sub-command to `app`. If the command line names it, `invocation.execute` runs it. Each
// sub-command has a source file.
void AddRun(CLI::App& app, Invocation& invocation);
void AddCheck(CLI::App& app, Invocation& invocation);
void AddDescribe(CLI::App& app, Invocation& invocation);
void AddAdaptors(CLI::App& app, Invocation& invocation);
void AddGraph(CLI::App& app, Invocation& invocation);
void AddPlot(CLI::App& app, Invocation& invocation);
void AddCompare(CLI::App& app, Invocation& invocation);
void AddControl(CLI::App& app, Invocation& invocation);
void AddWorker(CLI::App& app, Invocation& invocation);
void AddNew(CLI::App& app, Invocation& invocation);
void AddImport(CLI::App& app, Invocation& invocation);
/// Sub-command of `import`.
void AddImportNgen(CLI::App& import, Invocation& invocation);
/// Sub-commands of `new` that write compositions.
void AddNewComposition(CLI::App& group, Invocation& invocation);
void AddNewFmuComposition(CLI::App& group, Invocation& invocation);
/// Sub-commands of `fmu`.
void AddFmuInfo(CLI::App& fmu, Invocation& invocation);
void AddFmuCheck(CLI::App& fmu, Invocation& invocation);
void AddFmuRun(CLI::App& fmu, Invocation& invocation);
void AddFmuExport(CLI::App& fmu, Invocation& invocation);
/// The noun `ssp`, and its sub-commands that no other noun has.
void AddSsp(CLI::App& app, Invocation& invocation);
void AddSspInfo(CLI::App& ssp, Invocation& invocation);
void AddSspExport(CLI::App& ssp, Invocation& invocation);
/// Sub-commands of `bmi`.
void AddBmiInfo(CLI::App& bmi, Invocation& invocation);
void AddBmiCheck(CLI::App& bmi, Invocation& invocation);
void AddBmiRun(CLI::App& bmi, Invocation& invocation);
/// Sub-commands of `dcp`.
void AddDcpInfo(CLI::App& dcp, Invocation& invocation);
void AddDcpCheck(CLI::App& dcp, Invocation& invocation);
void AddDcpPing(CLI::App& dcp, Invocation& invocation);
void AddDcpMonitor(CLI::App& dcp, Invocation& invocation);
void AddDcpServe(CLI::App& dcp, Invocation& invocation);
/// Sub-commands of `study`.
void AddStudyCheck(CLI::App& study, Invocation& invocation);
void AddStudyShow(CLI::App& study, Invocation& invocation);
void AddStudyRun(CLI::App& study, Invocation& invocation);
void AddStudyStatus(CLI::App& study, Invocation& invocation);
void AddStudyResume(CLI::App& study, Invocation& invocation);
void AddStudyRetry(CLI::App& study, Invocation& invocation);
/// Sub-commands of `broker`.
void AddBrokerRecord(CLI::App& broker, Invocation& invocation);
void AddBrokerPlay(CLI::App& broker, Invocation& invocation);
/// Sub-commands of `osmp`.
void AddOsmpInfo(CLI::App& osmp, Invocation& invocation);
void AddOsmpTrace(CLI::App& osmp, Invocation& invocation);
void AddOsmpSchema(CLI::App& osmp, Invocation& invocation);
/// Adds the hidden sub-commands that generate shell completions, the manual page and docs/command.md from `app`.
void AddManual(CLI::App& app, Invocation& invocation);

}  // namespace openmi::tools
