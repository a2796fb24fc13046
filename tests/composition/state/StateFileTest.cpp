// The file of states: whatever is wrong with its bytes, it is told, and nothing of it is believed.

#include <sys/resource.h>

#include <csignal>
#include <random>

#include "composition/state/StateFile.hpp"
#include "openmi/sdk/Error.hpp"
#include "tests/composition/state/StateFixture.hpp"

namespace openmi::testing {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

std::vector<StateSection> Sample() {
  std::vector<StateSection> sections = {{"first", {}}, {"", {}}, {"rows", {}}};
  for (int i = 0; i < 1000; ++i) sections[2].bytes.push_back(static_cast<std::byte>(i * 37));
  sections[1].bytes = {std::byte{1}, std::byte{2}, std::byte{3}};
  return sections;
}

std::span<const std::byte> Bytes(const std::string& text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

TEST(StateFile, GivesBackWhatWasWritten) {
  const Folder folder;
  WriteStateFile(folder.Path() / "a.state", Sample());
  const auto read = ReadStateFile(folder.Path() / "a.state");
  ASSERT_EQ(read.size(), 3U);
  for (std::size_t i = 0; i < read.size(); ++i) {
    EXPECT_EQ(read[i].name, Sample()[i].name);
    EXPECT_EQ(read[i].bytes, Sample()[i].bytes);
  }
  EXPECT_FALSE(std::filesystem::exists(folder.Path() / "a.state.part"));
  EXPECT_THAT([&] { SectionNamed(read, "other", "a.state"); },
              ThrowsMessage<FormatError>(HasSubstr("a.state: expected a section 'other'")));
}

TEST(StateFile, RefusesEveryLengthButItsOwn) {
  const Folder folder;
  WriteStateFile(folder.Path() / "a.state", Sample());
  const std::string whole = BytesOf(folder.Path() / "a.state");
  for (std::size_t length = 0; length < whole.size(); ++length) {
    EXPECT_THAT([&] { ParseStateFile(Bytes(whole.substr(0, length)), "cut"); },
                ThrowsMessage<FormatError>(AnyOf(HasSubstr("cut"), HasSubstr("found something else"))))
        << length;
  }
  EXPECT_THROW(ParseStateFile(Bytes(whole + "x"), "longer"), FormatError);
}

TEST(StateFile, RefusesEverySingleFlippedBit) {
  const Folder folder;
  WriteStateFile(folder.Path() / "a.state", Sample());
  const std::string whole = BytesOf(folder.Path() / "a.state");
  for (std::size_t at = 0; at < whole.size(); ++at) {
    for (int bit = 0; bit < 8; ++bit) {
      std::string changed = whole;
      changed[at] = static_cast<char>(changed[at] ^ (1 << bit));
      EXPECT_THROW(ParseStateFile(Bytes(changed), "changed"), FormatError) << at << " " << bit;
    }
  }
}

TEST(StateFile, SurvivesBytesOfAnyKindBehindAGoodBegin) {
  std::mt19937 random(7);
  std::uniform_int_distribution<int> byte(0, 255);
  std::uniform_int_distribution<std::size_t> length(0, 300);
  for (int i = 0; i < 20'000; ++i) {
    std::string bytes = "OPENMI2S";
    bytes += std::string("\1\0\0\0\0\0\0\0", 8);
    const std::size_t rest = length(random);
    for (std::size_t k = 0; k < rest; ++k) bytes += static_cast<char>(byte(random) < 128 ? 0 : byte(random));
    EXPECT_THROW(ParseStateFile(Bytes(bytes), "random"), FormatError);
  }
}

TEST(StateFile, SaysWhichVersionAndWhatElseItFound) {
  EXPECT_THAT([] { ParseStateFile({}, "a"); }, ThrowsMessage<FormatError>(HasSubstr("an empty one")));
  EXPECT_THAT([] { ParseStateFile(Bytes("<Composition/>"), "a"); },
              ThrowsMessage<FormatError>(HasSubstr("found something else")));
  std::string newer = "OPENMI2S";
  newer += std::string("\2\0\0\0\0\0\0\0", 8) + std::string(40, '\0');
  EXPECT_THAT([&] { ParseStateFile(Bytes(newer), "a"); }, ThrowsMessage<FormatError>(HasSubstr("found version 2")));
  EXPECT_THAT([] { ReadStateFile("/no/such.state"); }, ThrowsMessage<FileError>(HasSubstr("no such file")));
  EXPECT_THAT([] { ReadStateFile("/"); }, ThrowsMessage<FileError>(HasSubstr("it is a folder")));
}

TEST(StateFile, AFullDiskLeavesTheEarlierOne) {
  const Folder folder;
  const auto path = folder.Path() / "a.state";
  WriteStateFile(path, Sample());
  const std::string before = BytesOf(path);
  std::vector<StateSection> large = Sample();
  large[2].bytes.resize(100'000);
  rlimit old = {};
  getrlimit(RLIMIT_FSIZE, &old);
  rlimit limit = old;
  limit.rlim_cur = 50'000;
  const auto handler = signal(SIGXFSZ, SIG_IGN);
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
  std::string message;
  try {
    WriteStateFile(path, large);
  } catch (const FileError& error) {
    message = error.what();
  }
  setrlimit(RLIMIT_FSIZE, &old);
  signal(SIGXFSZ, handler);
  EXPECT_THAT(message, HasSubstr("an earlier one is as it was"));
  EXPECT_EQ(BytesOf(path), before);
  EXPECT_FALSE(std::filesystem::exists(folder.Path() / "a.state.part"));
}

}  // namespace
}  // namespace openmi::testing
