// What earlier releases wrote is read by this one: for each release a folder with its files (README.md).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
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

INSTANTIATE_TEST_SUITE_P(Of, Compatibility, testing::ValuesIn(Releases()), [](const auto& one) {
  std::string name = "Release" + one.param;
  std::ranges::replace(name, '.', '_');
  return name;
});

}  // namespace
