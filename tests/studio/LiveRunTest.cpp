#include <fcntl.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>
#include <mutex>
#include <vector>

#include "openmi/omi/Spawn.hpp"
#include "openmi/sdk/Error.hpp"
#include "studio/LiveRun.hpp"
#include "tests/studio/WebClient.hpp"
#include "timespace/times/Iso8601.hpp"

namespace openmi {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

// Runs of a small composition in a process of their own, and what they report.
class LiveRunTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / fmt::format("studio-live-{}", getpid());
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  LiveRun::Settings Settings(const char* to, bool starts_paused) const {
    std::ofstream(folder_ / "chain.xml")
        << "<Composition xmlns=\"urn:openmi2:composition:1\" Id=\"chain\">\n"
           "<Component Id=\"a\" Type=\"openmi.Constant\" Assembly=\"openmi-components\"><Argument Key=\"value\" "
           "Value=\"2\"/>"
           "<Argument Key=\"unit\" Value=\"m3 s-1\"/></Component>\n"
           "<Component Id=\"b\" Type=\"openmi.NashCascade\" Assembly=\"openmi-components\"/>\n"
           "<Link From=\"a.value\" To=\"b.inflow\"/>\n<Observe Item=\"b.outflow\"/>\n<Run From=\"2020-01-01T00:00Z\" "
           "To=\""
        << to << "\"/>\n</Composition>\n";
    return {.program = OPENMI_BINARY_DIR "/bin/openmi",
            .composition = folder_ / "chain.xml",
            .results = folder_ / "results",
            .starts_paused = starts_paused};
  }
  LiveRun::Report Keep() {
    return [this](const Json& event) {
      const std::lock_guard lock(mutex_);
      events_.push_back(event);
      changed_.notify_all();
    };
  }
  // Waits for an event; null after a minute.
  Json Wait(const std::function<bool(const Json&)>& is_it) {
    std::unique_lock lock(mutex_);
    Json found;
    changed_.wait_for(lock, std::chrono::seconds(60), [&] {
      for (const Json& event : events_) {
        if (is_it(event)) found = event;
      }
      return !found.is_null();
    });
    return found;
  }
  Json WaitForState(const std::string& state) {
    return Wait([&](const Json& event) { return event["event"] == "run" && event["state"] == state; });
  }

  fs::path folder_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Json> events_;
};

TEST_F(LiveRunTest, StepsToATimeTellsValuesAndEnds) {
  LiveRun run(Settings("2020-02-01T00:00Z", true), Keep());
  ASSERT_FALSE(WaitForState("paused").is_null());
  run.Watch({.items = {"b.outflow", "none.x"}, .maps = {"a.value"}, .balances = true});
  EXPECT_EQ(run.Ask({{"do", "step"}, {"passes", 3}})["now"], "2020-01-01T03:00:00Z");
  run.RunTo(ParseIsoTime("2020-01-02T00:00Z").mjd);
  const nlohmann::json status = run.Ask({{"do", "status"}});
  EXPECT_EQ(status["now"], "2020-01-02T00:00:00Z");
  EXPECT_EQ(status["state"], "paused");
  const Json values = Wait([](const Json& event) {
    return event["event"] == "values" && event["items"].contains("b.outflow") &&
           event["items"]["b.outflow"]["begin"] == "2020-01-01T23:00:00Z";
  });
  ASSERT_FALSE(values.is_null());
  EXPECT_EQ(values["items"]["b.outflow"]["unit"], "m3 s-1");
  EXPECT_EQ(values["items"]["b.outflow"]["count"], 1);
  EXPECT_FALSE(values["items"].contains("none.x"));
  const Json balances =
      Wait([](const Json& event) { return event["event"] == "balances" && event["now"] == "2020-01-02T00:00:00Z"; });
  ASSERT_FALSE(balances.is_null());
  EXPECT_EQ(balances["links"][0]["link"], "a.value -> b.inflow");
  EXPECT_NEAR(balances["links"][0]["left"].get<double>(), 2.0 * 86400.0, 1e-6);
  EXPECT_EQ(run.Ask({{"do", "fly"}})["ok"], false);
  run.Ask({{"do", "resume"}});
  const Json over = WaitForState("over");
  EXPECT_EQ(over["code"], 0) << over;
  EXPECT_EQ(over["record"]["is_complete"], true);
  EXPECT_TRUE(run.IsOver());
  EXPECT_TRUE(fs::exists(folder_ / "results" / "chain.csv"));
  EXPECT_THROW(run.Ask({{"do", "status"}}), FileError);
}

TEST_F(LiveRunTest, ARunWithProblemsSaysThem) {
  LiveRun run(Settings("2019-01-01T00:00Z", false), Keep());
  const Json over = WaitForState("over");
  EXPECT_EQ(over["code"], 5) << over;
  const Json check = Wait([](const Json& event) { return event["event"] == "check"; });
  ASSERT_FALSE(check.is_null());
  EXPECT_FALSE(check["problems"].empty());
}

TEST_F(LiveRunTest, GoesAtOnceWithTheRun) {
  std::chrono::steady_clock::time_point begin;
  {
    LiveRun run(Settings("2320-01-01T00:00Z", false), Keep());
    ASSERT_FALSE(WaitForState("running").is_null());
    begin = std::chrono::steady_clock::now();
  }
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(8));
}

// A studio whose program was built again while it was open.
TEST_F(LiveRunTest, AStudioNamesItsProgramThatWasReplaced) {
  const fs::path program = folder_ / "bin/openmi";
  fs::create_directories(folder_ / "bin");
  fs::copy_file(OPENMI_BINARY_DIR "/bin/openmi", program);
  fs::create_directory_symlink(OPENMI_BINARY_DIR "/lib", folder_ / "lib");
  const fs::path composition = Settings("2020-02-01T00:00Z", false).composition;
  int out[2];
  ASSERT_EQ(pipe2(out, O_CLOEXEC), 0);
  const pid_t pid = SpawnChild({program.string(), "studio", composition.string(), "--no-browser"}, {{out[1], 1}}, 0);
  close(out[1]);
  std::string address;
  for (char letter = 0; read(out[0], &letter, 1) == 1 && letter != '\n';) address += letter;
  const std::size_t colon = address.find(':', address.find("//"));
  ASSERT_NE(colon, std::string::npos) << address;
  const auto port = static_cast<std::uint16_t>(std::stoi(address.substr(colon + 1)));
  WebClient page(port);
  page.Upgrade(WebClient::SignIn(port, address));
  const auto wait_for = [&page](const std::string& words) {
    for (std::string text; !(text = page.NextText()).empty();) {
      if (text.find("\"inspection\"") != std::string::npos && text.find(words) != std::string::npos) return true;
    }
    return false;
  };
  EXPECT_TRUE(wait_for("nflow"));
  fs::remove(program);
  page.SendText(R"({"do":"edit","id":1,"edits":[{"op":"set-composition","attribute":"Caption","value":"x"}]})");
  EXPECT_TRUE(
      wait_for("the program '" + program.string() + "' as it was started, found that openmi was replaced or removed"));
  kill(pid, SIGTERM);
  EndChild(pid);
  close(out[0]);
}

}  // namespace
}  // namespace openmi
