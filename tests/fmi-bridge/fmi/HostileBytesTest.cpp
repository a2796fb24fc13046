// Operations of buses, and states in files, that are wrong: each with the words that say so.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "composition/results/FileHash.hpp"
#include "fmi-bridge/fmi/run/BusFrames.hpp"
#include "fmi-bridge/fmi/run/StateFile.hpp"
#include "openmi/sdk/Error.hpp"
#include "tests/support/ScratchFolder.hpp"

namespace openmi::fmi::hostile_bytes {
namespace {

using namespace std::string_literals;
using testing::HasSubstr;
using testing::StartsWith;

struct Case {
  const char* what;
  std::string bytes;
  const char* words;
};

// Operations of a bus.

std::string Number(std::uint32_t number, int size = 4) {
  std::string bytes;
  for (int i = 0; i < size; ++i) bytes += static_cast<char>(number >> (8 * i) & 0xFF);
  return bytes;
}

std::string Operation(std::uint32_t code, const std::string& body) {
  return Number(code) + Number(static_cast<std::uint32_t>(8 + body.size())) + body;
}

/// A frame of CAN: the length that it states, and its data.
std::string Can(std::uint32_t size, const std::string& data, char is_extended = 0, std::uint32_t id = 1) {
  return Operation(0x10, Number(id) + std::string(1, is_extended) + '\0' + Number(size, 2) + data);
}

std::string CanFd(std::uint32_t size, const std::string& data) {
  return Operation(0x11, Number(1) + "\0\0\0"s + Number(size, 2) + data);
}

/// What is wrong, or what was written.
std::string FramesOf(const std::string& operations) {
  const ScratchFolder folder;
  const std::string path = folder / "can.log";
  try {
    BusFrames(path).Take(Stamp{40587.0}, "a.Can", std::as_bytes(std::span(operations)));
  } catch (const FormatError& error) {
    return error.what();
  }
  std::ifstream stream(path);
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::vector<Case> Operations() {
  static constexpr char kEight[] = "expected a bus operation of at least 8 bytes, found ";
  static constexpr char kMore[] = " more bytes in a bus operation, found ";
  std::vector<Case> cases = {
      {"a byte", "\x10", "expected 4 more bytes in a bus operation, found 1"},
      {"two bytes", "\x10\0"s, "expected 4 more bytes in a bus operation, found 2"},
      {"three bytes", "\x10\0\0"s, "expected 4 more bytes in a bus operation, found 3"},
      {"a code only", Number(0x10), "expected 4 more bytes in a bus operation, found 0"},
      {"a code and a part of the length", Number(0x10) + Number(16, 2), "expected 4 more bytes"},
      {"text", "hello", "expected 4 more bytes in a bus operation, found 1"},
      {"zeros", std::string(8, '\0'), "expected a bus operation of at least 8 bytes, found 0"},
      {"an unknown one that is too long", Number(0x7F) + Number(9),
       "expected 1 more bytes in a bus operation, found 0"},
      {"a confirmation that is too long", Number(0x20) + Number(12), "expected 4 more bytes"},
      {"an error that is too short", Number(0x31) + Number(4), kEight},
      {"a status that is too long", Number(0x42) + Number(0x10000), "expected 65528 more bytes"},
      {"a length of the other byte order", Number(0x10) + "\0\0\0\x11"s + std::string(9, '\0'),
       "expected 285212664 more bytes in a bus operation, found 9"},
      {"a code of the other byte order, cut", "\0\0\0\x10"s + Number(17) + std::string(5, '\0'), kMore},
      {"rest after a frame", Can(0, "") + "x", "expected 4 more bytes in a bus operation, found 1"},
      {"zeros after a frame", Can(0, "") + std::string(8, '\0'), kEight},
      {"a cut frame after a frame", Can(1, "a") + Can(1, "a").substr(0, 12), kMore},
      {"a frame after a cut frame", Can(1, "a").substr(0, 12) + Can(1, "a"),
       "expected a bus operation of 16 bytes, found 17"},
      {"frames until one is wrong", Can(1, "a") + Can(2, "ab") + Can(9, "abc"), "expected 9 more bytes"},
      {"data shorter by one", Can(8, "1234567"), "expected 8 more bytes in a bus operation, found 7"},
      {"no data", Can(8, ""), "expected 8 more bytes in a bus operation, found 0"},
      {"data of the largest size", Can(0xFFFF, "a"), "expected 65535 more bytes in a bus operation, found 1"},
      {"data of an extended frame", Can(8, "1", 1), "expected 8 more bytes"},
      {"data of CAN FD shorter by one", CanFd(64, std::string(63, 'a')), "expected 64 more bytes"},
      {"data of CAN FD of the largest size", CanFd(0xFFFF, std::string(64, 'a')), "expected 65535 more bytes"},
      {"data above those of CAN", Can(9, "123456789"), "expected 0 to 8 bytes in a frame of CAN, found 9"},
      {"data far above those of CAN", Can(1000, std::string(1000, 'a')), "expected 0 to 8 bytes in a frame of CAN"},
      {"data above those of CAN FD", CanFd(65, std::string(65, 'a')), "expected 0 to 64 bytes in a frame of CAN FD"},
      {"more data than it says", Can(1, "abc"), "expected a bus operation of 17 bytes, found 19"},
      {"more data than CAN FD says", CanFd(1, "abc"), "expected a bus operation of 18 bytes, found 20"},
      {"an identifier above 11 bits", Can(0, "", 0, 0x800), "expected an identifier of at most 0x7FF, found 0x800"},
      {"an identifier above 29 bits", Can(0, "", 1, 0x20000000),
       "expected an identifier of at most 0x1FFFFFFF, found 0x20000000"},
      {"the largest identifier", Can(0, "", 1, 0xFFFFFFFF), "expected an identifier of at most 0x1FFFFFFF"},
  };
  for (std::uint32_t length = 1; length < 8; ++length) {
    cases.push_back({"a length below that of its head", Number(0x10) + Number(length) + std::string(9, '\0'), kEight});
  }
  for (const std::uint32_t length : {18u, 100u, 65536u, 0x7FFFFFFFu, 0x80000000u, 0xFFFFFFFEu, 0xFFFFFFFFu}) {
    cases.push_back({"a length above the buffer", Number(0x10) + Number(length) + std::string(9, '\0'), kMore});
  }
  for (std::uint32_t size = 0; size < 8; ++size) {
    cases.push_back({"a frame of CAN cut in its head", Operation(0x10, std::string(size, '\0')), kMore});
  }
  for (std::uint32_t size = 0; size < 9; ++size) {
    cases.push_back({"a frame of CAN FD cut in its head", Operation(0x11, std::string(size, '\0')), kMore});
  }
  return cases;
}

TEST(HostileBus, OperationsSayWhatIsWrong) {
  EXPECT_EQ(FramesOf(Can(8, "12345678", 0, 0x7FF)), "(0000000000.000000) a.Can 7FF#3132333435363738\n");
  const std::vector<Case> cases = Operations();
  EXPECT_GE(cases.size(), 60U);
  for (const Case& one : cases) {
    SCOPED_TRACE(one.what);
    EXPECT_THAT(FramesOf(one.bytes), HasSubstr(one.words));
    EXPECT_THAT(FramesOf(one.bytes), HasSubstr("; correct the FMU that sends it"));
  }
}

TEST(HostileBus, OperationsWithAnyByteChangedAreLinesOrErrors) {
  const std::string good = Can(2, "ab") + CanFd(1, "c") + Operation(0x20, Number(1)) + Can(0, "", 1, 5);
  for (std::size_t at = 0; at < good.size(); ++at) {
    for (const char byte : {'\0', '\x01', '\x10', '\x7F', '\xFF'}) {
      const std::string text = FramesOf(std::string(good).replace(at, 1, 1, byte));
      EXPECT_TRUE(text.empty() || text.starts_with("(0000000000.000000) a.Can ") ||
                  text.starts_with("a.Can: expected "))
          << text;
    }
  }
}

// States in files.

/// The file of a state whose head has these lines, with the right hash of what stands there.
std::string StateOf(const std::string& head, const std::string& bytes = "abcde") {
  Sha256 hash;
  hash.Add(head);
  hash.Add(bytes);
  return head + "sha256 " + hash.Finish() + "\n\n" + bytes;
}

const std::string kHead =
    "openmi FMU state 2\ntoken {a}\nmodel M\nfmi 3.0\nkind co-simulation\nplatform x86_64-linux\nmode 5\ntime "
    "0.5\nfmu-bytes 3\nimporter-bytes 2\n";

std::string With(const std::string& from, const std::string& to) {
  std::string head = kHead;
  EXPECT_NE(head.find(from), std::string::npos) << from;
  return StateOf(head.replace(head.find(from), from.size(), to));
}

std::string Refusal(const std::string& content) {
  try {
    DecodeStateFile(content, {.file = "x.state"});
  } catch (const FormatError& error) {
    return error.what();
  }
  return {};
}

std::vector<Case> States() {
  static constexpr char kFirst[] =
      "x.state: expected the state of an FMU, which begins with 'openmi FMU state 2', found ";
  static constexpr char kMode[] = "expected a known mode, found ";
  static constexpr char kSize[] = "expected a number of bytes in the line 'fmu-bytes ...', found ";
  static constexpr char kOther[] = "expected a number of bytes in the line 'importer-bytes ...', found ";
  static constexpr char kTime[] = "expected a finite time, found ";
  static constexpr char kAfter[] =
      " bytes after the head, found 5; write the file again, at the end of a run of this FMU";
  static constexpr char kDamaged[] = "expected the SHA-256 of its content, found another: the file is damaged";
  const std::string good = StateOf(kHead);
  std::vector<Case> cases = {
      {"empty", "", "x.state: expected the state of an FMU, which begins with 'openmi FMU state 2', found none"},
      {"an archive", "PK\x03\x04", kFirst},
      {"a NUL", "\0"s, kFirst},
      {"a blank before it", " " + good, kFirst},
      {"a mark before it", "\xEF\xBB\xBF" + good, kFirst},
      {"ends of lines of Windows", "openmi FMU state 2\r\n" + good.substr(19), kFirst},
      {"an earlier version", "openmi FMU state 1\n" + good.substr(19), "found 'openmi FMU state 1'"},
      {"a later version", "openmi FMU state 3\n" + good.substr(19), "found 'openmi FMU state 3'"},
      {"version 22", "openmi FMU state 22\n" + good.substr(19), "found 'openmi FMU state 22'"},
      {"upper case", "Openmi FMU state 2\n" + good.substr(19), kFirst},
      {"a state of a component", "openmi state 2\n", "found 'openmi state 2'"},
      {"the first line only", "openmi FMU state 2\n", "expected a line 'token ...' in the state of an FMU, found none"},
      {"the first line without its end", "openmi FMU state 2", kFirst},
      {"a sequence of the screen", "openmi FMU state 2\n\x1b[31m\n", "expected a line 'token ...'"},
      {"a long line", "openmi FMU state 2\ntoken " + std::string(5000, 'a') + "\n", "expected a line 'token ...'"},
      {"a line without end", "openmi FMU state 2\ntoken " + std::string(100, 'a'), "expected a line 'token ...'"},
      {"no empty line", std::string(good).replace(good.find("\n\n"), 2, "\n"),
       "expected an empty line after the head of the state of an FMU"},
      {"a byte missing", good.substr(0, good.size() - 1), "expected 3 and 2 bytes after the head, found 4"},
      {"all bytes missing", good.substr(0, good.size() - 5), "expected 3 and 2 bytes after the head, found 0"},
      {"a byte more", good + "x", "expected 3 and 2 bytes after the head, found 6"},
      {"twice", good + good, "expected 3 and 2 bytes after the head, found "},
      {"another byte", good.substr(0, good.size() - 1) + "E", kDamaged},
      {"another token under the hash", std::string(good).replace(good.find("{a}"), 3, "{b}"), kDamaged},
      {"another time under the hash", std::string(good).replace(good.find("0.5"), 3, "0.6"), kDamaged},
      {"a hash in upper case",
       [good] {
         std::string text = good;
         for (std::size_t i = good.find("sha256 ") + 7; text[i] != '\n'; ++i)
           text[i] = static_cast<char>(std::toupper(text[i]));
         return text;
       }(),
       kDamaged},
      {"no hash", std::string(good).replace(good.find("sha256 ") + 7, 64, ""), "expected "},
      {"half a hash", std::string(good).replace(good.find("sha256 ") + 7, 32, ""), kDamaged},
      {"a line twice", With("model M\n", "model M\nmodel M\n"), "expected a line 'fmi ...'"},
      {"lines in another order", With("model M\nfmi 3.0\n", "fmi 3.0\nmodel M\n"), "expected a line 'model ...'"},
      {"an empty line within", With("model M\n", "\nmodel M\n"), "expected a line 'model ...' in the state of an FMU"},
  };
  for (const char* name :
       {"token", "model", "fmi", "kind", "platform", "mode", "time", "fmu-bytes", "importer-bytes"}) {
    const std::size_t at = kHead.find("\n" + std::string(name) + " ") + 1;
    const std::string line = kHead.substr(at, kHead.find('\n', at) - at + 1);
    cases.push_back({"a line missing", With(line, ""), "expected a line '"});
    cases.push_back({"a line without a value", With(line, std::string(name) + "\n"), "expected a line '"});
  }
  for (const char* mode : {"-1", "77", "5.0", "five", "", "0x5", "99999999999999999999"}) {
    const bool is_number = mode == std::string("77");
    cases.push_back({"a mode", With("mode 5", "mode " + std::string(mode)),
                     is_number ? kMode : "expected a number of bytes in the line 'mode ...', found "});
  }
  for (const char* time : {"nan", "inf", "-inf", "1e999", "soon", "", "0.5s", "0,5", "1 2"}) {
    cases.push_back({"a time", With("time 0.5", "time " + std::string(time)), kTime});
  }
  for (const char* size : {"-3", "3.0", "three", "", "0x3", "18446744073709551616"}) {
    cases.push_back({"a size", With("fmu-bytes 3", "fmu-bytes " + std::string(size)), kSize});
    cases.push_back({"a size", With("importer-bytes 2", "importer-bytes " + std::string(size)), kOther});
  }
  for (const char* size : {"4", "6", "4294967299", "18446744073709551615", "18446744073709551614"}) {
    cases.push_back({"a size that does not fit", With("fmu-bytes 3", "fmu-bytes " + std::string(size)), kAfter});
    cases.push_back(
        {"a size that does not fit", With("importer-bytes 2", "importer-bytes " + std::string(size)), kAfter});
  }
  return cases;
}

TEST(HostileStateFiles, SayWhatIsWrong) {
  EXPECT_EQ(Refusal(StateOf(kHead)), "");
  const std::vector<Case> cases = States();
  EXPECT_GE(cases.size(), 60U);
  for (const Case& one : cases) {
    SCOPED_TRACE(std::string(one.what) + ": " + one.bytes.substr(0, 200));
    const std::string refusal = Refusal(one.bytes);
    EXPECT_THAT(refusal, StartsWith("x.state: expected "));
    EXPECT_THAT(refusal, HasSubstr(one.words));
    EXPECT_THAT(refusal, testing::Not(HasSubstr("\x1b")));
  }
}

}  // namespace
}  // namespace openmi::fmi::hostile_bytes
