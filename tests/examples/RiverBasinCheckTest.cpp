// The command's own verdict on the example's components and compositions.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <string>

#include "tests/examples/TestData.hpp"

namespace riverbasin {
namespace {

struct Verdict {
  int exit_code = -1;
  std::string text;
};

Verdict Check(const std::string& arguments) {
  const std::string command = std::string(OPENMI_BINARY_DIR) + "/bin/openmi check " + arguments + " 2>&1";
  Verdict verdict;
  FILE* pipe = popen(command.c_str(), "r");
  std::array<char, 4096> buffer;
  for (std::size_t count = 0; (count = fread(buffer.data(), 1, buffer.size(), pipe)) > 0;)
    verdict.text.append(buffer.data(), count);
  const int status = pclose(pipe);
  verdict.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return verdict;
}

std::string File(const std::string& name) {
  return "'" + (RiverBasin() / name).string() + "'";
}

class ExampleComponent : public ::testing::TestWithParam<const char*> {};

TEST_P(ExampleComponent, PassesEveryTestOfAnnexAThatApplies) {
  const Verdict verdict = Check("--component " + File(std::string("river-basin-") + GetParam() + ".omi"));
  EXPECT_EQ(verdict.exit_code, 0) << verdict.text;
  EXPECT_THAT(verdict.text, ::testing::HasSubstr("passes all tests of Annex A that apply"));
}

INSTANTIATE_TEST_SUITE_P(RiverBasin, ExampleComponent, ::testing::Values("runoff", "creek", "reservoir", "gauge"),
                         [](const auto& test) { return std::string(test.param); });

TEST(RiverBasinCheck, FindsNoProblemsInTheCompositions) {
  for (const char* name : {"river-basin.xml", "gated-basin.xml"}) {
    const Verdict verdict = Check(File(name));
    EXPECT_EQ(verdict.exit_code, 0) << verdict.text;
  }
  for (const char* name : {"basin.xml", "topmodel.xml"}) {
    const Verdict verdict = Check(File(name) + " --data '" + RealData().string() + "'");
    EXPECT_EQ(verdict.exit_code, 0) << verdict.text;
  }
}

TEST(RiverBasinCheck, WithoutTheDataSaysWhatToGive) {
  const Verdict verdict = Check(File("basin.xml"));
  EXPECT_NE(verdict.exit_code, 0);
  EXPECT_THAT(verdict.text, ::testing::HasSubstr("data"));
}

}  // namespace
}  // namespace riverbasin
