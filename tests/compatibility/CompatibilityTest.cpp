// What earlier releases wrote is read by this one: for each release a folder with its files (README.md).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "tests/tools/Command.hpp"

namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

std::vector<std::string> Releases() {
  std::vector<std::string> releases;
  for (const auto& entry : fs::directory_iterator(OPENMI_COMPATIBILITY)) {
    if (entry.is_directory()) releases.push_back(entry.path().filename().string());
  }
  std::ranges::sort(releases);
  return releases;
}

/// A copy of the files of a release.
class Compatibility : public testing::TestWithParam<std::string> {
 protected:
  Compatibility() { fs::copy(fs::path(OPENMI_COMPATIBILITY) / GetParam(), place_.Path(), fs::copy_options::recursive); }

  /// Runs the command, which has to succeed. \returns what it printed, errors too
  std::string Run(const std::vector<std::string>& arguments) const {
    const openmi::ChildResult result = place_.Run(arguments);
    EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
    return result.out + result.err;
  }
  /// Runs the command `compare` with the results that the release kept.
  void ExpectKeptValues(const std::string& results) const {
    // A later release may add in another order.
    const std::string out = Run({"compare", results, "whole/creek.nc", "--rtol", "1e-12"});
    EXPECT_THAT(out, HasSubstr("no differences in 2 series, 36 values"));
  }

  Workplace place_;
};

TEST_P(Compatibility, ACompositionRunsToTheSameValues) {
  Run({"check", "creek.xml"});
  Run({"run", "creek.xml", "--results", "new"});
  ExpectKeptValues("new/creek.nc");
}

TEST_P(Compatibility, WeightsAreUsed) {
  Run({"run", "mapped.xml", "--results", "new"});
  ExpectKeptValues("new/creek.nc");
}

TEST_P(Compatibility, ResultsAreRead) {
  ExpectKeptValues("whole/creek.csv");
  EXPECT_THAT(Run({"describe", "whole/creek.nc"}), HasSubstr("river.outflow"));
  Run({"plot", "whole/creek.nc", "-o", "creek.svg"});
}

TEST_P(Compatibility, AKilledRunIsResumed) {
  // Its libraries are others now; the values are not.
  EXPECT_THAT(Run({"run", "creek.xml", "--results", "killed", "--resume-changed"}),
              HasSubstr("continues at 2026-03-02T"));
  ExpectKeptValues("killed/creek.nc");
}

TEST_P(Compatibility, TheJournalOfAKilledRunIsRead) {
  ASSERT_TRUE(fs::exists(place_.Path() / "killed/creek.nc.journal"));
  EXPECT_THAT(Run({"describe", "killed/creek.nc"}), HasSubstr("river.outflow"));
  EXPECT_FALSE(fs::exists(place_.Path() / "killed/creek.nc.journal"));
}

/// The rows of a table of members; numbers as numbers, since a later release may add in another order.
std::vector<std::vector<std::string>> MembersIn(const fs::path& path) {
  std::vector<std::vector<std::string>> rows;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    std::istringstream cells(line);
    rows.emplace_back();
    for (std::string cell; std::getline(cells, cell, ',');) rows.back().push_back(cell);
  }
  return rows;
}

TEST_P(Compatibility, AStudyIsReadRunAndResumed) {
  EXPECT_THAT(Run({"study", "status", "study.xml", "--results", "study"}), HasSubstr("storage: 8 members, 8 done"));
  EXPECT_THAT(Run({"study", "show", "study.xml", "3"}), HasSubstr("Key=\"residence-time\""));
  EXPECT_THAT(Run({"study", "status", "study.xml", "--results", "study-killed"}), HasSubstr("not run"));
  Run({"study", "resume", "study.xml", "--results", "study-killed", "--quiet"});
  Run({"study", "run", "study.xml", "--results", "study-new", "--quiet"});
  const auto kept = MembersIn(place_.Path() / "study/storage-members.csv");
  ASSERT_EQ(kept.size(), 9u);
  for (const char* folder : {"study-killed", "study-new"}) {
    const auto found = MembersIn(place_.Path() / folder / "storage-members.csv");
    ASSERT_EQ(found.size(), kept.size()) << folder;
    for (std::size_t row = 0; row < kept.size(); ++row) {
      ASSERT_EQ(found[row].size(), kept[row].size());
      for (std::size_t cell = 0; cell < kept[row].size(); ++cell) {
        if (found[row][cell] == kept[row][cell]) continue;
        EXPECT_NEAR(std::stod(found[row][cell]), std::stod(kept[row][cell]), 1e-12 * std::stod(kept[row][cell]));
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Of, Compatibility, testing::ValuesIn(Releases()), [](const auto& one) {
  std::string name = "Release" + one.param;
  std::ranges::replace(name, '.', '_');
  return name;
});

}  // namespace
