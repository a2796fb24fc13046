// What is seen of groups on other hosts: their times, bytes and elements, how far they are, and that an operator
// reaches them.

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>
#include <thread>

#include "composition/control/ControlDesk.hpp"
#include "composition/isolation/IsolatedComponent.hpp"
#include "composition/isolation/Wire.hpp"
#include "composition/link/Groups.hpp"
#include "composition/report/HtmlSections.hpp"
#include "composition/report/RunReport.hpp"
#include "tests/composition/hosts/OnHosts.hpp"

namespace openmi::testing {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using Json = nlohmann::json;

std::string Rows(const std::string& id, const std::string& type, const std::string& how,
                 const std::string& arguments = {}) {
  return "<Component Id=\"" + id + "\" Type=\"test." + type + "\" Assembly=\"" + OPENMI_BINARY_DIR +
         "/tests/isolation-plugins/librow_components.so\" " + how + ">" + arguments + "</Component>\n";
}

/// a and b in one group, c in another, d in a process of its own, e in the run.
std::string Valleys() {
  const std::string many = ArgumentXml("elements", "2000");
  return Rows("a", "Wave", kUp, many) + Rows("b", "Wave", kUp, many) + Rows("c", "Wave", kDown, many) +
         Rows("d", "Wave", "Isolation=\"instance\"", many) + Rows("e", "Wave", "", many) + LinkXml("a.out", "b.take") +
         LinkXml("b.out", "c.take") + LinkXml("c.out", "d.take") + LinkXml("d.out", "e.take") +
         "<Observe Item=\"e.out\" Elements=\"e7\"/>" + RunXml();
}

TEST(Watch, RecordsTimesAndBytesOfEachProcess) {
  Made made = MadeAt(Valleys(), PlacedAt({"up=one", "down=two"}));
  ASSERT_THAT(made.Text(), IsEmpty());
  RunRecord record = made.Run();
  ASSERT_THAT(ErrorsOf(record), IsEmpty());
  const RecordedWorkers& workers = record.workers;
  EXPECT_THAT(workers.columns, ElementsAre("computing", "the run", "others", "up", "down", "d"));
  ASSERT_EQ(workers.workers.size(), 3U);
  for (const auto& worker : workers.workers) {
    const double all = std::accumulate(worker.times.begin(), worker.times.end(), 0.0);
    EXPECT_NEAR(all, record.wall_seconds, 0.01 * record.wall_seconds + 1e-3);
    EXPECT_GT(workers.SecondsOf(worker, WorkerTimes::kComputing), 0.0);
    EXPECT_GT(worker.figures.process, 0);
    EXPECT_FALSE(worker.figures.host.empty());
    EXPECT_GT(worker.figures.messages_to, 0U);
    EXPECT_GT(worker.figures.messages_from, 0U);
  }
  const auto& [up, down, d] = std::tie(workers.workers[0], workers.workers[1], workers.workers[2]);
  EXPECT_EQ(up.figures.components, "a, b");
  EXPECT_EQ(up.figures.placed, "one");
  EXPECT_EQ(d.figures.name, "d");
  EXPECT_NE(up.figures.process, down.figures.process);
  EXPECT_GT(workers.SecondsOf(down, WorkerTimes::kParties), 0.0) << "down waited for up";
  // 25 rows of b went to the worker of c, and none of them to the run; a row of c goes to d through both.
  constexpr std::uint64_t kRow = 2000 * 8;
  ASSERT_EQ(up.figures.paths.size(), 2U);
  const RowPathFigures& out = up.figures.paths[up.figures.paths[0].to == 0 ? 1 : 0];
  EXPECT_TRUE(out.is_network);
  EXPECT_EQ(out.rows, 25U);
  EXPECT_EQ(out.bytes, 25U * kRow);
  EXPECT_EQ(up.figures.rows_from, 0U);

  const Json json = RunToJson(*made.composition, record, Json::array());
  ASSERT_EQ(json["processes"].size(), 3U);
  const Json& of_up = json["processes"][0];
  EXPECT_EQ(of_up["name"], "up");
  EXPECT_EQ(of_up["timeline"]["bins"].size(), workers.bins);
  EXPECT_NEAR(of_up["computing_seconds"].get<double>(), workers.SecondsOf(up, 0), 1e-9);
  RunRecord many = record;
  many.workers.workers.resize(100, up);
  const Json all = RunToJson(*made.composition, many, Json::array())["processes"];
  ASSERT_EQ(all.size(), 100U);
  EXPECT_EQ(std::ranges::count_if(all, [](const Json& one) { return one.contains("timeline"); }), 24)
      << "as many as the report draws";
  ReportModel model;
  model.workers = workers;
  const std::string page = HtmlReport(model);
  for (const char* text : {"id=\"processes\"", "data-waits", "its own memory", "the network", "The same as a table"}) {
    EXPECT_NE(page.find(text), std::string::npos) << text;
  }
}

TEST(Watch, ARunWithoutProcessesShowsNone) {
  Made made(Rows("a", "Wave", kUp) + "<Observe Item=\"a.out\"/>" + RunXml());
  const RunRecord record = made.Run();
  EXPECT_THAT(record.workers.workers, IsEmpty());
  EXPECT_THAT(StatesOfGroups(*made.composition), IsEmpty());
  ReportModel model;
  model.workers = record.workers;
  EXPECT_EQ(HtmlReport(model).find("id=\"processes\""), std::string::npos);
  EXPECT_FALSE(RunToJson(*made.composition, record, Json::array()).contains("processes"));
}

/// The bytes that the items of a component take if each has its elements.
std::uint64_t BytesOfItems(IBaseLinkableComponent& component) {
  StateWriter writer;
  for (const IBaseInput* item : component.Inputs()) WriteItem(writer, dynamic_cast<const ITimeSpaceInput&>(*item));
  for (const IBaseOutput* item : component.Outputs()) WriteItem(writer, dynamic_cast<const ITimeSpaceOutput&>(*item));
  return writer.Bytes().size();
}

TEST(Watch, ElementsThatManyItemsShareCrossOnce) {
  for (const char* copies : {"false", "true"}) {
    const std::string how = ArgumentXml("elements", "10000") + ArgumentXml("copies", copies);
    std::string body = Rows("a", "Sharer", kUp, how) + Rows("b", "Sharer", kDown, how);
    for (int i = 0; i < 20; ++i) body += LinkXml("a.out" + std::to_string(i), "b.in" + std::to_string(i));
    body += "<Observe Item=\"b.out0\" Elements=\"cell7\"/>" + RunXml("2015-12-01T02:00Z");
    Made made = MadeAt(body, PlacedAt({"up=one", "down=two"}));
    ASSERT_THAT(made.Text(), IsEmpty());
    const std::uint64_t whole = BytesOfItems(made.Get<IsolatedComponent>("a"));
    const std::uint64_t of_one = whole / 40;
    const RunRecord record = made.Run();
    ASSERT_THAT(ErrorsOf(record), IsEmpty());
    const WorkerFigures& a = record.workers.workers[0].figures;
    const WorkerFigures& b = record.workers.workers[1].figures;
    EXPECT_GT(whole, 40'000'000U);
    EXPECT_LT(a.messages_from, of_one + 100'000) << "of 40 items, up to the run";
    EXPECT_LT(b.messages_from, of_one + 100'000);
    EXPECT_LT(b.messages_to, 100'000U) << "its inputs are named what it sent itself";
    RecordProperty("bytes_whole", std::to_string(whole));
    RecordProperty("bytes_sent", std::to_string(a.messages_from));
  }
}

/// A run in a thread of its own; the test is the operator.
class Operator {
 public:
  explicit Operator(Made& made) : made_(made), run_(*made.composition, made.problems, Options()), desk_(run_) {
    run_.Pause();
    thread_ = std::thread([this] {
      run_.Begin();
      while (run_.Advance()) {
      }
      desk_.Close();
      record_ = run_.End();
    });
  }
  ~Operator() {
    if (!thread_.joinable()) return;
    run_.RequestEnd("the test is over");
    run_.Resume();
    thread_.join();
  }
  Json Do(const Json& request) {
    const Json answer = Json::parse(desk_.Answer(request.dump()));
    EXPECT_TRUE(answer.value("ok", false)) << request << answer;
    return answer;
  }
  Json Values(const std::string& item) { return Do({{"do", "values"}, {"item", item}})["values"]; }
  RunRecord End() {
    run_.Resume();
    thread_.join();
    return std::move(record_);
  }
  Made& made_;

 private:
  static RunOptions Options() {
    RunOptions options;
    options.write_results = false;
    return options;
  }
  CompositionRun run_;
  ControlDesk desk_;
  std::thread thread_;
  RunRecord record_;
};

TEST(Watch, AnOperatorReachesEveryGroup) {
  const auto body = [](const std::string& up, const std::string& down) {
    return Apart("a", "Memory", up) + Apart("b", "Memory", up) + Apart("t", "Doors", down) +
           Apart("c", "Memory", down) + LinkXml("a.out", "b.take") + LinkXml("b.out", "c.take") +
           "<Observe Item=\"c.out\"/>" + RunXml();
  };
  /// What an operator sees in a run with the same requests.
  const auto watch = [](Made& made) {
    EXPECT_THAT(made.Text(), IsEmpty());
    Operator one(made);
    std::vector<Json> seen;
    one.Do({{"do", "step"}, {"passes", 3}});
    const Json list = one.Do({{"do", "list"}});
    for (const Json& component : list["components"]) seen.push_back({component["now"], component["steps"]});
    for (const char* item : {"a.out", "b.take", "b.out", "c.take", "c.out", "t.out"}) seen.push_back(one.Values(item));
    seen.push_back(one.Do({{"do", "balances"}})["links"]);
    one.Do({{"do", "override"}, {"item", "c.take"}, {"values", 7.5}});
    one.Do({{"do", "step"}, {"passes", 2}});
    seen.push_back(one.Values("c.out"));
    one.Do({{"do", "free"}, {"item", "c.take"}});
    one.Do({{"do", "set"}, {"component", "t"}, {"key", "gain"}, {"value", "3"}});
    one.Do({{"do", "step"}, {"passes", 2}});
    seen.push_back(one.Values("c.out"));
    seen.push_back(one.Values("t.out"));
    const std::string family = list["components"][0]["family"];
    one.Do({{"do", "disengage"}, {"family", family}});
    EXPECT_EQ(one.Do({{"do", "family"}, {"family", family}})["status"], "disengaged");
    one.Do({{"do", "engage"}, {"family", family}});
    one.Do({{"do", "step"}});
    seen.push_back(one.Values("c.out"));
    EXPECT_EQ(one.Do({{"do", "status"}})["state"], "paused");
    const RunRecord record = one.End();
    EXPECT_THAT(ErrorsOf(record), IsEmpty());
    for (const std::vector<double>& series : SeriesOf(record)) seen.push_back(series);
    return seen;
  };
  Made plain(body("", ""));
  const std::vector<Json> expected = watch(plain);
  for (const std::vector<std::string>& places :
       {std::vector<std::string>{"up=one", "down=two"}, {"up=localhost", "down=two"}}) {
    Made made = MadeAt(body(kUp, kDown), PlacedAt(places));
    EXPECT_EQ(watch(made), expected);
    Made again = MadeAt(body(kUp, kDown), PlacedAt(places));
    Operator one(again);
    const Json list = one.Do({{"do", "list"}});
    EXPECT_EQ(list["components"][0]["group"], "up");
    EXPECT_EQ(list["components"][3]["host"], "two");
  }
}

TEST(Watch, GroupsSayHowFarTheyAreAndThatTheyAreLost) {
  Made made = MadeAt(Valleys(), PlacedAt({"up=one", "down=two"}));
  ASSERT_THAT(made.Text(), IsEmpty());
  RunOptions options;
  options.write_results = false;
  CompositionRun run(*made.composition, made.problems, options);
  run.Begin();
  for (int i = 0; i < 3; ++i) run.Advance();
  std::vector<GroupState> groups = StatesOfGroups(*made.composition);
  ASSERT_EQ(groups.size(), 2U);
  EXPECT_EQ(groups[0].id, "up");
  EXPECT_EQ(groups[1].host, "two");
  EXPECT_EQ(groups[0].state, "");
  ASSERT_TRUE(groups[1].now.has_value());
  EXPECT_EQ(groups[1].now->mjd, (Stamp{kDayOne} + Hours(3)).mjd);
  made.Get<IsolatedComponent>("c").Process().Kill("was ended by the test");
  while (run.Advance()) {
  }
  groups = StatesOfGroups(*made.composition);
  EXPECT_EQ(groups[1].state, "lost");
  EXPECT_EQ(groups[0].state, "");
  const RunRecord record = run.End();
  const WorkerFigures& lost = record.workers.workers[1].figures;
  EXPECT_GE(lost.lost_after.value_or(-1.0), 0.0);
  EXPECT_LE(lost.lost_after.value_or(0.0), record.wall_seconds);
  ASSERT_TRUE(lost.lost_at);
  EXPECT_EQ(lost.lost_at->mjd, (Stamp{kDayOne} + Hours(3)).mjd);
  EXPECT_FALSE(record.workers.workers[0].figures.lost_after);
  const Json json = RunToJson(*made.composition, record, Json::array());
  EXPECT_EQ(json["processes"][1]["lost"]["time"], "2015-12-01T03:00:00Z");
  EXPECT_FALSE(json["processes"][0].contains("lost"));
  ReportModel model;
  model.workers = record.workers;
  const std::string page = HtmlReport(model);
  EXPECT_THAT(page, AllOf(HasSubstr("lost after "), HasSubstr(", at 2015-12-01T03:00:00Z"), HasSubstr("class=\"lost\""),
                          HasSubstr(">PID<")));
}

}  // namespace
}  // namespace openmi::testing
