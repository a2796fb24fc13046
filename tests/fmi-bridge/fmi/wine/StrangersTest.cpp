// Programs that are no host, or send what no host sends.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <tuple>
#include <type_traits>

#include "fmi-bridge/fmi/run/FmuLibrary.hpp"
#include "fmi-bridge/fmi/wine/HostProcess.hpp"
#include "fmi-bridge/fmi/wine/Letter.hpp"
#include "fmi-bridge/fmi/wine/Shapes.hpp"
#include "openmi/sdk/Error.hpp"
#include "tests/fmi-bridge/fmi/wine/WindowsFmu.hpp"
#include "tests/fmi-bridge/run/ComponentRun.hpp"
#include "tests/support/Environment.hpp"

namespace openmi::fmi {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;
using namespace wine;

/// A program in place of the host, while this object lives.
class OtherHost {
 public:
  /// \param bytes  what it sends before it waits for its end
  explicit OtherHost(const std::string& bytes, const std::string& then = "exec cat >/dev/null") {
    folder_.Write("bytes", bytes);
    const std::string script = folder_.Write("host", "#!/bin/sh\ncat \"$(dirname \"$0\")/bytes\"\n" + then + "\n");
    std::filesystem::permissions(script, std::filesystem::perms::owner_all);
    setenv("OPENMI_WINDOWS_HOST", script.c_str(), 1);
  }
  ~OtherHost() { setenv("OPENMI_WINDOWS_HOST", OPENMI_TEST_HOST, 1); }
  OtherHost(const OtherHost&) = delete;
  OtherHost& operator=(const OtherHost&) = delete;

 private:
  ScratchFolder folder_;
};

std::string Text(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::string Greeting(std::uint32_t protocol = kProtocol) {
  LetterWriter letter;
  return Text(letter.Seal(LetterKind::Greeting, protocol));
}

/// The reply to Load of a library with all functions.
std::string Loaded() {
  LetterWriter letter;
  letter.PutText(nullptr);
  const std::vector<std::uint8_t> all(std::tuple_size_v<std::remove_cvref_t<decltype(kShapes2)>>, 1);
  letter.PutArray(all.data(), all.size());
  return Text(letter.Seal(LetterKind::Reply));
}

/// The reply to a call. \param number  of the call, from 1
std::string Reply(std::uint32_t number, std::uint64_t result, const std::vector<double>& values = {}) {
  LetterWriter letter;
  letter.Put(result);
  for (const double value : values) letter.Put(value);
  return Text(letter.Seal(LetterKind::Reply, number));
}

/// The replies until the instance is initialized.
std::string Initialized() {
  return Reply(1, 1) + Reply(2, 0) + Reply(3, 0);
}

std::unique_ptr<Instance> MakeStrange() {
  static const WindowsFmu fmu(2, "Dahlquist");
  InstanceOptions options;
  options.name = "strange";
  options.logging = false;
  return Instance::Make(fmu.folder, fmu.native.description, std::move(options));
}

TEST(Strangers, OfAnotherVersionAreRefused) {
  const OtherHost host(Greeting(kProtocol + 1) + Loaded());
  EXPECT_THAT([] { MakeStrange(); }, ThrowsMessage<LoadError>(HasSubstr(fmt::format(
                                         "expected a Windows host that speaks version {} of the protocol, found "
                                         "version {}; build openmi-windows-host.exe again",
                                         kProtocol, kProtocol + 1))));
}

/// A program in place of Wine, and one in place of the host that it runs, while this object lives. It has no prefix.
class OtherWine {
 public:
  /// \param script  what it does with the host and its arguments
  explicit OtherWine(const std::string& script)
      : path_("PATH", (folder_.Path().string() + ":" + std::getenv("PATH")).c_str()),
        prefix_("WINEPREFIX", folder_.Path().c_str()),
        debug_("WINEDEBUG", ""),
        host_("OPENMI_WINDOWS_HOST", Program("host.exe", "exec '" OPENMI_TEST_HOST "' \"$@\"").c_str()) {
    Program("wine64", script);
  }
  const ScratchFolder& Prefix() const { return folder_; }
  /// \returns what was written to starts, which is empty then
  std::string Starts() const {
    const std::string starts = folder_.Read("starts");
    folder_.Write("starts", "");
    return starts;
  }

 private:
  std::string Program(const char* name, const std::string& script) const {
    const std::string file = folder_.Write(name, "#!/bin/sh\n" + script + "\n");
    std::filesystem::permissions(file, std::filesystem::perms::owner_all);
    return file;
  }
  ScratchFolder folder_;
  Environment path_;
  Environment prefix_;
  Environment debug_;
  Environment host_;
};

TEST(Strangers, AreWaitedForWhileWineMakesItsPrefix) {
  const OtherWine wine("[ -e \"$WINEPREFIX/system.reg\" ] || sleep 0.3; : >\"$WINEPREFIX/system.reg\"; exec \"$@\"");
  const std::string note =
      "Wine prepares the folder " + wine.Prefix().Path().string() + " first, which may take a minute";
  EXPECT_EQ(WindowsNote(), note);
  {
    ComponentRun run(2, "Dahlquist", 0.1);
    run.driver.Set("fmu", WindowsPath(2, "Dahlquist").string());
    run.driver.Initialize();
    EXPECT_THAT(run.fmu.Validate(), testing::ElementsAre(note));
    EXPECT_EQ(run.fmu.Status(), LinkableComponentStatus::Valid);
  }
  const auto begin = std::chrono::steady_clock::now();
  MakeStrange();
  EXPECT_GE(std::chrono::steady_clock::now() - begin, std::chrono::milliseconds(300));
  EXPECT_EQ(WindowsNote(), "");
}

TEST(Strangers, StartWinesServicesWhereNoOtherRuns) {
  const OtherWine wine("echo \"$(readlink /proc/$$/fd/2) $WINEDEBUG\" >>\"$WINEPREFIX/starts\"; exec \"$@\"");
  testing::internal::CaptureStderr();
  auto first = MakeStrange();
  const testing::Matcher<std::string> with_services = testing::MatchesRegex("/dev/null -all\n[^\n]* -all\n");
  EXPECT_THAT(wine.Starts(), with_services);
  MakeStrange();
  EXPECT_THAT(wine.Starts(), testing::MatchesRegex("[^\n]* -all\n")) << "the services run";
  first.reset();
  MakeStrange();
  EXPECT_THAT(wine.Starts(), with_services) << "they may have ended";
  const Environment debug("WINEDEBUG", "err+all");
  MakeStrange();
  EXPECT_THAT(wine.Starts(), testing::Not(HasSubstr("/dev/null"))) << "the user wants to see what it prints";
  testing::internal::GetCapturedStderr();
}

TEST(Strangers, AreEndedIfWineHangs) {
  const OtherWine wine("sleep 20");
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_THAT(
      [] { HostProcess(std::chrono::milliseconds(300)); },
      ThrowsMessage<LoadError>(AllOf(HasSubstr("wine64"), HasSubstr("expected Wine to run a program, found that "
                                                                    "it did not start within 0.3 s and was killed"))));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(10));
}

TEST(Strangers, ThatAreNoHostAreNamedWithTheirEnd) {
  {
    const OtherHost host("", "exit 3");
    EXPECT_THAT([] { MakeStrange(); }, ThrowsMessage<LoadError>(HasSubstr("found that it ended with exit code 3")));
  }
  const OtherHost host("usage: host [--help] what is a letter\n");
  EXPECT_THAT([] { MakeStrange(); },
              ThrowsMessage<LoadError>(HasSubstr("found that it sent an invalid message and was killed")));
}

TEST(Strangers, ThatCrashWhileTheyLoadSayHow) {
  LetterWriter crash;
  crash.PutText("crashed: access violation");
  const OtherHost host(Greeting() + Text(crash.Seal(LetterKind::Crash)), "exit 3");
  EXPECT_THAT([] { MakeStrange(); },
              ThrowsMessage<LoadError>(AllOf(HasSubstr("found that it crashed: access violation"),
                                             HasSubstr("run again with WINEDEBUG=err+all"))));
}

TEST(Strangers, ThatReadNothingAreNoticedAtTheirEnd) {
  // Another process keeps the connection open, as Wine's server does.
  const OtherHost host(Greeting() + Loaded() + Initialized(), "sleep 20 & sleep 1; exit 3");
  const auto instance = MakeStrange();
  instance->EnterInitialization({});
  const std::vector<ValueReference> references(1'000'000, 1);
  const std::vector<double> values(references.size(), 0.5);
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_THAT([&] { instance->Set(VariableType::Float64, references, values.data(), values.size()); },
              ThrowsMessage<ModelError>(HasSubstr("found that it ended with exit code 3")));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(15));
}

TEST(Strangers, SayWhatTheLoaderSays) {
  const ScratchFolder folder;
  const std::string dll = folder.Write("bad.dll", "no library");
  EXPECT_THAT([&] { FmuLibrary::Load(dll, FmiMajor::Fmi2, "bad"); },
              ThrowsMessage<LoadError>(AllOf(HasSubstr("bad.dll: expected a library that can be loaded, found: "),
                                             HasSubstr("install what it needs in Wine's prefix"))));
}

TEST(Strangers, WithRepliesOfAnotherSizeAreEnded) {
  // The letter of Instantiate is answered, then SetupExperiment and EnterInitializationMode; then come too few
  // bytes, too many, the answer to another call, and no letter.
  for (const std::string& last :
       {Reply(4, 0), Reply(4, 0, {1.0, 2.0}), Reply(3, 0, {1.0}), std::string("0123456789012345")}) {
    const OtherHost host(Greeting() + Loaded() + Initialized() + last);
    const auto instance = MakeStrange();
    instance->EnterInitialization({});
    const ValueReference reference = 1;
    double value = 0.0;
    EXPECT_THAT(
        [&] {
          instance->Get(VariableType::Float64, {&reference, 1}, &value, 1);
        },
        ThrowsMessage<ModelError>(HasSubstr("expected fmi2GetReal to return from the Windows host of the FMU, "
                                            "found that it sent an invalid message and was killed")));
  }
}

TEST(Strangers, CannotMakeTheRunnerReadBeyondALetter) {
  const unsigned seed = 20261128;
  std::mt19937 random(seed);
  for (int round = 0; round < 150; ++round) {
    std::string bytes = Greeting() + Loaded() + Initialized() + Reply(4, 0, {1.0}) + Reply(5, 0) + Reply(6, 0);
    LetterWriter log;
    log.Put(0);
    log.PutText("category");
    log.PutText("text");
    bytes.insert(Greeting().size() + Loaded().size(), Text(log.Seal(LetterKind::Log)));
    for (int change = 0; change < 3; ++change) {
      const std::size_t at = random() % bytes.size();
      bytes[at] = static_cast<char>(round % 2 == 0 ? random() : 0xff);
    }
    bytes.resize(bytes.size() - random() % 40);
    const OtherHost host(bytes, "exit 0");
    try {
      const auto instance = MakeStrange();
      instance->EnterInitialization({});
      const ValueReference reference = 1;
      double value = 0.0;
      instance->Get(VariableType::Float64, {&reference, 1}, &value, 1);
      std::string text;
      instance->GetTexts({&reference, 1}, {&text, 1});
    } catch (const Error& error) {
      EXPECT_NE(std::strlen(error.what()), 0U) << "seed " << seed << " round " << round;
    }
  }
}

TEST(Shapes, AreThereForEveryFunctionThatInstancesCall) {
  const auto names = []<const auto & kShapes>() {
    return []<std::size_t... I>(std::index_sequence<I...>) {
      return std::vector<std::string>{std::get<I>(kShapes).name...};
    }
    (std::make_index_sequence<std::tuple_size_v<std::remove_cvref_t<decltype(kShapes)>>>{});
  };
  const auto called = [](FmiMajor version) {
    const auto span = Instance::FunctionsCalled(version);
    return std::vector<std::string>(span.begin(), span.end());
  };
  EXPECT_THAT(names.operator()<kShapes1>(), testing::UnorderedElementsAreArray(called(FmiMajor::Fmi1)));
  EXPECT_THAT(names.operator()<kShapes2>(), testing::UnorderedElementsAreArray(called(FmiMajor::Fmi2)));
  EXPECT_THAT(names.operator()<kShapes3>(), testing::UnorderedElementsAreArray(called(FmiMajor::Fmi3)));
}

TEST(WhatIsMissing, IsSaidWhereAnFmuHasOnlyALibraryForWindows) {
  const std::string path = std::getenv("PATH");
  const WindowsFmu fmu(2, "Dahlquist");
  setenv("OPENMI_WINDOWS_HOST", "/no/such/host.exe", 1);
  setenv("PATH", "/no/such/folder", 1);
  const std::string remedy = WindowsRemedy();
  std::string said;
  try {
    LibraryFileOf(fmu.folder, fmu.native.description, InterfaceKind::CoSimulation);
  } catch (const LoadError& error) {
    said = error.what();
  }
  setenv("PATH", path.c_str(), 1);
  setenv("OPENMI_WINDOWS_HOST", OPENMI_TEST_HOST, 1);
  EXPECT_THAT(remedy, HasSubstr("to run its library for Windows, "));
  EXPECT_THAT(remedy, HasSubstr("build with -DOPENMI_WITH_WINE=ON (g++-mingw-w64-x86-64-posix)"));
  EXPECT_THAT(said, AllOf(HasSubstr("for this machine, found some for win64"), HasSubstr(remedy)));
  EXPECT_EQ(WindowsRemedy(), "");
  EXPECT_EQ(LibraryRemedy(FmiMajor::Fmi2, false, "", true),
            "export the FMU for this platform, or with sources; libraries for Windows of 32 bits (win32) are not run, "
            "those of 64 bits (win64) by Wine");
  EXPECT_THAT(LibraryRemedy(FmiMajor::Fmi2, true, remedy, false),
              AllOf(HasSubstr(remedy + "; or compile the sources")));
}

}  // namespace
}  // namespace openmi::fmi
