#include <fmt/format.h>

#include <atomic>
#include <cmath>
#include <csignal>
#include <memory>
#include <nlohmann/json.hpp>

#include "composition/check/ChildAnswer.hpp"
#include "composition/report/ReportNumbers.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Lists.hpp"
#include "openmi/sdk/Utf8.hpp"
#include "study/StudyResults.hpp"
#include "study/results/StudyTable.hpp"
#include "study/run/CheckStudy.hpp"
#include "study/run/StudyRun.hpp"
#include "timespace/times/Iso8601.hpp"
#include "tools/Commands.hpp"
#include "tools/PrintProblems.hpp"
#include "tools/Signals.hpp"
#include "tools/StudyHostOptions.hpp"
#include "tools/StudyInputs.hpp"
#include "tools/Terminal.hpp"

namespace openmi::tools {
namespace {

struct RunArguments {
  StudyArguments study;
  int workers = 0;
  std::string budget;
  bool overwrite = false;
  bool resume = false;
  bool retry = false;
  bool csv = false;
  bool no_report = false;
  bool no_check = false;
  bool quiet = false;
  std::string progress = "auto";
  StudyHostOptions hosts;
};

/// Ends a study in order: no further member starts.
struct Stopper {
  void Stop() { is_stopped = true; }
  std::atomic<bool> is_stopped = false;
};

/// "storage  1203 of 10000  [####....]  12 %  3 failed  best 0.0712 (881)  4 min left".
std::string LineOf(const std::string& title, const StudyProgress& progress, bool with_bar) {
  const double share =
      progress.members > 0 ? static_cast<double>(progress.done) / static_cast<double>(progress.members) : 1.0;
  std::string line = fmt::format("{}  {} of {}", title, progress.done, progress.members);
  if (with_bar) {
    constexpr std::size_t kCells = 20;
    const auto full = static_cast<std::size_t>(share * static_cast<double>(kCells));
    line += "  [" + std::string(full, '#') + std::string(kCells - full, '.') + "]";
  }
  line += fmt::format("  {:3.0f} %", std::floor(share * 100.0));
  if (progress.failed > 0) line += fmt::format("  {} failed", progress.failed);
  if (progress.best) line += fmt::format("  best {:.4g} ({})", progress.best_cost, *progress.best + 1);
  const double left = progress.SecondsLeft();
  if (progress.done < progress.members && std::isfinite(left)) line += "  " + FormatSeconds(left) + " left";
  return line;
}

/// Prints how far a study is.
class ProgressLine {
 public:
  ProgressLine(std::string title, const std::string& form, bool is_quiet) : title_(std::move(title)) {
    is_json_ = form == "json";
    is_bar_ = !is_quiet && (form == "bar" || (form == "auto" && IsTerminal(stderr)));
    is_lines_ = !is_quiet && !is_json_ && !is_bar_;
  }
  void Show(const StudyProgress& progress) {
    if (is_json_) {
      nlohmann::ordered_json event = {
          {"event", "progress"}, {"members", progress.members}, {"done", progress.done}, {"failed", progress.failed}};
      if (progress.best) event["best"] = {{"member", *progress.best + 1}, {"cost", progress.best_cost}};
      const double left = progress.SecondsLeft();
      if (std::isfinite(left)) event["seconds-left"] = left;
      PrintLine(stdout, JsonText(event, -1));
      std::fflush(stdout);
    } else if (is_bar_) {
      std::string line = LineOf(title_, progress, true);
      std::fputs(("\r" + line + "\x1b[K").c_str(), stderr);
      std::fflush(stderr);
      is_open_ = true;
    } else if (is_lines_) {
      const auto tenth = progress.members > 0 ? progress.done * 10 / progress.members : 10;
      if (tenth == reported_) return;
      reported_ = tenth;
      PrintLine(stderr, LineOf(title_, progress, false));
    }
  }
  /// A line of its own.
  void Say(const std::string& text) {
    End();
    PrintLine(stderr, Painted(PrintableText(text), Colour::Yellow, stderr));
  }
  void End() {
    if (is_open_) std::fputs("\n", stderr);
    is_open_ = false;
  }

 private:
  std::string title_;
  bool is_json_ = false;
  bool is_bar_ = false;
  bool is_lines_ = false;
  bool is_open_ = false;
  std::uint64_t reported_ = ~std::uint64_t{0};
};

void PrintOutcome(const Study& study, const StudyJournalReader& journal,
                  const std::vector<std::filesystem::path>& files) {
  const StudyTable table(study, journal);
  std::string text = fmt::format("{} of {} members done", table.CountOf(MemberEnd::Done), study.Count());
  for (const MemberEnd end :
       {MemberEnd::Refused, MemberEnd::Failed, MemberEnd::NoNumber, MemberEnd::Died, MemberEnd::Late}) {
    if (const std::size_t count = table.CountOf(end); count > 0)
      text += fmt::format(", {} {}", count, kMemberEnds.NameOf(end));
  }
  if (const std::size_t count = table.NotRun(); count > 0) text += fmt::format(", {} not run", count);
  PrintLine(stdout, text);
  int shown = 0;
  for (const MemberRow& row : table.Rows()) {
    if (!row.end || row.IsDone()) continue;
    if (++shown > 10) {
      PrintLine(stdout, fmt::format("  further failures: see {}", files.front().string()));
      break;
    }
    PrintLine(stdout, fmt::format("  member {} {}: {}", row.member + 1, kMemberEnds.NameOf(*row.end), row.problem));
  }
  if (const MemberRow* best = table.Best()) {
    std::string line = fmt::format("best member {}: cost {:.5g}", best->member + 1, best->cost);
    for (std::size_t k = 0; k < best->values.size(); ++k)
      line += fmt::format(", {} = {}", study.File().varies[k].id, best->values[k]);
    PrintLine(stdout, line);
    for (std::size_t i = 0; i < best->objectives.size(); ++i) {
      line = fmt::format("  {}: {:.4f}", study.File().objectives[i].id, best->objectives[i]);
      if (std::isfinite(best->persistence[i])) line += fmt::format(" (persistence {:.4f})", best->persistence[i]);
      PrintLine(stdout, line);
    }
  }
  for (const std::filesystem::path& file : files) PrintLine(stdout, "  " + file.string());
}

/// Sets what --budget gives: a number of members, or a wall-clock time.
void SetBudget(Study& study, const std::string& text) {
  if (!study.IsSearch()) throw UsageFault{"expected a study with a Calibrate for --budget, found one with a Design"};
  if (const auto members = AsNumber<std::uint64_t>(text); members && *members >= 1 && *members <= kMostMembers) {
    return study.SetBudget(*members);
  }
  try {
    if (const Days time = ParseIsoDuration(text); time > Days()) return study.SetTime(ToSeconds(time));
  } catch (const Error&) {  // neither of both: said below
  }
  throw UsageFault{
      fmt::format("expected a number of members from 1 to {}, or a time such as PT30M, for --budget, found '{}'",
                  kMostMembers, text)};
}

int Execute(const RunArguments& arguments, const std::string& command_line) {
  Problems problems;
  StudyPlaces places = arguments.hosts.Value(arguments.workers);
  const int workers = places.hosts.empty() ? arguments.workers : static_cast<int>(places.hosts.size());
  const auto study = ReadStudy(arguments.study, problems);
  if (study && !HasErrors(problems) && !arguments.budget.empty()) SetBudget(*study, arguments.budget);
  if (study && !arguments.resume && !arguments.no_check)
    CheckStudy(*study, arguments.study.results, workers, false, problems);
  if (!arguments.quiet || HasErrors(problems)) {
    PrintProblems(stderr, problems);
    if (!problems.empty()) PrintLine(stderr, CountText(problems));
  }
  if (!study || HasErrors(problems)) return kProblemsFound;
  if (study->IsAsked()) {
    throw UsageFault{
        "expected a study whose members are known, found Method=\"program\", whose members a program asks for; run it "
        "from Python with openmi.Study(...).start()"};
  }
  Stopper stopper;
  const std::filesystem::path journal = StudyQueue::JournalIn(arguments.study.results, study->File());
  bool is_complete = false;
  std::size_t failed = 0;
  try {
    if (arguments.resume) {
      ExpectFile(journal.string());
    }
    if (arguments.retry && study->IsSearch()) {
      throw UsageFault{
          "expected a study with a Design for retry, found a calibration, whose failed members are part of the search; "
          "start again with openmi study run --overwrite"};
    }
    ProgressLine line(study->File().id, arguments.progress, arguments.quiet);
    const Interrupt interrupt(stopper);
    StudyQueue queue(*study,
                     {.folder = arguments.study.results,
                      .overwrite = arguments.overwrite,
                      .resume = arguments.resume,
                      .retry = arguments.retry},
                     static_cast<std::size_t>(WorkerCount(study->File(), workers)));
    is_complete = StudyRun(queue, std::move(places))
                      .Run({.progress = [&line](const StudyProgress& progress) { line.Show(progress); },
                            .is_interrupted = [&stopper] { return stopper.is_stopped.load(); },
                            .lost = [&line](const std::string& reason) { line.Say(reason); }});
    queue.Finish();
    failed = queue.Progress().failed;
    line.End();
  } catch (const FileError& error) {
    PrintLine(stderr, Painted(error.what(), Colour::Red, stderr));
    return kCannotWrite;
  }
  if (stopper.is_stopped && !is_complete) {
    PrintLine(stderr, fmt::format("interrupted; openmi study resume {} --results {} continues", arguments.study.file,
                                  arguments.study.results));
    return kInterrupted;
  }
  const StudyJournalReader reader(journal);
  const auto files =
      WriteStudyResults(*study, reader, arguments.study.results,
                        {.with_csv = arguments.csv, .with_report = !arguments.no_report, .command = command_line});
  if (!arguments.quiet && arguments.progress != "json") PrintOutcome(*study, reader, files);
  return failed > 0 ? kModelFailed : kSuccess;
}

void AddRunOptions(CLI::App& app, const std::shared_ptr<RunArguments>& arguments) {
  arguments->study.AddTo(app);
  AddWorkers(
      app, arguments->workers,
      "Number of processes that compute members; the results stay the same (default: as in the file, else one for "
      "each core)");
  arguments->hosts.AddTo(app);
  app.add_flag("--csv", arguments->csv, "Write the rows of all members as CSV, too");
  app.add_flag("--no-report", arguments->no_report, "Write no HTML report");
  app.add_flag("--quiet", arguments->quiet, "Print problems only");
  AddChoice(app, "--progress", arguments->progress, {"auto", "bar", "lines", "json"},
            "How to show progress; json: one object a line on standard output");
}

void SetAction(CLI::App& app, const std::shared_ptr<RunArguments>& arguments, Invocation& invocation) {
  app.callback([arguments, &invocation] {
    invocation.execute = [arguments, &invocation] { return Execute(*arguments, invocation.command_line); };
  });
}

}  // namespace

void AddStudyRun(CLI::App& study, Invocation& invocation) {
  auto arguments = std::make_shared<RunArguments>();
  CLI::App* run = study.add_subcommand("run", "Check a study and run its members; write results and an HTML report");
  AddRunOptions(*run, arguments);
  run->add_flag("--overwrite", arguments->overwrite, "Replace the journal and the results of an earlier run");
  run->add_flag("--no-check", arguments->no_check, "Do not check the composition first");
  AddValue(*run, "--budget", arguments->budget, "N|TIME",
           "Number of members of a calibration, or its longest wall-clock time, as in PT30M (default: as in the file)");
  run->footer(
      "Examples:\n  openmi study run storage.xml --results out\n  openmi study run fit.xml --budget 1000 --workers 4");
  SetAction(*run, arguments, invocation);
}

void AddStudyResume(CLI::App& study, Invocation& invocation) {
  auto arguments = std::make_shared<RunArguments>();
  arguments->resume = true;
  CLI::App* resume =
      study.add_subcommand("resume", "Continue a study that was interrupted or killed; each member still counts once");
  AddRunOptions(*resume, arguments);
  AddValue(*resume, "--budget", arguments->budget, "N|TIME",
           "The number of members with which the calibration was started (default: as in the journal), or the longest "
           "wall-clock time from now on, as in PT30M");
  resume->footer("Examples:\n  openmi study resume storage.xml --results out");
  SetAction(*resume, arguments, invocation);
}

void AddStudyRetry(CLI::App& study, Invocation& invocation) {
  auto arguments = std::make_shared<RunArguments>();
  arguments->resume = true;
  arguments->retry = true;
  CLI::App* retry =
      study.add_subcommand("retry", "Run the failed members of a study again, and those that have not run");
  AddRunOptions(*retry, arguments);
  retry->footer("Examples:\n  openmi study retry storage.xml --results out");
  SetAction(*retry, arguments, invocation);
}

}  // namespace openmi::tools
