#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

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

TEST_F(ContentsTest, FindsStudiesByTheirMembers) {
  Write("models/k-members.csv", "member\n");
  Write("models/k.html", "");
  EXPECT_EQ(FindStudies(folder_).dump(), R"([{"id":"k","members":"models/k-members.csv","report":"models/k.html"}])");
}

}  // namespace
}  // namespace openmi
