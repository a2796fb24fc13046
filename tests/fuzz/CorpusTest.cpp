// Every target takes every file of its kept corpus (tests/fuzz/corpus/<target>): real files, malformed ones, and those
// that once led to a fault. scripts/fuzz begins with the same files.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "tests/fuzz/FuzzTarget.hpp"

namespace openmi::fuzz {
namespace {

using ::testing::IsEmpty;
using ::testing::Not;

const std::filesystem::path kCorpus = std::filesystem::path(OPENMI_SOURCE_DIR) / "tests/fuzz/corpus";

class Corpus : public ::testing::TestWithParam<std::string> {};

TEST_P(Corpus, IsTakenWhole) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(kCorpus / GetParam())) files.push_back(entry.path());
  std::ranges::sort(files);
  ASSERT_THAT(files, Not(IsEmpty()));
  for (const std::filesystem::path& file : files) {
    std::ifstream stream(file, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(stream), {}};
    ASSERT_TRUE(stream) << file;
    // A target that finds something wrong ends the process: ctest then shows this line last.
    std::cerr << file.filename().string() << std::endl;
    Targets().at(GetParam())(bytes);
    // So does half of it: a file is cut short more often than anything else happens to it.
    Targets().at(GetParam())(std::string_view(bytes).substr(0, bytes.size() / 2));
  }
}

std::vector<std::string> Names() {
  std::vector<std::string> names;
  for (const auto& [name, target] : Targets()) names.push_back(name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Fuzz, Corpus, ::testing::ValuesIn(Names()), [](const auto& test) { return test.param; });

TEST(FuzzCorpora, BelongToATargetEach) {
  std::vector<std::string> folders;
  for (const auto& entry : std::filesystem::directory_iterator(kCorpus)) {
    if (!entry.path().filename().string().starts_with('.')) folders.push_back(entry.path().filename().string());
  }
  std::ranges::sort(folders);
  EXPECT_EQ(folders, Names());
}

}  // namespace
}  // namespace openmi::fuzz
