#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <fstream>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "bmi-bridge/component/BmiComponent.hpp"
#include "composition/embed/EmbeddedRun.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Lists.hpp"
#include "openmi/sdk/Suggest.hpp"
#include "openmi/sdk/Utf8.hpp"
#include "timespace/times/Iso8601.hpp"
#include "tools/BmiModel.hpp"
#include "tools/Commands.hpp"
#include "tools/Inputs.hpp"
#include "tools/OutputFile.hpp"
#include "tools/PrintProblems.hpp"
#include "tools/Terminal.hpp"

namespace openmi::tools {
namespace {

constexpr const char* kId = "model";

struct BmiRunArguments {
  BmiModelOptions model;
  std::string begin;
  std::optional<double> stop;
  std::string input;
  std::string output;
  std::vector<std::string> variables;
  bool quiet = false;
};

/// The rows of a CSV file: a column `time` and one for each input.
struct InputTable {
  std::vector<std::string> names;         // without the time
  std::vector<double> times;              // in the unit of the model
  std::vector<std::vector<double>> rows;  // shape [times][names]
};

std::vector<std::string_view> CellsOf(std::string_view line) {
  std::vector<std::string_view> cells;
  for (std::size_t begin = 0;;) {
    const std::size_t end = std::min(line.find(',', begin), line.size());
    cells.push_back(Trimmed(line.substr(begin, end - begin)));
    if (end == line.size()) return cells;
    begin = end + 1;
  }
}

/// \throws FormatError  the file is no such table
InputTable ReadInputs(const std::string& path) {
  ExpectFile(path);
  std::ifstream file(path);
  InputTable table;
  int number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    if (Trimmed(line).empty()) continue;
    const std::vector<std::string_view> cells = CellsOf(line);
    const auto refuse = [&](const std::string& problem) {
      throw FormatError({.file = path, .line = number}, problem, "write rows as in 'time,rain' and '3600,0.2'");
    };
    if (table.names.empty()) {
      if (cells.front() != "time" || cells.size() < 2) refuse("expected the columns 'time' and inputs, found others");
      table.names.assign(cells.begin() + 1, cells.end());
      continue;
    }
    if (cells.size() != table.names.size() + 1) {
      refuse(fmt::format("expected {} cells, found {}", table.names.size() + 1, cells.size()));
    }
    std::vector<double> numbers;
    for (const std::string_view cell : cells) {
      const auto value = AsNumber<double>(cell);
      if (!value) refuse(fmt::format("expected a number, found '{}'", cell));
      numbers.push_back(*value);
    }
    if (!table.times.empty() && !(numbers.front() > table.times.back())) {
      refuse(fmt::format("expected a time after {}, found {}", table.times.back(), numbers.front()));
    }
    table.times.push_back(numbers.front());
    table.rows.emplace_back(numbers.begin() + 1, numbers.end());
  }
  if (table.rows.empty()) throw FormatError({.file = path}, "expected rows of numbers, found none");
  return table;
}

/// Writes a row for each time at which an output has values.
class Table {
 public:
  explicit Table(std::FILE* stream) : stream_(stream) {}
  void Add(const std::string& name, std::size_t count) {
    places_[name] = {row_.size(), count};
    row_.resize(row_.size() + count, std::nan(""));
    for (std::size_t i = 0; i < count; ++i) head_ += count == 1 ? "," + name : fmt::format(",{}[{}]", name, i);
  }
  void Begin() { Print("time" + head_ + "\n"); }
  void Set(const std::string& name, double time, std::span<const double> values) {
    if (time_ && *time_ != time) End();
    time_ = time;
    std::ranges::copy(values.first(std::min(values.size(), places_[name].second)),
                      row_.begin() + static_cast<std::ptrdiff_t>(places_[name].first));
  }
  /// Writes the last row.
  void End() {
    if (!time_) return;
    std::string line = fmt::format("{}", *time_);
    for (const double value : row_) line += std::isnan(value) ? "," : fmt::format(",{}", value);
    Print(line + "\n");
    std::ranges::fill(row_, std::nan(""));
    time_.reset();
  }

 private:
  void Print(const std::string& text) {
    if (stream_ != nullptr && std::fwrite(text.data(), 1, text.size(), stream_) != text.size()) {
      throw CannotWrite{"expected an output that takes the values, found it closed or full"};
    }
  }
  std::FILE* stream_;
  std::string head_;
  std::map<std::string, std::pair<std::size_t, std::size_t>> places_;
  std::vector<double> row_;
  std::optional<double> time_;
};

bmi::ModelFacts FactsOf(const BmiModelOptions& model) {
  bmi::BmiComponent component;
  model.ApplyTo(component);
  component.Initialize();
  bmi::ModelFacts facts = component.Facts();
  component.Finish();
  return facts;
}

CompositionFile Alone(const BmiRunArguments& arguments, Stamp begin, Stamp end) {
  const OmiFile omi = arguments.model.Omi();
  CompositionFile file;
  file.path = omi.path;
  file.id = "bmi-run";
  ComponentSpec component;
  component.id = kId;
  component.type = omi.type;
  component.assembly = omi.assembly;
  for (const OmiArgument& one : omi.arguments) component.arguments.push_back({.key = one.key, .value = one.value});
  file.components.push_back(component);
  file.run.emplace();
  file.run->from = begin;
  file.run->to = end;
  return file;
}

volatile std::sig_atomic_t interrupted = 0;

int Execute(const BmiRunArguments& arguments) {
  const bmi::ModelFacts facts = FactsOf(arguments.model);
  const std::optional<double> stop = arguments.stop ? arguments.stop : facts.end;
  if (!stop) {
    throw UsageFault{"expected a model with an end, found one without; write --stop-time, in the unit of its time (" +
                     facts.time_units + ")"};
  }
  if (!(*stop > facts.now)) {
    throw UsageFault{fmt::format("--stop-time: expected a time after {}, found {}", facts.now, *stop)};
  }
  const Stamp begin = !arguments.begin.empty() ? ParseIsoTime(arguments.begin, 0.0)
                      : facts.epoch_now_mjd    ? Stamp{*facts.epoch_now_mjd}
                                               : ParseIsoTime("2000-01-01T00:00Z", 0.0);
  const auto stamp_of = [&](double time) { return begin + Seconds((time - facts.now) * facts.seconds_per_unit); };
  const auto time_of = [&](Stamp stamp) {
    return facts.now + std::round(ToSeconds(stamp - begin) * 1e6) / 1e6 / facts.seconds_per_unit;
  };
  std::optional<InputTable> inputs;
  if (!arguments.input.empty()) inputs = ReadInputs(arguments.input);
  EmbeddedRun run(Alone(arguments, begin, stamp_of(*stop)));
  if (inputs) {
    for (const std::string& name : inputs->names) {
      run.SupplyInput(fmt::format("{}.{}", kId, name), SuppliedBetween::Previous);
    }
  }
  try {
    run.Load();
  } catch (const FormatError&) {
    PrintProblems(stderr, run.AllProblems());
    return kProblemsFound;
  }
  if (!arguments.quiet) PrintProblems(stderr, run.AllProblems());

  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(nullptr, std::fclose);
  const bool to_standard = arguments.output.empty() || arguments.output == "-";
  if (!to_standard) {
    file.reset(std::fopen(arguments.output.c_str(), "wb"));
    if (!file) throw CannotWrite{arguments.output + ": expected a file that can be written, found none"};
  }
  Table table(to_standard ? stdout : file.get());
  std::vector<std::string> known;
  for (const bmi::VariableFacts& fact : facts.variables) {
    if (fact.is_output && fact.variable.kind) known.push_back(fact.variable.name);
  }
  for (const std::string& name : arguments.variables.empty() ? known : arguments.variables) {
    if (std::ranges::find(known, name) == known.end()) {
      throw UsageFault{
          fmt::format("--variable: expected an output of the model, found '{}'; {}", name, Suggest(name, known))};
    }
    const std::string item = fmt::format("{}.{}", kId, name);
    table.Add(name, run.Desk().ElementCount(item));
    run.Observe(item, [&table, name, time_of](Stamp from, Days duration, std::span<const double> row) {
      table.Set(name, time_of(from + duration), row);
    });
  }
  for (std::size_t i = 0; inputs && i < inputs->names.size(); ++i) {
    for (std::size_t row = 0; row < inputs->times.size(); ++row) {
      const std::vector<double> values(run.Desk().ElementCount(fmt::format("{}.{}", kId, inputs->names[i])),
                                       inputs->rows[row][i]);
      run.Run().Supply(fmt::format("{}.{}", kId, inputs->names[i]), stamp_of(inputs->times[row]), Days(), values);
    }
  }
  table.Begin();
  interrupted = 0;
  std::signal(SIGINT, [](int) { interrupted = 1; });
  try {
    run.Begin();
    while (interrupted == 0 && run.Step(64)) {
    }
  } catch (const FormatError&) {
    PrintProblems(stderr, run.AllProblems());
    return kModelFailed;
  } catch (const ModelError& error) {
    table.End();
    PrintLine(stderr, PrintableText(error.what()));
    return kModelFailed;
  }
  std::signal(SIGINT, SIG_DFL);
  table.End();
  run.EndIfBegun();
  if (std::fflush(to_standard ? stdout : file.get()) != 0) {
    throw CannotWrite{"expected an output that takes the values, found it full"};
  }
  return interrupted != 0 ? kInterrupted : kSuccess;
}

}  // namespace

void AddBmiRun(CLI::App& bmi, Invocation& invocation) {
  auto arguments = std::make_shared<BmiRunArguments>();
  CLI::App* run = bmi.add_subcommand("run", "Run one BMI model alone");
  arguments->model.AddTo(*run);
  AddValue(*run, "--start-time", arguments->begin, "TIME",
           "Start of the run, ISO 8601 (default: by the model's epoch, else 2000-01-01)");
  AddValue(*run, "--stop-time", arguments->stop, "TIME",
           "End of the run, in the unit of the model's time (default: the end of the model)");
  AddValue(*run, "--input", arguments->input, "FILE",
           "CSV with a column 'time', in the model's unit, and one for each input; a row holds until the next one");
  AddValue(*run, "-o,--output,--output-file", arguments->output, "OUT",
           "CSV file for the values (default: standard output)");
  AddRepeated(*run, "--variable", arguments->variables, "NAME",
              "Variable to write; may be repeated (default: all outputs)");
  run->add_flag("--quiet", arguments->quiet, "Print no warnings and notes");
  run->footer(
      "Times in the table are in the unit of the model's time.\n\n"
      "Examples:\n"
      "  openmi bmi run libcfebmi.so --config cat-27.txt --stop-time 864000 -o cat-27.csv\n"
      "  openmi bmi run libtopmodelbmi.so --config topmod.run --set szm=0.02 --variable Qout");
  run->callback([arguments, &invocation] {
    invocation.execute = [arguments] { return CallModel([&] { return Execute(*arguments); }); };
  });
}

}  // namespace openmi::tools
