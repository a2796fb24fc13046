#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "studio/Contents.hpp"

namespace openmi {
namespace {

namespace fs = std::filesystem;

class ContentsTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / fmt::format("studio-contents-{}", getpid());
    fs::create_directories(folder_ / "models");
  }
  void TearDown() override { fs::remove_all(folder_); }
  void Write(const char* name, const std::string& bytes) const {
    std::ofstream(folder_ / name, std::ios::binary) << bytes;
  }
  nlohmann::ordered_json Found(const char* group) const {
    nlohmann::ordered_json found = nlohmann::ordered_json::array();
    for (const auto& entry : FindPalette(folder_)) {
      if (entry["group"] == group) found.push_back(entry);
    }
    return found;
  }
  fs::path folder_;
};

TEST_F(ContentsTest, FindsBmiLibrariesByTheirSymbols) {
  const auto library = [](const std::string& symbols) {
    return std::string(
               "\x7f"
               "ELF") +
           std::string(20, '\0') + symbols;
  };
  const auto symbol = [](const char* name) { return std::string(1, '\0') + name + std::string(1, '\0'); };
  Write("models/libheat.so", library(symbol("register_bmi_heat")));
  Write("flat.so", library(symbol("initialize") + symbol("get_component_name") + symbol("finalize")));
  Write("bridge.so", library(symbol("register_bmi") + symbol("openmi_component_library_v1")));
  Write("other.so", library(symbol("initialize") + symbol("finalize")));
  Write("text.so", symbol("register_bmi"));
  const auto found = Found("bmi");
  ASSERT_EQ(found.size(), 2U) << found;
  EXPECT_EQ(found[1]["name"], "heat");
  EXPECT_EQ(found[1]["attributes"].dump(), R"([["Type","openmi.bmi.Model"],["Assembly","openmi-bmi-bridge"]])");
  EXPECT_EQ(found[1]["arguments"].dump(), R"([["library","models/libheat.so"]])");
}

TEST_F(ContentsTest, FindsComponentsAndBmiClassesInPython) {
  Write("tanks.py",
        "from openmi import SteppingComponent\nimport openmi\nclass A(SteppingComponent):\n  pass\n\nclass "
        "_B (openmi.SteppingComponent, X):\n  pass\n# class C(SteppingComponent)\n  class D(SteppingComponent):\n");
  Write("heat.py",
        "class H:\n def get_component_name(self): pass\n def update(self): pass\n def get_value(self): pass\n");
  Write("tool.py", "def update(x): pass\n");
  const auto found = Found("python");
  ASSERT_EQ(found.size(), 2U) << found;
  EXPECT_EQ(found[0]["attributes"].dump(), R"([["Type","A"],["Assembly","tanks.py"]])");
  EXPECT_EQ(found[1]["name"], "_B");
  ASSERT_EQ(Found("bmi").size(), 1U);
  EXPECT_EQ(Found("bmi")[0]["arguments"].dump(), R"([["library","heat.py"]])");
}

// The names of result files can be changed between runs.
TEST_F(ContentsTest, FindsRunsByWhatTheirFoldersHold) {
  const std::string results = "# OpenMI results, form 1. Times are UTC\ntime,a\n";
  for (const char* name : {"run-1", "run-2", "run-3", "run-4", "data"}) fs::create_directories(folder_ / name);
  Write("data/rain.csv", "time,rain\n");
  Write("run-1/basin.csv", results);
  Write("run-1/basin.html", "<span class=\"badge ok\">run completed</span>");
  Write("run-1/notes.html", "run completed");
  Write("run-2/flows.csv", results);
  Write("run-2/basin.html", "<span class=\"badge fail\">run ended early</span>");
  Write("run-3/flows.csv", results);
  Write("run-3/basin.checkpoint", "");
  Write("run-4/basin.csv", results);
  Write("run-4/basin.checkpoint", "");
  Write("run-4/basin.html", "<span class=\"badge ok\">run completed</span>");  // with a component that was frozen
  const auto old = fs::file_time_type::clock::now();
  fs::last_write_time(folder_ / "run-4/basin.csv", old - std::chrono::hours(3));
  fs::last_write_time(folder_ / "run-1/basin.csv", old - std::chrono::hours(2));
  fs::last_write_time(folder_ / "run-2/flows.csv", old - std::chrono::hours(1));
  auto found = FindRuns(folder_);
  for (auto& run : found) {
    EXPECT_GT(run["time"], 1'700'000'000);
    run.erase("time");
  }
  EXPECT_EQ(
      found.dump(),
      R"([{"folder":"run-3","csv":"run-3/flows.csv","checkpoint":"run-3/basin.checkpoint","is_incomplete":true},)"
      R"({"folder":"run-2","csv":"run-2/flows.csv","report":"run-2/basin.html","is_incomplete":true},)"
      R"({"folder":"run-1","csv":"run-1/basin.csv","report":"run-1/basin.html"},)"
      R"({"folder":"run-4","csv":"run-4/basin.csv","checkpoint":"run-4/basin.checkpoint","report":"run-4/basin.html"}])");
  fs::last_write_time(folder_ / "run-4/basin.html", old - std::chrono::hours(4));
  EXPECT_TRUE(FindRuns(folder_).back().contains("is_incomplete")) << "the report is that of an earlier run";
}

TEST_F(ContentsTest, FindsStudiesByTheirMembers) {
  Write("models/k-members.csv", "member\n");
  Write("models/k.html", "");
  EXPECT_EQ(FindStudies(folder_).dump(), R"([{"id":"k","members":"models/k-members.csv","report":"models/k.html"}])");
}

}  // namespace
}  // namespace openmi
