// openmi bmi info, check and run.

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "openmi/omi/SafeProbe.hpp"
#include "openmi/sdk/Sanitizers.hpp"
#include "tests/bmi-bridge/BmiFixture.hpp"

namespace openmi::bmi {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

class BmiCommand : public testing::Test {
 protected:
  ChildResult Run(std::vector<std::string> words) {
    words.insert(words.begin(), {OPENMI_BINARY_DIR "/bin/openmi", "bmi"});
    return RunInChild(words, {.time = std::chrono::minutes(1)});
  }
  std::string Store(const std::string& lines) { return folder.Write("store.cfg", lines); }
  const std::string library = TestLibrary("store_model");
  ScratchFolder folder{"bmi-command"};
};

TEST_F(BmiCommand, InfoTellsWhatTheModelSays) {
  const ChildResult text = Run({"info", library, "--config", Store("protocol 2")});
  EXPECT_EQ(text.exit_code, 0) << text.err;
  EXPECT_THAT(text.out, AllOf(StartsWith("store\n"), HasSubstr("C struct, by register_bmi_store"),
                              HasSubstr("steps of 60 s"), HasSubstr("states: serialization"), HasSubstr("unitless")));
  const ChildResult json = Run({"info", library, "--config", Store("rows 7"), "--json"});
  const auto facts = nlohmann::json::parse(json.out);
  EXPECT_EQ(facts["states"], "none");
  EXPECT_EQ(facts["time"]["end"], nullptr);
  EXPECT_EQ(facts["variables"][2]["count"], 7);
  EXPECT_TRUE(facts["variables"][0]["input"].get<bool>());
}

TEST_F(BmiCommand, CheckFindsFalseAnswersAndFalseStates) {
  const ChildResult good = Run({"check", library, "--config", Store("protocol 2")});
  EXPECT_EQ(good.exit_code, 0) << good.out << good.err;
  EXPECT_THAT(good.out, HasSubstr("(serialization) hold all that it remembers"));
  const ChildResult bad = Run({"check", library, "--config", Store("protocol 2\nforgets 1")});
  EXPECT_EQ(bad.exit_code, 5);
  EXPECT_THAT(bad.out, AllOf(HasSubstr("the same model, set to the state, differs"), HasSubstr("1 problem")));
  const std::string odd = folder.Write("odd.cfg", "itemsize 3\nunits nonsense");
  const ChildResult sizes = Run({"check", TestLibrary("odd_model"), "--config", odd});
  EXPECT_THAT(sizes.out, AllOf(HasSubstr("x0: expected a type of numbers"), HasSubstr("'nonsense'")));
}

TEST_F(BmiCommand, RunWritesATable) {
  const std::string inputs = folder.Write("in.csv", "time,inflow\n0,1\n120,2\n");
  const ChildResult run =
      Run({"run", library, "--config", Store(""), "--input", inputs, "--stop-time", "240", "--set", "inlet=0.5"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  // By hand: inlet += 0.1 (inflow - inlet); outflow = 1e-4 store; store += 60 (inlet - outflow).
  double inlet = 0.5, store = 100.0;
  std::string table = "time,outflow,level\n0,0,100\n";
  for (const double inflow : {1.0, 2.0, 2.0, 2.0}) {
    inlet += 0.1 * (inflow - inlet);
    const double outflow = 1e-4 * store;
    store += 60.0 * (inlet - outflow);
    table += fmt::format("{},{},{}\n", 60 * (std::ranges::count(table, '\n') - 1), outflow, store);
  }
  EXPECT_EQ(run.out, table);
}

TEST_F(BmiCommand, ReportsAModelThatEndsTheProgram) {
#if OPENMI_ADDRESS_SANITIZER || OPENMI_THREAD_SANITIZER
  GTEST_SKIP() << "the sanitizers define exit themselves";
#endif
  const std::string config = Store("exit 3");
  for (const std::vector<std::string>& words : {std::vector<std::string>{"check", library, "--config", config},
                                                {"run", library, "--config", config, "--stop-time", "120"}}) {
    const ChildResult result = Run(words);
    EXPECT_EQ(result.exit_code, 6) << words[0];
    EXPECT_THAT(result.err, HasSubstr("model: expected the component to return, found that its code ended the program"))
        << words[0];
  }
  // The trial of states is a process of its own. With another inflow it succeeds.
  const ChildResult trial = Run({"check", library, "--config", config, "--argument", "states=replay"});
  EXPECT_THAT(trial.out + trial.err, HasSubstr("ended the program"));
  const ChildResult set =
      Run({"check", library, "--config", config, "--argument", "states=replay", "--set", "inflow=1"});
  EXPECT_EQ(set.exit_code, 0) << set.out << set.err;
}

TEST_F(BmiCommand, SaysWhatIsMissing) {
  EXPECT_THAT(Run({"run", library, "--config", Store("")}).err, HasSubstr("--stop-time"));
  const std::string wrong = folder.Write("in.csv", "time,inflow\n0,fast\n");
  EXPECT_THAT(Run({"run", library, "--config", Store(""), "--input", wrong, "--stop-time", "60"}).err,
              HasSubstr("in.csv:2: expected a number, found 'fast'"));
  EXPECT_EQ(Run({"info", "nowhere.so"}).exit_code, 3);
  EXPECT_THAT(Run({"info", library}).err, HasSubstr("found: status 1; name the configuration"));
  EXPECT_THAT(Run({"info", library, "--config", Store(""), "--argument", "flavor=c"}).err, HasSubstr("'flavour'"));
  EXPECT_THAT(Run({"run", library, "--config", Store(""), "--stop-time", "60", "--variable", "levl"}).err,
              HasSubstr("level"));
}

}  // namespace
}  // namespace openmi::bmi
