#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <functional>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "composition/check/CheckComposition.hpp"
#include "composition/control/RunDesk.hpp"
#include "composition/isolation/IsolatedProcess.hpp"
#include "composition/link/Composition.hpp"
#include "composition/report/RunReport.hpp"
#include "composition/run/CompositionRun.hpp"
#include "composition/run/LiveSources.hpp"
#include "composition/run/Overrides.hpp"
#include "composition/run/RunCheckpoints.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Utf8.hpp"
#include "timespace/times/Iso8601.hpp"
#include "tools/AsComposition.hpp"
#include "tools/Commands.hpp"
#include "tools/ControlSocket.hpp"
#include "tools/EndWatch.hpp"
#include "tools/Inputs.hpp"
#include "tools/OutputFile.hpp"
#include "tools/PlacementOptions.hpp"
#include "tools/PrintProblems.hpp"
#include "tools/ProcessGuard.hpp"
#include "tools/ProgressPrinter.hpp"
#include "tools/Signals.hpp"
#include "tools/Terminal.hpp"

namespace openmi::tools {
namespace {

struct RunArguments {
  std::string file;
  std::string results = "results";
  bool overwrite = false;
  std::string mode;
  int threads = 0;  // 0: the value of the file
  bool no_report = false;
  bool no_results = false;
  bool quiet = false;
  bool isolate = false;
  std::optional<std::string> control;
  bool paused = false;
  std::vector<std::string> supply;
  std::string progress = "auto";
  std::string checkpoint_every;
  bool resume = false;
  bool resume_changed = false;
  std::string save_states;
  std::string pace;
  bool step_times = false;
  std::string end_wait = "10";  // s
  PlacementOptions placement;
  VariableOptions variables;
  SystemStructureOptions system;
};

volatile std::sig_atomic_t interrupted = 0;
bool was_left = false;  // a component called exit

std::string interrupt_text;  // made before the signal handler is set

// The first Ctrl-C asks the run to end between two steps; the second one ends the program.
void OnInterrupt(int signal) {
  interrupted = 1;
  if (write(STDERR_FILENO, interrupt_text.data(), interrupt_text.size()) < 0) {
    interrupted = 1;  // the line is only lost; the run ends all the same
  }
  std::signal(signal, SIG_DFL);
}

// Sets the handlers of signals that end a run in order: Ctrl-C, an end from outside, a closed terminal. The last one is
// omitted if the run was started to outlive its terminal (nohup).
void ListenToSignals(double end_wait) {
  interrupt_text = fmt::format(
      "\nthe run ends after this step, with results (the step is abandoned if it takes more than {:g} s); a second "
      "Ctrl-C or SIGTERM ends it at once\n",
      end_wait);
  std::signal(SIGINT, OnInterrupt);
  std::signal(SIGTERM, OnInterrupt);
  if (std::signal(SIGHUP, OnInterrupt) == SIG_IGN) std::signal(SIGHUP, SIG_IGN);
}

void ListenToNoSignals() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
  if (std::signal(SIGHUP, SIG_DFL) == SIG_IGN) std::signal(SIGHUP, SIG_IGN);
}

ProgressForm FormOf(const RunArguments& arguments) {
  if (arguments.progress == "json") return ProgressForm::Json;
  if (arguments.quiet) return ProgressForm::None;
  if (arguments.progress == "bar") return ProgressForm::Bar;
  if (arguments.progress == "lines") return ProgressForm::Lines;
  return IsTerminal(stderr) ? ProgressForm::Bar : ProgressForm::Lines;
}

CLI::Validator ThreadCount() {
  return CLI::Validator(
      [](const std::string& text) -> std::string {
        int count = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
        if (error == std::errc() && end == text.data() + text.size() && count >= 1 && count <= 1024) return "";
        return "expected a whole number from 1 to 1024, found '" + text + "'";
      },
      "");
}

// Replaces settings of the file by those of the command line.
void Override(CompositionFile& file, const RunArguments& arguments) {
  if (!arguments.mode.empty() && file.run) file.run->mode = *kRunModes.Find(arguments.mode);
  if (!arguments.checkpoint_every.empty()) {
    if (!file.checkpoints) file.checkpoints.emplace();
    try {
      file.checkpoints->every = ParseIsoDuration(arguments.checkpoint_every);
    } catch (const Error& error) {
      throw UsageFault{"--checkpoint-every: " + error.Problem() + "; " + error.Remedy()};
    }
    if (!(*file.checkpoints->every > Days())) {
      throw UsageFault{"--checkpoint-every: expected a span above 0, found '" + arguments.checkpoint_every + "'"};
    }
  }
  if (!arguments.pace.empty() && file.run) {
    if (!file.run->pace) file.run->pace.emplace();
    file.run->pace->factor = ParseNumber(arguments.pace, "--pace");
    if (!(file.run->pace->factor > 0.0) || !std::isfinite(file.run->pace->factor)) {
      throw UsageFault{"--pace: expected a number above 0, found '" + arguments.pace + "'"};
    }
  }
}

// Prints where a resumed run continues.
void PrintResumed(CompositionRun& run, ProgressForm form, std::FILE* json) {
  const RunRecord& record = run.Record();
  const std::string& from = record.resumed_from;
  const std::vector<OverrideInfo> fixed_values = Overrides(run.Model()).All();
  const std::string time = FormatIsoTime(record.resumed.value_or(record.reached));
  if (form == ProgressForm::Json) {
    nlohmann::ordered_json event = {{"event", "resume"}, {"time", time}, {"passes", record.passes}};
    event["checkpoint"] = record.resumed ? nlohmann::ordered_json(from) : nlohmann::ordered_json();
    for (const OverrideInfo& fixed : fixed_values) {
      event["overridden"].push_back({{"item", fixed.link->to.Text()}, {"values", fixed.row}});
    }
    PrintLine(json, JsonText(event, -1));
  } else if (form != ProgressForm::None) {
    PrintLine(
        stderr,
        PrintableText(
            record.resumed ? fmt::format("continues at {}, after {} passes, from {}", time, record.passes, from)
            : from.empty() ? fmt::format("starts at {}: there is no checkpoint to continue from", time)
                           : fmt::format("starts at {}: the only checkpoint is that of the start, {}", time, from)));
    for (const OverrideInfo& fixed : fixed_values) {
      PrintLine(stderr, PrintableText(fmt::format("{} is overridden with {}, as it was at the checkpoint",
                                                  fixed.link->to.Text(), RowText(fixed.row))));
    }
  }
}

// Says that a run that is to be resumed is complete, as a job that Slurm starts again may find it.
void PrintComplete(const std::string& id, Stamp end, ProgressForm form, std::FILE* json) {
  const std::string time = FormatIsoTime(end);
  if (form == ProgressForm::Json) {
    PrintLine(json, JsonText({{"event", "complete"}, {"composition", id}, {"reached", time}}, -1));
    std::fflush(json);
  } else if (form != ProgressForm::None) {
    PrintLine(stderr, fmt::format("the run is complete, until {}: nothing is left to do; files that arguments name are "
                                  "not compared, --overwrite in place of --resume computes again",
                                  time));
  }
}

/// An input without a link that is held at a value.
struct HeldInput {
  std::string item;
  double value = 0.0;
};

std::vector<HeldInput> Supply(Composition& composition, const std::vector<std::string>& settings, Problems& problems) {
  std::vector<HeldInput> held;
  for (const std::string& setting : settings) {
    const auto [item, value] = ParseSetting(setting, "--supply");
    if (std::ranges::find(held, item, &HeldInput::item) != held.end()) {
      throw UsageFault{fmt::format("--supply: expected one value for each input, found two for '{}'", item)};
    }
    try {
      SuppliedInput& input = composition.SupplyInput(RunDesk::Cut(item), SuppliedBetween::Previous);
      held.push_back({item, ParseNumber(value, "--supply", -std::numeric_limits<double>::infinity())});
      input.SetHeld(held.back().value);
    } catch (const Error& error) {
      AddError(problems, error.Place(), error.Problem(), error.Remedy());
    }
  }
  return held;
}

std::vector<std::string> IsolatedOf(const Composition& composition) {
  std::vector<std::string> ids;
  for (const Instance& instance : composition.Instances()) {
    if (!instance.IsThere()) continue;
    if (dynamic_cast<const IUpdatesApart*>(&instance.Component()) != nullptr) ids.push_back(instance.Id());
  }
  return ids;
}

int Execute(const RunArguments& arguments, const std::string& command_line) {
  const double end_wait = ParseNumber(arguments.end_wait, "--end-wait");
  if (!(end_wait <= 1e6))
    throw UsageFault{"--end-wait: expected at most 1e6 seconds, found '" + arguments.end_wait + "'"};
  if (arguments.paused && !arguments.control) {
    throw UsageFault{"expected --control with --paused, found none: nothing could make the run go on"};
  }
  ExpectFile(arguments.file);
  Problems imported;
  const AsComposition system(arguments.file, arguments.system, imported);
  if (system.IsUnfit()) {
    PrintProblems(stderr, imported);
    PrintLine(stderr, CountText(imported));
    return kProblemsFound;
  }
  const ProgressForm form = FormOf(arguments);
  const bool is_json = form == ProgressForm::Json;
  // Text printed by libraries must not come between JSON objects: it goes to standard error.
  std::FILE* json = is_json ? fdopen(dup(STDOUT_FILENO), "w") : stdout;
  if (json == nullptr) throw CannotWrite{"expected standard output to be open, found it closed"};
  if (is_json) dup2(STDERR_FILENO, STDOUT_FILENO);

  InstallCrashNote();
  const ProcessGuard guard;
  Problems problems;
  problems = std::move(imported);
  CompositionFile file = system.File(problems);
  for (ComponentSpec& component : file.components) {
    if (arguments.isolate && component.apart.isolation == Isolation::None) {
      component.apart.isolation = Isolation::Process;
    }
  }
  Override(file, arguments);
  Composition composition(std::move(file), arguments.variables.Values());
  composition.SetResultsFolder(arguments.results);
  composition.SetPlacement(arguments.placement.Value());
  if (arguments.resume || arguments.resume_changed) ExpectResume(composition, arguments.results);
  composition.Load(problems);
  NameIsolated(IsolatedOf(composition));
  composition.Connect(problems);
  const std::vector<HeldInput> held = Supply(composition, arguments.supply, problems);
  CheckComposition(composition, problems);
  const Problems unused = arguments.variables.Unused(arguments.file);
  problems.insert(problems.end(), unused.begin(), unused.end());
  if (!composition.File().run && !HasErrors(problems)) {
    AddError(problems, {.file = arguments.file}, "expected a Run element, found none",
             "add <Run From=\"...\" To=\"...\"/>");
  }
  if (is_json) {
    PrintLine(json, JsonText({{"event", "check"}, {"problems", ToJson(problems)}}, -1));
  } else if (!arguments.quiet || HasErrors(problems)) {
    PrintProblems(stderr, problems);
    if (!problems.empty()) PrintLine(stderr, CountText(problems));
  }
  if (HasErrors(problems)) {
    std::fflush(json);
    return composition.HasLostWorker() ? kModelFailed : kProblemsFound;
  }

  RunOptions options;
  options.folder = arguments.results;
  options.overwrite = arguments.overwrite;
  options.write_results = !arguments.no_results;
  if (!arguments.no_report) options.write_report = WriteRunReport;
  if (arguments.threads > 0) options.threads = static_cast<std::size_t>(arguments.threads);
  options.command = command_line;
  options.resume = arguments.resume || arguments.resume_changed;
  options.resume_changed = arguments.resume_changed;
  options.save_states = arguments.save_states;
  options.step_times = arguments.step_times;
  if (const auto end = options.resume ? CompleteSince(composition, options) : std::nullopt) {
    PrintComplete(composition.File().id, *end, form, json);
    return kSuccess;
  }
  ProgressPrinter printer(composition.File().id, form, json);
  options.progress = [&](const RunProgress& progress) { printer.Show(progress); };
  options.is_interrupted = [] { return interrupted != 0; };
  const std::size_t checked = problems.size();
  interrupted = 0;
  ListenToSignals(end_wait);
  RunRecord record;
  try {
    CompositionRun run(composition, problems, options);
    std::unique_ptr<ControlSocket> socket;
    if (arguments.control) socket = std::make_unique<ControlSocket>(run, *arguments.control);
    if (arguments.paused) run.Pause();
    const auto supply = [&](Stamp since) {
      for (const auto& [item, value] : held) {
        const std::vector<double> row(composition.FindSupplied(item)->ElementCount(), value);
        run.Supply(item, since, Days(), row);
      }
    };
    supply(*composition.File().run->from);
    const LiveSources sources(composition, [&printer](const std::string& id, const std::string& sentence) {
      printer.ShowWait(id, sentence);
      if (interrupted != 0) throw ModelError({.component = id}, "interrupted while " + sentence);
    });
    printer.SetAside([&sources] { return sources.Text(); });
    printer.SetGroups([&composition] { return StatesOfGroups(composition); });
    {
      const EndWatch watch(
          run, [] { return interrupted != 0; }, std::chrono::duration<double>(end_wait));
      run.Begin();
      if (options.resume_changed && run.Record().resumed) supply(*run.Record().resumed);  // the checkpoint has others
      if (options.resume && run.State() != RunState::Over) PrintResumed(run, form, json);
      while (run.Advance(CompositionRun::kManyPasses)) {
      }
    }
    socket.reset();
    const std::string sources_at_end = sources.Text();
    printer.SetAside({});
    record = run.End();
    printer.End();
    if (!is_json && !arguments.quiet && !sources_at_end.empty()) PrintLine(stdout, sources_at_end);
  } catch (const FileError& error) {
    printer.End();
    PrintLine(stderr, Painted(PrintableText(error.what()), Colour::Red, stderr));
    return kCannotWrite;
  }
  ListenToNoSignals();
  printer.End();

  const Problems during(record.problems.begin() + static_cast<std::ptrdiff_t>(checked), record.problems.end());
  if (is_json) {
    PrintLine(json, JsonText(RunToJson(composition, record, ToJson(during)), -1));
  } else {
    PrintProblems(stderr, during);
    if (!arguments.quiet) PrintRun(stdout, composition, record);
  }
  if (std::fflush(json) != 0)
    throw CannotWrite{"expected a standard output that takes the text, found it closed or full"};
  was_left =
      std::ranges::any_of(composition.Instances(), [](const Instance& one) { return one.conduct->has_left.load(); });
  if (interrupted != 0 && !record.is_complete) return kInterrupted;
  if (!record.is_complete || HasErrors(during)) return kModelFailed;
  return kSuccess;
}

}  // namespace

void AddRun(CLI::App& app, Invocation& invocation) {
  auto arguments = std::make_shared<RunArguments>();
  CLI::App* run = app.add_subcommand("run", "Check and run a composition; write its results and an HTML report");
  run->add_option("FILE", arguments->file, "Composition")->required();
  AddShown(*run, "--results", arguments->results, "DIR", "Folder for results and report");
  run->add_flag("--overwrite", arguments->overwrite, "Replace the results of an earlier run");
  AddChoice(*run, "--mode", arguments->mode, kRunModes.List(),
            "pull: update the triggers, which ask their providers; step: always update the component that is furthest "
            "behind (default: as in the file)");
  AddValue(
      *run, "--threads", arguments->threads, "N",
      "Number of threads that update components at the same time; the results stay the same (default: as in the file)")
      ->check(ThreadCount());
  run->add_flag("--no-report", arguments->no_report, "Write no HTML report");
  run->add_flag("--no-results", arguments->no_results, "Write no CSV and NetCDF");
  run->add_flag("--isolate", arguments->isolate,
                "Run the components of each library in a process of their own, so that a crash does not end the run");
  run->add_option_function<std::string>(
         "--control", [arguments](const std::string& at) { arguments->control = at; },
         "Accept requests of openmi control: at a socket of this user, at the socket PATH, or at tcp:PORT")
      ->expected(0, 1)
      ->type_name("[PATH|tcp:PORT]");
  run->add_flag("--paused", arguments->paused,
                "Wait for 'openmi control resume' or 'step' before the first step; with --control");
  AddRepeated(
      *run, "--supply", arguments->supply, "ITEM=VALUE",
      "Hold an input without a link at a value, in its unit, until openmi control override sets another one; may "
      "be repeated");
  run->add_flag("--quiet", arguments->quiet, "Print problems only");
  AddValue(*run, "--checkpoint-every", arguments->checkpoint_every, "SPAN",
           "Save the state of the run each time this span of simulated time has passed, for --resume");
  run->add_flag(
      "--resume", arguments->resume,
      "Continue from the newest valid checkpoint in the results folder; without one, begin at the start of the run");
  run->add_flag("--resume-changed", arguments->resume_changed,
                "As --resume, even if the composition, an argument or a library has changed since the checkpoint");
  AddValue(*run, "--save-states", arguments->save_states, "DIR",
           "Folder for the final states of the components, one file for each component, for InitialState");
  AddValue(*run, "--pace", arguments->pace, "FACTOR",
           "Simulated seconds per second of the clock (default: as fast as possible)");
  AddShown(*run, "--end-wait", arguments->end_wait, "SECONDS",
           "Time that a step may still take after a request to end the run (Ctrl-C, SIGTERM, 'openmi control end'); "
           "then its component is abandoned");
  run->add_flag("--step-times", arguments->step_times,
                "Measure how long the steps of each component take; print and report the median, the 99th percentile "
                "and the longest");
  AddChoice(*run, "--progress", arguments->progress, {"auto", "bar", "lines", "json"},
            "bar: one line that is redrawn; lines: a line every 10 %; json: a JSON object on each line of standard "
            "output; auto: bar on a terminal, else lines");
  arguments->placement.AddTo(*run);
  arguments->variables.AddTo(*run);
  arguments->system.AddTo(*run);
  run->footer(
      "Examples:\n"
      "  openmi run upper-creek.xml\n"
      "  openmi run basin.xml --data ~/data --results out --overwrite\n"
      "  openmi run upper-creek.xml --checkpoint-every P1D\n"
      "  openmi run upper-creek.xml --checkpoint-every P1D --resume\n"
      "  openmi run upper-creek.xml --control --supply creek.inflow=12.5\n"
      "  openmi run basin.xml --place lowland=node2 --listen 192.168.1.5\n"
      "  openmi run upper-creek.xml --progress json | jq .fraction");
  run->callback([arguments, &invocation] {
    invocation.execute = [arguments, &invocation] {
      const int code = Execute(*arguments, invocation.command_line);
      if (was_left) ProcessGuard::End(code);
      return code;
    };
  });
}

}  // namespace openmi::tools
