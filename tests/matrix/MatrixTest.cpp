// Features where they meet. A cell is a composition (its subject) and one or two ways of running it (its manners) that
// must not change a byte of the table: threads, processes, a family exchanged for the same code, a kill and a resume,
// being a member of a study.
// Its reference is the same subject on one thread, in one process, undisturbed.
//
// All pairs of two values of a subject, and of a value of a subject and a manner, are covered. What the check refuses
// is listed in refused.txt, and nothing else may be refused.
//
//   OPENMI_MATRIX_CELLS  how many cells (300)
//   OPENMI_MATRIX_SEED   of the choice (1)
//   OPENMI_MATRIX_ONE    the values of one cell, as a failure prints them: only that one is run, and its files stay

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "tests/matrix/CellRun.hpp"
#include "tests/matrix/Subject.hpp"
#include "tests/support/Ranks.hpp"
#include "tests/support/ScratchFolder.hpp"

namespace openmi::matrix {
namespace {

namespace fs = std::filesystem;

const bool ranks_start = test::LetRanksStart();

// The time of the clock stands in the head of results, which runs that are compared share.
const bool clock_is_fixed = setenv("SOURCE_DATE_EPOCH", "1700000000", 1) == 0;

std::size_t NumberIn(const char* variable, std::size_t otherwise) {
  const char* text = std::getenv(variable);
  return text != nullptr ? static_cast<std::size_t>(std::strtoull(text, nullptr, 10)) : otherwise;
}

/// What is refused: pairs, and why.
struct Refusal {
  std::string pair;
  std::string reason;
};

std::vector<Refusal> ReadRefusals() {
  std::ifstream in(OPENMI_SOURCE_DIR "/tests/matrix/refused.txt");
  std::vector<Refusal> refusals;
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#') continue;
    const std::size_t bar = line.find(" | ");
    EXPECT_NE(bar, std::string::npos) << "expected 'a=b c=d | reason', found: " << line;
    if (bar != std::string::npos) refusals.push_back({line.substr(0, bar), line.substr(bar + 3)});
  }
  return refusals;
}

/// Cells that show a fault which is known and not mended yet, by their text. One that no longer does fails too, so that
/// the list stays true.
std::set<std::string> ReadKnownFaults() {
  std::ifstream in(OPENMI_SOURCE_DIR "/tests/matrix/known-faults.txt");
  std::set<std::string> cells;
  for (std::string line; std::getline(in, line);) {
    if (!line.empty() && line[0] != '#') cells.insert(line.substr(0, line.find(" | ")));
  }
  return cells;
}

/// The listed refusal that a cell falls under; null for none.
const Refusal* RefusalOf(const Cell& cell, const std::vector<Refusal>& refusals) {
  const std::vector<std::string> pairs = PairsOf(cell);
  for (const Refusal& refusal : refusals) {
    if (std::find(pairs.begin(), pairs.end(), refusal.pair) != pairs.end()) return &refusal;
  }
  return nullptr;
}

Cell AtRandom(std::mt19937_64& random) {
  Cell cell;
  const auto below = [&](std::size_t count) { return static_cast<std::size_t>(random() % count); };
  for (const Dimension& dimension : SubjectDimensions()) cell.subject.push_back(below(dimension.values.size()));
  const auto& manners = MannerDimensions();
  cell.manner.assign(manners.size(), 0);
  // One manner, or two.
  const std::size_t first = below(manners.size());
  const std::size_t second = below(manners.size());
  for (const std::size_t place : {first, second}) cell.manner[place] = 1 + below(manners[place].values.size() - 1);
  MakeSound(cell);
  return cell;
}

/// Cells that cover as many new pairs as can be found, each the best of many. A pair that no cell has yet is put into
/// the candidates on purpose, so that the last ones are found.
std::vector<Cell> Choose(std::size_t count, std::uint64_t seed, std::set<std::string>& covered) {
  std::mt19937_64 random(seed);
  std::vector<Cell> cells;
  while (cells.size() < count) {
    Cell best;
    std::size_t most = 0;
    for (int i = 0; i < 60; ++i) {
      Cell candidate = AtRandom(random);
      std::size_t fresh = 1;
      for (const std::string& pair : PairsOf(candidate)) fresh += covered.contains(pair) ? 0 : 1;
      if (fresh > most) {
        most = fresh;
        best = std::move(candidate);
      }
    }
    for (std::string& pair : PairsOf(best)) covered.insert(std::move(pair));
    cells.push_back(std::move(best));
  }
  return cells;
}

/// Whether all numbers of two tables are equal but for a millionth, and all other cells are the same.
bool AreClose(const std::string& left, const std::string& right) {
  std::istringstream a(left), b(right);
  std::string one, other;
  while (true) {
    const bool has_one = static_cast<bool>(std::getline(a, one, ','));
    const bool has_other = static_cast<bool>(std::getline(b, other, ','));
    if (has_one != has_other) return false;
    if (!has_one) return true;
    if (one == other) continue;
    // A line break lies between the last cell of a row and the time of the next one.
    if (one.substr(std::min(one.find('\n'), one.size())) != other.substr(std::min(other.find('\n'), other.size()))) {
      return false;
    }
    const double x = std::strtod(one.c_str(), nullptr);
    const double y = std::strtod(other.c_str(), nullptr);
    constexpr double kMillionth = 1e-6;
    if (!(std::fabs(x - y) <= kMillionth * std::max(1.0, std::fabs(y)))) return false;
  }
}

Cell WithoutManners(Cell cell) {
  std::fill(cell.manner.begin(), cell.manner.end(), 0);
  return cell;
}

/// What is wrong with a cell; empty: nothing.
class Judge {
 public:
  explicit Judge(const std::vector<Refusal>& refusals) : refusals_(refusals) {}

  std::string operator()(const Cell& cell, const fs::path& folder) {
    fs::remove_all(folder);
    const Cell plain = WithoutManners(cell);
    const Outcome reference = Run(plain, folder / "plain");
    if (const std::string wrong = Check(plain, reference); !wrong.empty()) return "plain: " + wrong;
    if (reference.kind != Outcome::Ran) return {};
    const Outcome outcome = Run(cell, folder / "manner", reference.passes);
    if (const std::string wrong = Check(cell, outcome); !wrong.empty()) return wrong;
    if (outcome.kind != Outcome::Ran) return {};
    if (outcome.rows == reference.rows) return {};
    if (IsWithinTolerance(cell) && AreClose(outcome.rows, reference.rows)) return {};
    return "other rows than the plain run: " + FirstDifference(reference.rows, outcome.rows);
  }

  const std::set<std::string>& RefusedPairs() const { return refused_; }

 private:
  std::string Check(const Cell& cell, const Outcome& outcome) {
    const Refusal* refusal = RefusalOf(cell, refusals_);
    switch (outcome.kind) {
      case Outcome::Ran:
        if (refusal != nullptr) return "runs, and '" + refusal->pair + "' is listed as refused";
        return outcome.rows.size() > 100 ? "" : "no rows: " + outcome.rows;
      case Outcome::Refused:
        if (refusal == nullptr) return "refused by the check, and not listed: " + outcome.text;
        refused_.insert(refusal->pair);
        return {};
      case Outcome::Failed:
        return "fails in the run, where the check should have refused it: " + outcome.text;
      case Outcome::Crashed:
        return "crashes: " + outcome.text;
      case Outcome::Hung:
        return "hangs";
    }
    return {};
  }

  static std::string FirstDifference(const std::string& left, const std::string& right) {
    std::istringstream a(left), b(right);
    std::string one, other;
    for (int line = 1;; ++line) {
      const bool has_one = static_cast<bool>(std::getline(a, one));
      const bool has_other = static_cast<bool>(std::getline(b, other));
      if (!has_one && !has_other) return "none";
      if (!has_one) one = "(none)";
      if (!has_other) other = "(none)";
      if (one != other) return fmt::format("row {}\n  plain {}\n  found {}", line, one, other);
    }
  }

  const std::vector<Refusal>& refusals_;
  std::set<std::string> refused_;
};

/// The plainest cell that is still wrong: each value is made plain where that leaves a fault.
std::string Shrink(Cell& cell, std::string wrong, Judge& judge, const fs::path& folder) {
  for (Choice* choice : {&cell.manner, &cell.subject}) {
    for (std::size_t& place : *choice) {
      if (place == 0) continue;
      const std::size_t before = std::exchange(place, 0);
      std::string still = judge(cell, folder);
      if (still.empty()) {
        place = before;
      } else {
        wrong = std::move(still);
      }
    }
  }
  return wrong;
}

std::optional<Cell> OneOf(const char* text) {
  if (text == nullptr) return std::nullopt;
  Cell cell;
  cell.subject.assign(SubjectDimensions().size(), 0);
  cell.manner.assign(MannerDimensions().size(), 0);
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    bool is_known = false;
    const auto look = [&](const std::vector<Dimension>& dimensions, Choice& choice) {
      for (std::size_t i = 0; i < dimensions.size(); ++i) {
        for (std::size_t value = 0; value < dimensions[i].values.size(); ++value) {
          if (word != fmt::format("{}={}", dimensions[i].name, dimensions[i].values[value])) continue;
          choice[i] = value;
          is_known = true;
        }
      }
    };
    look(SubjectDimensions(), cell.subject);
    look(MannerDimensions(), cell.manner);
    EXPECT_TRUE(is_known) << "no value '" << word << "'";
  }
  return cell;
}

/// Shards, so that they run beside each other.
constexpr std::size_t kShards = 10;

class Matrix : public ::testing::TestWithParam<std::size_t> {};

TEST_P(Matrix, EveryMannerGivesTheRowsOfThePlainRun) {
  const std::vector<Refusal> refusals = ReadRefusals();
  if (const std::optional<Cell> one = OneOf(std::getenv("OPENMI_MATRIX_ONE"))) {
    const fs::path folder = fs::temp_directory_path() / "openmi-matrix-one";
    Judge one_judge(refusals);
    if (GetParam() == 0) {
      EXPECT_EQ(one_judge(*one, folder), "") << "files in " << folder;
    }
    return;
  }
  const std::set<std::string> known_faults = ReadKnownFaults();
  std::set<std::string> covered;
  const std::size_t count = NumberIn("OPENMI_MATRIX_CELLS", 300);
  const std::size_t seed = NumberIn("OPENMI_MATRIX_SEED", 1);
  const std::vector<Cell> cells = Choose(count, seed, covered);
  Judge judge(refusals);
  const ScratchFolder scratch("matrix");
  for (std::size_t i = GetParam(); i < cells.size(); i += kShards) {
    Cell cell = cells[i];
    std::string wrong = judge(cell, scratch.Path() / "cell");
    const std::string whole = TextOf(cell, true);
    if (known_faults.contains(whole)) {
      EXPECT_NE(wrong, "") << "take '" << whole << "' off known-faults.txt: it is mended";
      continue;
    }
    if (wrong.empty()) continue;
    wrong = Shrink(cell, wrong, judge, scratch.Path() / "cell");
    ADD_FAILURE() << "cell " << i << " of seed " << seed << ": " << whole << "\nshrunk to OPENMI_MATRIX_ONE='"
                  << TextOf(cell, true) << "'\n"
                  << wrong;
  }
}

INSTANTIATE_TEST_SUITE_P(Shard, Matrix, ::testing::Range(std::size_t{0}, kShards));

TEST(MatrixCells, CoverAllPairs) {
  std::set<std::string> covered;
  Choose(NumberIn("OPENMI_MATRIX_CELLS", 300), NumberIn("OPENMI_MATRIX_SEED", 1), covered);
  const std::vector<std::string> all = AllPairs();
  std::string left;
  for (const std::string& pair : all) left += covered.contains(pair) ? "" : pair + "\n";
  EXPECT_EQ(left, "") << "of " << all.size();
  RecordProperty("pairs", static_cast<int>(all.size()));
}

TEST(MatrixCells, RefuseAtMostATwentiethOfThePairs) {
  const std::vector<std::string> all = AllPairs();
  const std::vector<Refusal> refusals = ReadRefusals();
  for (const Refusal& refusal : refusals) {
    EXPECT_TRUE(std::find(all.begin(), all.end(), refusal.pair) != all.end()) << "no pair '" << refusal.pair << "'";
  }
  EXPECT_LE(refusals.size() * 20, all.size()) << refusals.size() << " of " << all.size();
}

}  // namespace
}  // namespace openmi::matrix
