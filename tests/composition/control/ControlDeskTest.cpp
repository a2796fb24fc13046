// The words of the door, on a run that goes.

#include <future>
#include <nlohmann/json.hpp>
#include <random>
#include <thread>

#include "composition/control/ControlDesk.hpp"
#include "tests/composition/run/RunFixture.hpp"

namespace openmi::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Json = nlohmann::json;

RunOptions NoFiles() {
  RunOptions options;
  options.write_results = false;
  return options;
}

/// A run, paused at its begin, in a thread of its own; the test is the operator.
class Desk : public ::testing::Test {
 protected:
  Desk()
      : made_(ComponentXml("a", "Source", ArgumentXml("gives", "instant")) + ComponentXml("r", "Relay") +
              LinkXml("a.out", "r.in") + "<Observe Item=\"r.out\"/>" + RunXml()),
        run_(*made_.composition, made_.problems, NoFiles()) {
    EXPECT_THAT(made_.Text(), IsEmpty());
    run_.Pause();
    desk_ = std::make_unique<ControlDesk>(run_);
    thread_ = std::thread([this] {
      run_.Begin();
      while (run_.Advance()) {
      }
      desk_->Close();
      record_ = run_.End();
    });
  }
  ~Desk() override { Finish(); }
  RunRecord& Finish() {
    if (thread_.joinable()) {
      run_.Resume();
      thread_.join();
    }
    return record_;
  }
  Json Ask(const std::string& line) { return Json::parse(desk_->Answer(line)); }
  Json Do(Json request) {
    const Json answer = Ask(request.dump());
    EXPECT_TRUE(answer.value("ok", false)) << answer;
    return answer;
  }
  std::string Refused(Json request) {
    const Json answer = Ask(request.dump());
    EXPECT_FALSE(answer.value("ok", true)) << answer;
    return answer.value("error", "") + "; " + answer.value("remedy", "");
  }

  Made made_;
  CompositionRun run_;
  std::unique_ptr<ControlDesk> desk_;
  std::thread thread_;
  RunRecord record_;
};

TEST_F(Desk, ListsStepsAndEnds) {
  EXPECT_EQ(Json::parse(desk_->Greeting()), (Json{{"openmi-control", 1}, {"composition", "made"}}));
  const Json list = Do({{"do", "list"}, {"id", 7}});
  EXPECT_EQ(list["id"], 7);
  EXPECT_EQ(list["state"], "paused");
  ASSERT_EQ(list["components"].size(), 2U);
  EXPECT_EQ(list["components"][1]["id"], "r");
  EXPECT_EQ(list["components"][1]["status"], "Updated");
  EXPECT_EQ(list["components"][1]["now"], "2015-12-01T00:00:00Z");
  const Json stepped = Do({{"do", "step"}, {"passes", 3}});  // answered when they are made
  EXPECT_EQ(stepped["state"], "paused");
  EXPECT_EQ(stepped["passes"], 3);
  EXPECT_EQ(stepped["now"], "2015-12-01T03:00:00Z");
  EXPECT_EQ(Do({{"do", "list"}})["now"], "2015-12-01T03:00:00Z");
  Do({{"do", "end"}, {"reason", "enough"}});
  const RunRecord& record = Finish();
  EXPECT_FALSE(record.is_complete);
  EXPECT_EQ(record.passes, 3U);
  EXPECT_THAT(FormatProblem(record.problems.back()), HasSubstr("enough"));
  EXPECT_THAT(Refused({{"do", "list"}}), HasSubstr("it is over"));
}

TEST_F(Desk, StepsOfTwoOperatorsAddUpAndAPauseIsTold) {
  // Between passes, so that both are there before the first one is made.
  std::promise<void> both;
  run_.BetweenPasses().Post([ready = both.get_future().share()] { ready.wait(); });
  std::thread other([this] { EXPECT_GE(Do({{"do", "step"}, {"passes", 2}})["passes"], 2); });
  std::thread another([this] { EXPECT_GE(Do({{"do", "step"}, {"passes", 3}})["passes"], 3); });
  both.set_value();
  other.join();
  another.join();
  EXPECT_EQ(Do({{"do", "status"}})["passes"], 5);
  EXPECT_EQ(Do({{"do", "status"}})["state"], "paused");

  std::size_t hook = 0;
  std::promise<void> is_added;  // hooks are added by the thread of the run
  run_.BetweenPasses().Post([&] {
    hook = run_.BetweenPasses().Add([this] {
      if (run_.Passes() == 7) run_.Pause();
    });
    is_added.set_value();
  });
  is_added.get_future().wait();
  EXPECT_THAT(Refused({{"do", "step"}, {"passes", 10}}),
              HasSubstr("expected the run to make 15 passes, found it paused after 7"));
  run_.BetweenPasses().Post([this, hook] { run_.BetweenPasses().Remove(hook); });
  EXPECT_THAT(Refused({{"do", "step"}, {"passes", 1000}}), HasSubstr("found that it is over"));
}

TEST_F(Desk, AStepWhereAllAreDisengagedIsRefused) {
  Do({{"do", "disengage"}, {"family", "a"}});
  Do({{"do", "disengage"}, {"family", "r"}});
  EXPECT_THAT(Refused({{"do", "step"}}), HasSubstr("found all of them disengaged; engage a family"));
  EXPECT_EQ(Do({{"do", "status"}})["state"], "paused");
  Do({{"do", "end"}});
}

TEST_F(Desk, TellsTheValuesOfSeveralItemsAtOneTime) {
  Do({{"do", "step"}, {"passes", 2}});
  const Json items = Do({{"do", "values"}, {"items", {"r.in", "none.x", "r.none"}}})["items"];
  ASSERT_EQ(items.size(), 3U);
  Json alone = Do({{"do", "values"}, {"item", "r.in"}});
  alone.erase("ok");
  EXPECT_EQ(items["r.in"], alone);
  EXPECT_EQ(items["none.x"]["ok"], false);
  EXPECT_EQ(items["r.none"]["ok"], false);
  EXPECT_THAT(Refused({{"do", "values"}, {"items", Json::array()}}), HasSubstr("expected texts in 'items'"));
  EXPECT_THAT(Refused({{"do", "values"}, {"items", {"r.in", 1}}}), HasSubstr("expected texts in 'items'"));
  Do({{"do", "end"}});
}

TEST_F(Desk, TellsTheBalancesWhichGrowFromPassToPass) {
  Do({{"do", "step"}, {"passes", 2}});
  const Json first = Do({{"do", "balances"}});
  ASSERT_EQ(first["links"].size(), 1U) << first;
  const Json& link = first["links"][0];
  EXPECT_EQ(link["link"], "a.out -> r.in");
  EXPECT_EQ(link["unit"], "m3");
  EXPECT_GT(link["left"].get<double>(), 0.0);
  EXPECT_NEAR(link["relative"].get<double>(), 0.0, 1e-12);
  EXPECT_EQ(first["now"], Do({{"do", "status"}})["now"]);
  Do({{"do", "step"}, {"passes", 2}});
  const Json later = Do({{"do", "balances"}})["links"][0];
  EXPECT_GT(later["left"].get<double>(), 1.5 * link["left"].get<double>());
  EXPECT_NEAR(later["left"].get<double>(), later["arrived"].get<double>(), 1e-9);
  Do({{"do", "end"}});
}

TEST_F(Desk, OverridesWhatALinkDeliversUntilItIsFreed) {
  Do({{"do", "step"}, {"passes", 2}});
  Do({{"do", "override"}, {"item", "r.in"}, {"values", {100.0}}});
  // What the component gets, though it was given something else until now.
  Json values = Do({{"do", "values"}, {"item", "r.in"}});
  EXPECT_EQ(values["values"], Json::array({100.0}));
  EXPECT_EQ(values["overridden"], true);
  EXPECT_EQ(values["pending"], true);
  EXPECT_TRUE(values["begin"].is_null());
  Do({{"do", "step"}, {"passes", 2}});
  values = Do({{"do", "values"}, {"item", "r.in"}});
  EXPECT_EQ(values["values"], Json::array({100.0}));
  EXPECT_EQ(values["overridden"], true);
  EXPECT_FALSE(values.contains("pending"));
  EXPECT_EQ(values["begin"], "2015-12-01T04:00:00Z");
  Do({{"do", "override"}, {"item", "r.in"}, {"values", {50.0}}});
  values = Do({{"do", "values"}, {"item", "r.in"}});
  EXPECT_EQ(values["values"], Json::array({50.0}));
  EXPECT_EQ(values["pending"], true);
  Do({{"do", "free"}, {"item", "a.out"}});
  values = Do({{"do", "values"}, {"item", "r.in"}});
  EXPECT_EQ(values["values"], Json::array({100.0})) << "what it was last given";
  EXPECT_EQ(values["overridden"], false);
  EXPECT_EQ(values["freed"], true);
  Do({{"do", "step"}});
  values = Do({{"do", "values"}, {"item", "r.in"}});
  EXPECT_EQ(values["values"], Do({{"do", "values"}, {"item", "a.out"}})["values"]);
  EXPECT_EQ(values["overridden"], false);
  EXPECT_FALSE(values.contains("freed"));
  EXPECT_THAT(Refused({{"do", "free"}, {"item", "r.in"}}), HasSubstr("nothing to free"));
  const RunRecord& record = Finish();
  Made plain(ComponentXml("a", "Source", ArgumentXml("gives", "instant")) + ComponentXml("r", "Relay") +
             LinkXml("a.out", "r.in") + "<Observe Item=\"r.out\"/>" + RunXml());
  const RunRecord expected = plain.Run();
  ASSERT_EQ(record.series[0].values.size(), expected.series[0].values.size());
  std::size_t differing = 0;
  for (std::size_t i = 0; i < record.series[0].values.size(); ++i) {
    if (record.series[0].values[i] != expected.series[0].values[i]) ++differing;
  }
  EXPECT_EQ(differing, 2U);
}

TEST_F(Desk, WhatAnOperatorChangesIsNoted) {
  Do({{"do", "step"}, {"passes", 2}});
  Do({{"do", "override"}, {"item", "r.in"}, {"values", {100.0}}});
  Do({{"do", "step"}, {"passes", 1}});
  Do({{"do", "free"}, {"item", "r.in"}});
  const RunRecord& record = Finish();
  std::string notes;
  for (const Problem& problem : record.problems) notes += FormatProblem(problem) + "\n";
  EXPECT_THAT(notes, HasSubstr("r.in: overridden with 100 at 2015-12-01T02:00:00Z"));
  EXPECT_THAT(notes, HasSubstr("r.in: freed, so that its link delivers again, at 2015-12-01T03:00:00Z"));
}

TEST_F(Desk, RefusesWhatItCannotDo) {
  EXPECT_THAT(Refused({{"do", "lsit"}}), HasSubstr("list"));
  EXPECT_THAT(Refused({{"no", "word"}}), HasSubstr("'do'"));
  EXPECT_THAT(Refused({{"do", "values"}, {"item", "r.otu"}}), HasSubstr("r.otu"));
  EXPECT_THAT(Refused({{"do", "values"}, {"item", "nothing"}}), HasSubstr("component.item"));
  EXPECT_THAT(Refused({{"do", "override"}, {"item", "r.in"}, {"values", {1, 2, 3}}}),
              HasSubstr("expected 1 value, found 3"));
  for (const Json& passes : {Json(0), Json(-1), Json(1.5), Json("2"), Json(nullptr)}) {
    EXPECT_THAT(Refused({{"do", "step"}, {"passes", passes}}), HasSubstr("whole number"));
  }
  EXPECT_THAT(Refused({{"do", "override"}, {"item", "r.in"}, {"values", {"a"}}}), HasSubstr("expected numbers"));
  EXPECT_THAT(Refused({{"do", "override"}, {"item", "r.more"}, {"values", {1}}}), HasSubstr("r.more"));
  EXPECT_THAT(Refused({{"do", "set"}, {"component", "a"}, {"key", "scale"}, {"value", 2}}),
              HasSubstr("disengage the family of the component"));
  EXPECT_THAT(Refused({{"do", "set"}, {"component", "a"}, {"key", "scael"}, {"value", 2}}), HasSubstr("scale"));
  EXPECT_THAT(Refused({{"do", "checkpoint"}}), HasSubstr("for a checkpoint, found none"));
  EXPECT_THAT(Refused({{"do", "disengage"}, {"family", "nobody"}}), HasSubstr("nobody"));
  for (const char* line :
       {"", "[]", "7", "{", "\"do\"", "{\"do\":7}", "{\"do\":null}", "\xff\xfe", "{\"do\":\"\xc3\x28\"}"}) {
    EXPECT_FALSE(Ask(line).value("ok", true)) << line;
  }
  EXPECT_FALSE(Ask(std::string(60'000, '[')).value("ok", true));
  // A key that stands twice is one request to one reader and another to the next.
  for (const char* line : {R"({"do":"status","do":"end"})", R"({"do":"end","reason":"a","reason":"b"})",
                           R"({"do":"status","id":{"a":1,"b":{"a":2},"a":3}})"}) {
    EXPECT_THAT(Ask(line).value("error", ""), HasSubstr("expected each key once in a request, found '")) << line;
  }
  EXPECT_TRUE(Ask(R"({"do":"status","id":{"a":1,"b":{"a":2}}})").value("ok", false));
  Finish();
  EXPECT_TRUE(record_.is_complete);
}

TEST_F(Desk, RandomLinesChangeNothing) {
  const char* words[] = {"do", "list", "status", "values", "item", "r.in",  "component", "key",  "{",  "}",
                         "\"", ":",    ",",      "[",      "]",    "1e999", "-",         "null", "\\", "family"};
  std::mt19937 random(11);
  for (int i = 0; i < 3000; ++i) {
    std::string line;
    for (std::size_t n = random() % 12; n > 0; --n) line += words[random() % std::size(words)];
    if (i % 4 == 0) line.insert(line.begin(), static_cast<char>(random()));
    EXPECT_TRUE(Json::parse(desk_->Answer(line)).is_object());
  }
  const RunRecord& record = Finish();
  EXPECT_TRUE(record.is_complete);
  Made plain(ComponentXml("a", "Source", ArgumentXml("gives", "instant")) + ComponentXml("r", "Relay") +
             LinkXml("a.out", "r.in") + "<Observe Item=\"r.out\"/>" + RunXml());
  EXPECT_EQ(record.series[0].values, plain.Run().series[0].values);
}

}  // namespace
}  // namespace openmi::testing
