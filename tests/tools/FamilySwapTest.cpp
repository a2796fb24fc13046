// The wish, as an operator does it: a paced run in one process; from another terminal a solver is taken out of it, its
// library is replaced by another version, and it is put back, while the rest of the run notices nothing.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <thread>

#include "tests/tools/Command.hpp"

namespace {

using ::testing::HasSubstr;

/// Three of one solver, and five others by steps of an hour; `fed` takes from the solver.
std::string Composition(const std::string& library) {
  const auto solver = [&library](const std::string& id) {
    return "<Component Id=\"" + id + "\" Type=\"Swap\" Assembly=\"" + library +
           "\"><Argument Key=\"unit\" Value=\"m3 s-1\"/>"
           "<Argument Key=\"gives\" Value=\"span\"/></Component>\n";
  };
  return "<Composition xmlns=\"urn:openmi2:composition:1\" Id=\"plant\">\n" + solver("s1") + solver("s2") +
         solver("s3") +
         "<Component Id=\"wave\" Omi=\"wave.omi\"/><Component Id=\"tank\" Omi=\"tank.omi\"/>\n"
         "<Component Id=\"swell\" Omi=\"wave.omi\"><Argument Key=\"form\" Value=\"cosine\"/></Component>\n"
         "<Component Id=\"basin\" Omi=\"tank.omi\"/><Component Id=\"fed\" Omi=\"tank.omi\"/>\n"
         "<Link From=\"wave.flow\" To=\"tank.inflow\"/><Link From=\"swell.flow\" To=\"basin.inflow\"/>\n"
         "<Link From=\"s1.out\" To=\"fed.inflow\"/>\n"
         "<Observe Item=\"s1.out\"/><Observe Item=\"s2.out\"/><Observe Item=\"wave.level\"/>\n"
         "<Observe Item=\"tank.volume\"/><Observe Item=\"swell.flow\"/><Observe Item=\"basin.volume\"/>\n"
         "<Observe Item=\"fed.volume\"/>\n"
         "<Run From=\"2020-01-01T00:00Z\" To=\"2020-12-31T00:00Z\"/></Composition>\n";
}

/// A table of results: by the name of the column, the cells by time as they stand in the file.
std::map<std::string, std::map<std::string, std::string>> TableOf(const std::string& csv) {
  std::map<std::string, std::map<std::string, std::string>> table;
  std::vector<std::string> names;
  std::istringstream lines(csv);
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::vector<std::string> cells;
    std::istringstream text(line + ",");
    for (std::string cell; std::getline(text, cell, ',');) cells.push_back(cell);
    if (names.empty()) {
      for (const std::string& cell : cells) names.push_back(cell.substr(0, cell.find(' ')));
      continue;
    }
    for (std::size_t i = 1; i < cells.size(); ++i) table[names.at(i)][cells[0]] = cells[i];
  }
  return table;
}

class FamilySwap : public ::testing::Test {
 protected:
  void SetUp() override {
    place_.WriteOmi("wave.omi", "test.Wave");
    place_.WriteOmi("tank.omi", "test.Tank");
    place_.Write("plant.xml", Composition(place_ / "solver.so"));
    Put("swap_1");
  }
  /// Copies a build of the solver over the one that is there, as `cp` does.
  void Put(const std::string& build) {
    std::ifstream from(OPENMI_FAMILY_PLUGINS "/lib" + build + "_plugin.so", std::ios::binary);
    ASSERT_TRUE(from.is_open());
    std::ofstream(place_ / "solver.so", std::ios::binary | std::ios::trunc) << from.rdbuf();
  }
  /// What `openmi control` answers, in a process of its own.
  nlohmann::json Ask(const std::vector<std::string>& words) {
    std::vector<std::string> arguments = {"control", "--at", place_ / "door", "--json"};
    arguments.insert(arguments.end(), words.begin(), words.end());
    const openmi::ChildResult result = place_.Run(arguments);
    nlohmann::json answer = nlohmann::json::parse(result.out, nullptr, false);
    EXPECT_TRUE(answer.is_object() && answer.value("ok", false)) << words[0] << ": " << result.out << result.err;
    return answer.is_object() ? answer : nlohmann::json::object();
  }
  /// Waits until the run has made so many passes more. \returns how many it has made
  std::uint64_t Wait(std::uint64_t passes) {
    const std::uint64_t begin = Ask({"status"}).value("passes", std::uint64_t{0});
    for (std::uint64_t now = begin;; now = Ask({"status"}).value("passes", std::uint64_t{0})) {
      if (now >= begin + passes || HasFailure()) return now;
    }
  }
  Workplace place_;
};

TEST_F(FamilySwap, TheRestOfAPacedRunNoticesNothing) {
  ASSERT_EQ(place_.Run({"run", "plant.xml", "--results", "plain", "--no-report", "--quiet"}).exit_code, 0);
  const auto plain = TableOf(place_.Read("plain/plant.csv"));

  openmi::ChildResult ended;
  std::thread run([&] {
    ended = place_.Run({"run", "plant.xml", "--results", "swapped", "--no-report", "--control=" + (place_ / "door"),
                        "--pace", "1200000", "--step-times", "--progress", "json"});
  });
  for (int i = 0; i < 3000 && !std::filesystem::exists(place_ / "door"); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  Wait(20);
  const nlohmann::json out = Ask({"disengage", "s2"});
  EXPECT_EQ(out.value("status", ""), "disengaged");
  EXPECT_EQ(out.at("members").size(), 3U);
  const nlohmann::json frozen = Ask({"values", "s1.out"}).at("values");
  Put("swap_2");
  Wait(20);
  EXPECT_EQ(Ask({"values", "s1.out"}).at("values"), frozen) << "the last value holds";
  EXPECT_EQ(Ask({"engage", "s3"}).value("status", ""), "engaged");
  Wait(20);
  Ask({"end"});
  run.join();

  const std::string last_line = ended.out.substr(ended.out.rfind('\n', ended.out.size() - 2) + 1);
  const nlohmann::json end = nlohmann::json::parse(last_line, nullptr, false);
  ASSERT_TRUE(end.is_object()) << ended.out << ended.err;
  const auto swapped = TableOf(place_.Read("swapped/plant.csv"));
  ASSERT_TRUE(swapped.contains("tank.volume") && swapped.contains("s1.out"));
  // The others: each step made, each value as it is without the exchange.
  std::map<std::string, std::uint64_t> steps;
  for (const nlohmann::json& one : end.at("steps")) steps[one.at("component")] = one.at("steps");
  ASSERT_EQ(steps.size(), 8U);
  EXPECT_GE(steps["wave"], 60U);
  for (const char* id : {"tank", "swell", "basin", "fed"}) EXPECT_EQ(steps[id], steps["wave"]) << id;
  for (const char* name : {"wave.level", "tank.volume", "swell.flow", "basin.volume"}) {
    const auto& before = plain.at(name);
    std::size_t rows = 0;
    for (const auto& [time, value] : swapped.at(name)) {
      ASSERT_EQ(value, before.at(time)) << name << " at " << time;
      rows += value.empty() ? 0 : 1;
    }
    EXPECT_GE(rows, steps["wave"]) << name << ": no step missed";
  }
  // The solver: old code, a gap, new code from its begin on.
  std::vector<double> values;
  std::vector<std::size_t> gaps;
  for (const auto& [time, value] : swapped.at("s1.out")) {
    if (value.empty()) {
      if (!values.empty() && (gaps.empty() || gaps.back() != values.size())) gaps.push_back(values.size());
    } else {
      values.push_back(std::stod(value));
    }
  }
  ASSERT_EQ(gaps.size(), 1U) << "one gap";
  EXPECT_EQ(values[gaps[0] - 1], frozen.at(0).get<double>());
  for (std::size_t i = 0; i < gaps[0]; ++i) EXPECT_EQ(values[i], static_cast<double>(i) + 2.0);
  ASSERT_GT(values.size(), gaps[0] + 10);
  // It begins anew, and may have been brought up to the run's time by a step or two before it was linked.
  const double first = values[gaps[0]];
  EXPECT_GE(first, 4.0);
  EXPECT_LT(first, 2.0 * values[gaps[0] - 1]) << "not from where the old code stood";
  for (std::size_t i = gaps[0]; i < values.size(); ++i) {
    EXPECT_EQ(values[i], first + 2.0 * static_cast<double>(i - gaps[0])) << "version 2 counts by two";
  }
}

TEST_F(FamilySwap, ALiveSourceThatIsOutIsNotAskedHowItIs) {
  Put("swap_live");
  openmi::ChildResult ended;
  std::thread run([&] {
    ended = place_.Run({"run", "plant.xml", "--results", "live", "--no-report", "--control=" + (place_ / "door"),
                        "--pace", "1200000", "--progress", "json"});
  });
  for (int i = 0; i < 3000 && !std::filesystem::exists(place_ / "door"); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  // The progress is printed every 0.2 s, and asks all live sources.
  const auto wait_for_prints = [this] {
    Wait(20);
    std::this_thread::sleep_for(std::chrono::milliseconds(1500));
  };
  wait_for_prints();
  EXPECT_EQ(Ask({"disengage", "s1"}).value("status", ""), "disengaged");
  wait_for_prints();
  EXPECT_EQ(Ask({"engage", "s1"}).value("status", ""), "engaged");
  wait_for_prints();
  Ask({"end"});
  run.join();
  EXPECT_EQ(ended.exit_code, 6) << "ended on request before its time: " << ended.err;

  std::vector<bool> asked;  // whether sources were shown, without repetitions
  std::istringstream lines(ended.out);
  for (std::string line; std::getline(lines, line);) {
    const nlohmann::json event = nlohmann::json::parse(line, nullptr, false);
    if (!event.is_object() || event.value("event", "") != "progress") continue;
    const bool is_shown = event.value("sources", "").find("s1: a text") != std::string::npos;
    if (asked.empty() || asked.back() != is_shown) asked.push_back(is_shown);
  }
  EXPECT_THAT(asked, ::testing::ElementsAre(true, false, true)) << ended.out;
}

}  // namespace
