// Each folder beside this file is one composition with its reference; README.md says what stands in it.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "composition/check/CheckComposition.hpp"
#include "composition/link/Composition.hpp"
#include "composition/model/CompositionFile.hpp"
#include "composition/run/CompositionRun.hpp"
#include "openmi/sdk/Error.hpp"
#include "tests/support/ScratchFolder.hpp"

namespace openmi::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

const fs::path kCases = fs::path(OPENMI_SOURCE_DIR) / "tests/compositions";

/// The lines of a file that are neither empty nor comments.
std::vector<std::string> LinesOf(const fs::path& path) {
  std::ifstream stream(path);
  EXPECT_TRUE(stream) << path;
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) {
    if (!line.empty() && line.front() != '#') lines.push_back(line);
  }
  return lines;
}

std::vector<std::string> CellsOf(const std::string& line) {
  std::vector<std::string> cells(1);
  for (const char c : line) {
    if (c == ',') {
      cells.emplace_back();
    } else {
      cells.back() += c;
    }
  }
  return cells;
}

/// The number that a cell holds. NaN, a missing value, is none: it has to be the same text on both sides.
std::optional<double> NumberIn(const std::string& cell) {
  double number = 0.0;
  const char* end = cell.data() + cell.size();
  const auto [rest, error] = std::from_chars(cell.data(), end, number);
  if (error != std::errc() || rest != end || std::isnan(number)) return {};
  return number;
}

/// A table of a CSV file by column.
struct Table {
  explicit Table(const std::vector<std::string>& lines) {
    if (lines.empty()) return;
    const std::vector<std::string> names = CellsOf(lines.front());
    for (std::size_t row = 1; row < lines.size(); ++row) {
      const std::vector<std::string> cells = CellsOf(lines[row]);
      EXPECT_EQ(cells.size(), names.size()) << lines[row];
      for (std::size_t i = 0; i < std::min(cells.size(), names.size()); ++i) columns[names[i]].push_back(cells[i]);
    }
    for (const std::string& name : names) columns.try_emplace(name);
  }
  std::map<std::string, std::vector<std::string>> columns;
};

/// What `expected.txt` states; what it does not state is as here.
struct Expected {
  explicit Expected(const fs::path& path) {
    if (!fs::exists(path)) return;
    for (const std::string& line : LinesOf(path)) {
      const std::size_t colon = line.find(": ");
      const std::string key = line.substr(0, colon);
      const std::string value = colon == std::string::npos ? "" : line.substr(colon + 2);
      if (key == "relative tolerance") {
        relative = NumberIn(value).value();
      } else if (key == "absolute tolerance") {
        absolute = NumberIn(value).value();
      } else if (key == "mode") {
        modes = {value == "step" ? RunMode::Step : RunMode::Pull};
      } else if (key == "complete") {
        is_complete = value != "no";
      } else if (key == "error" || key == "warning" || key == "note" || key == "not balanced") {
        reported.emplace_back(key, value);
      } else if (key == "no warning" || key == "no note") {
        not_reported.emplace_back(key.substr(3), value);
      } else {
        ADD_FAILURE() << path << ": a line that the test does not know: " << line;
      }
    }
  }
  double relative = 1e-12;  ///< of the value in the reference
  double absolute = 0.0;    ///< in the unit of the column
  std::vector<RunMode> modes{RunMode::Pull, RunMode::Step};
  bool is_complete = true;
  std::vector<std::pair<std::string, std::string>> reported;  ///< kind and words
  std::vector<std::pair<std::string, std::string>> not_reported;
};

/// The composition of a case, checked.
struct Case {
  explicit Case(const fs::path& folder) {
    CompositionFile file = ReadCompositionFile(folder / "composition.xml", problems);
    // The schema wants an assembly with a type; types of this program have none.
    for (ComponentSpec& component : file.components) {
      if (component.assembly == "here") component.assembly.clear();
    }
    composition = std::make_unique<Composition>(std::move(file));
    composition->Load(problems);
    composition->Connect(problems);
    CheckComposition(*composition, problems);
  }
  Problems problems;
  std::unique_ptr<Composition> composition;
};

void ExpectReported(const Expected& expected, const Problems& problems,
                    const std::vector<std::pair<std::string, std::string>>& not_balanced) {
  std::map<std::string, std::vector<std::string>> texts;
  for (const Problem& problem : problems) texts[SeverityName(problem.severity)].push_back(FormatProblem(problem));
  for (const auto& [link, reason] : not_balanced) texts["not balanced"].push_back(link + ": " + reason);
  std::vector<std::string> errors;
  for (const auto& [kind, words] : expected.reported) {
    EXPECT_THAT(texts[kind], Contains(HasSubstr(words))) << kind;
    if (kind == "error") errors.push_back(words);
  }
  for (const auto& [kind, words] : expected.not_reported) {
    EXPECT_THAT(texts[kind], Not(Contains(HasSubstr(words)))) << kind;
  }
  for (const std::string& text : texts["error"]) {
    EXPECT_TRUE(std::ranges::any_of(errors, [&](const std::string& words) { return text.find(words) != text.npos; }))
        << "an error that expected.txt does not list: " << text;
  }
}

void ExpectSameTable(const Table& found, const Table& reference, const Expected& expected) {
  for (const auto& [name, cells] : found.columns) {
    EXPECT_TRUE(reference.columns.contains(name)) << "no column of reference.csv: " << name;
  }
  for (const auto& [name, cells] : reference.columns) {
    SCOPED_TRACE(name);
    const auto column = found.columns.find(name);
    if (column == found.columns.end()) {
      ADD_FAILURE() << "no column of the results";
      continue;
    }
    ASSERT_EQ(column->second.size(), cells.size());
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const std::optional<double> value = NumberIn(column->second[i]);
      const std::optional<double> wanted = NumberIn(cells[i]);
      if (name != "time" && value && wanted) {
        EXPECT_NEAR(*value, *wanted, expected.absolute + expected.relative * std::fabs(*wanted)) << "row " << i + 1;
      } else {
        EXPECT_EQ(column->second[i], cells[i]) << "row " << i + 1;
      }
    }
  }
}

/// Figures by what they are of and by name, as text.
using Figures = std::map<std::pair<std::string, std::string>, std::string>;

Figures FiguresOf(const RunRecord& record, Stamp from) {
  Figures figures;
  const auto add = [&](const std::string& of, const std::string& name, auto value) {
    figures[{of, name}] = fmt::format("{}", value) == "nan" ? "NaN" : fmt::format("{}", value);
  };
  add("run", "balanced links", record.links.size());
  add("run", "links not balanced", record.not_balanced.size());
  add("run", "balanced components", record.components.size());
  for (const auto& [link, balance] : record.links) {
    add(link, "unit", balance.unit);
    add(link, "left", balance.left);
    add(link, "arrived", balance.arrived);
    add(link, "outside", balance.outside);
    add(link, "relative difference", balance.relative_difference);
    add(link, "missing", balance.missing);
    add(link, "is weighed", balance.is_weighed);
    add(link, "note", balance.note);
  }
  for (const auto& [component, balance] : record.components) {
    add(component, "start", balance.start);
    add(component, "in", balance.in);
    add(component, "out", balance.out);
    add(component, "losses", balance.losses);
    add(component, "end", balance.end);
    add(component, "residual", balance.residual);
    add(component, "residual of the worst step", balance.worst_step);
    add(component, "end of the worst step", (balance.worst_time - from).count * 24.0);  // hours after the start
  }
  for (const RecordedTiming& timing : record.timings) add(timing.component, "updates", timing.updates);
  for (const LoopFigures& loop : record.loops) {
    add(loop.cycle, "steps", loop.steps);
    add(loop.cycle, "iterations", loop.iterations);
    add(loop.cycle, "steps not converged", loop.unconverged);
    add(loop.cycle, "steps with missing values", loop.missing);
  }
  return figures;
}

/// \param lines  of `figures.csv`: what the figure is of, its name, its value, and by how much it may differ
void ExpectFigures(const Figures& found, const std::vector<std::string>& lines) {
  ASSERT_FALSE(lines.empty());
  EXPECT_EQ(lines.front(), "of,figure,value,tolerance");
  for (std::size_t row = 1; row < lines.size(); ++row) {
    SCOPED_TRACE(lines[row]);
    const std::vector<std::string> cells = CellsOf(lines[row]);
    ASSERT_EQ(cells.size(), 4U);
    const auto figure = found.find({cells[0], cells[1]});
    if (figure == found.end()) {
      ADD_FAILURE() << "no figure of the run";
    } else if (const auto value = NumberIn(figure->second), wanted = NumberIn(cells[2]); value && wanted) {
      EXPECT_NEAR(*value, *wanted, NumberIn(cells[3]).value_or(0.0));
    } else if (cells[1] == "note") {
      EXPECT_THAT(figure->second, HasSubstr(cells[2]));
    } else {
      EXPECT_EQ(figure->second, cells[2]);
    }
  }
}

class Compositions : public ::testing::TestWithParam<std::string> {};

TEST_P(Compositions, GiveTheirReference) {
  const fs::path folder = kCases / GetParam();
  EXPECT_TRUE(fs::exists(folder / "ORIGIN.md")) << "a reference needs an origin";
  const Expected expected(folder / "expected.txt");
  std::optional<std::vector<std::string>> first;
  for (const RunMode mode : expected.modes) {
    for (const std::size_t threads : {1U, 2U}) {
      SCOPED_TRACE(fmt::format("{} mode, {} threads", mode == RunMode::Pull ? "pull" : "step", threads));
      Case loaded(folder);
      if (HasErrors(loaded.problems)) {
        ExpectReported(expected, loaded.problems, {});
        EXPECT_FALSE(expected.is_complete) << "the check refuses it";
        return;
      }
      const ScratchFolder results("case");
      RunOptions options;
      options.folder = results.Path();
      options.mode = mode;
      options.threads = threads;
      const RunRecord record = CompositionRun(*loaded.composition, loaded.problems, options).Run();
      ExpectReported(expected, record.problems, record.not_balanced);
      EXPECT_EQ(record.is_complete, expected.is_complete);
      const CompositionFile& file = loaded.composition->File();
      if (fs::exists(folder / "figures.csv")) {
        ExpectFigures(FiguresOf(record, *file.run->from), LinesOf(folder / "figures.csv"));
      }
      if (file.observes.empty()) continue;
      const std::vector<std::string> lines = LinesOf(results.Path() / (file.id + ".csv"));
      if (!first) {
        ExpectSameTable(Table(lines), Table(LinesOf(folder / "reference.csv")), expected);
        first = lines;
      }
      EXPECT_EQ(lines, *first) << "every mode and number of threads gives the same results";
    }
  }
  EXPECT_TRUE(first || fs::exists(folder / "figures.csv") || !expected.reported.empty()) << "nothing is compared";
}

std::vector<std::string> Names() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(kCases)) {
    if (fs::exists(entry.path() / "composition.xml")) names.push_back(entry.path().filename().string());
  }
  std::ranges::sort(names);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Cases, Compositions, ::testing::ValuesIn(Names()), [](const auto& test) {
  std::string name = test.param;
  std::ranges::replace(name, '-', '_');
  return name;
});

}  // namespace
}  // namespace openmi::testing
