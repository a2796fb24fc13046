// The whole flagship with its components in processes of their own: its results are those of one process, byte for
// byte.

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "openmi/omi/SafeProbe.hpp"
#include "tests/support/ScratchFolder.hpp"

namespace {

// The words of the command stand in the results. Both runs have as many, so that nothing else of a file moves.
constexpr char kPlain[] = "--results plain-results";
constexpr char kIsolated[] = "--results out --isolate";
static_assert(sizeof kPlain == sizeof kIsolated);

std::string WithPlainWords(std::string bytes) {
  for (std::size_t at = 0; (at = bytes.find(kIsolated, at)) != std::string::npos;) {
    bytes.replace(at, sizeof kIsolated - 1, kPlain);
  }
  return bytes;
}

TEST(IsolatedFlagship, GivesTheVeryBytesOfOneProcess) {
  const ScratchFolder folder("isolated");
  for (const std::string words : {kPlain, kIsolated}) {
    openmi::ChildLimits limits;
    limits.time = std::chrono::minutes(4);
    const openmi::ChildResult result =
        openmi::RunInChild({"/bin/sh", "-c", "cd \"$0\" && exec \"$1\" run \"$2\" " + words + " --no-report --quiet",
                            folder.Path().string(), OPENMI_BINARY_DIR "/bin/openmi",
                            OPENMI_SOURCE_DIR "/examples/river-basin/river-basin.xml"},
                           limits);
    ASSERT_EQ(result.exit_code, 0) << result.err;
  }
  for (const char* name : {"river-basin.csv", "river-basin.nc"}) {
    const std::string plain = folder.Read(std::string("plain-results/") + name);
    ASSERT_GT(plain.size(), 100'000U);
    EXPECT_NE(plain.find(kPlain), std::string::npos) << "the words of the command are there";
    EXPECT_TRUE(WithPlainWords(folder.Read(std::string("out/") + name)) == plain) << name;
  }
}

}  // namespace
