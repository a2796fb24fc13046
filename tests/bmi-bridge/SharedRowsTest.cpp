// Large rows are shown where the model keeps them, as long as nobody looks back.

#include <deque>

#include "composition/proxy/OutputProxy.hpp"
#include "tests/bmi-bridge/BmiFixture.hpp"
#include "timespace/testing/ProbeInput.hpp"

namespace openmi::bmi {
namespace {

constexpr const char* kSharedPlate = "60 40 0.5 100\n";  // 2400 values
const Stamp kFirst{58849.0};

/// Takes an array at the end of each of its steps.
class Taker final : public SteppingComponent {
 public:
  explicit Taker(std::shared_ptr<const ISpatialDefinition> where, const std::string& step = "0.5 s")
      : SteppingComponent("taker", step), where_(std::move(where)) {}
  NumericInput& Input() const { return input_.Item(); }
  std::deque<std::vector<double>> rows;

 private:
  void Setup() override { input_ = AddInput("temperature", "K", where_); }
  void Step(Stamp, Stamp) override { rows.emplace_back(input_.Values().begin(), input_.Values().end()); }

  std::shared_ptr<const ISpatialDefinition> where_;
  ArrayInput input_;
};

struct Plate : Bench {
  Plate() : Bench(ExampleLibrary("heat_c"), {}) {
    driver.Set("config-file", folder.Write("plate.cfg", kSharedPlate));
    driver.Initialize();
  }
  std::shared_ptr<const ISpatialDefinition> Where() { return {std::shared_ptr<void>(), Output().SpatialDefinition()}; }
  ScratchFolder folder{"bmi"};
};

/// What the model gives when it is asked for each row at once.
std::vector<std::vector<double>> Expected(int steps) {
  Plate plate;
  plate.driver.Prepare();
  ProbeInput probe;
  plate.Output().AddConsumer(probe);
  std::vector<std::vector<double>> rows;
  for (int i = 0; i < steps; ++i) {
    plate.driver.Update();
    rows.push_back(plate.Row());
  }
  EXPECT_EQ(plate.component.ShownRows(), 0u) << "a stranger may look back";
  plate.Output().RemoveConsumer(probe);
  return rows;
}

TEST(SharedRows, AreNotCopiedForOneTaker) {
  for (const bool with_proxy : {false, true}) {
    Plate plate;
    std::unique_ptr<OutputProxy> proxy;
    if (with_proxy) proxy = std::make_unique<OutputProxy>(plate.Output());
    Taker taker(plate.Where());
    Driver driver(taker);
    driver.Set("start-time", "2020-01-01T00:00Z");
    driver.Initialize();
    ITimeSpaceOutput& source = with_proxy ? static_cast<ITimeSpaceOutput&>(*proxy) : plate.Output();
    source.AddConsumer(taker.Input());
    plate.driver.Prepare();
    driver.Prepare();
    const std::uint64_t at_begin = plate.component.CopiedValues();
    for (int i = 0; i < 30; ++i) driver.Update();
    EXPECT_EQ(plate.component.CopiedValues(), at_begin);
    EXPECT_EQ(plate.component.ShownRows(), 30u);
    EXPECT_EQ(std::vector(taker.rows.begin(), taker.rows.end()), Expected(30));
    // What is shown last stays, in memory of the item's own, when the model gives its memory back.
    const NumericOutput& output = plate.Output();
    plate.driver.Finish();
    EXPECT_EQ(std::vector(output.LastRow().begin(), output.LastRow().end()), taker.rows.back());
    EXPECT_EQ(plate.component.CopiedValues(), at_begin + 2400);
    source.RemoveConsumer(taker.Input());
  }
}

TEST(SharedRows, AreCopiedWhereASecondTakerComes) {
  Plate plate;
  Taker first(plate.Where());
  Taker second(plate.Where(), "2.5 s");
  for (Taker* taker : {&first, &second}) {
    Driver(*taker).Set("start-time", "2020-01-01T00:00Z").Initialize();
  }
  plate.Output().AddConsumer(first.Input());
  plate.driver.Prepare();
  first.Prepare();
  second.Prepare();
  for (int i = 0; i < 5; ++i) first.Update({});
  EXPECT_EQ(plate.component.ShownRows(), 5u);
  plate.Output().AddConsumer(second.Input());
  for (int i = 0; i < 5; ++i) first.Update({});
  EXPECT_EQ(plate.component.ShownRows(), 5u) << "the second may still hold what the first has done with";
  second.Update({});  // to 2.5 s, where the first was before
  second.Update({});
  const auto expected = Expected(10);
  EXPECT_EQ(std::vector(first.rows.begin(), first.rows.end()), expected);
  EXPECT_EQ(second.rows.front(), expected[4]) << "the row that was shown was kept when the second came";
  EXPECT_EQ(second.rows.back(), expected[9]);
  plate.Output().RemoveConsumer(second.Input());
  for (int i = 0; i < 2; ++i) first.Update({});
  EXPECT_EQ(plate.component.ShownRows(), 7u);
  plate.Output().RemoveConsumer(first.Input());
}

TEST(SharedRows, AreKeptWhereTheModelRunsAhead) {
  Plate plate;
  Taker taker(plate.Where());
  Driver(taker).Set("start-time", "2020-01-01T00:00Z").Initialize();
  plate.Output().AddConsumer(taker.Input());
  plate.driver.Prepare();
  taker.Prepare();
  for (int i = 0; i < 4; ++i) plate.driver.Update();  // by somebody else
  for (int i = 0; i < 6; ++i) taker.Update({});
  EXPECT_EQ(std::vector(taker.rows.begin(), taker.rows.end()), Expected(6));
  plate.Output().RemoveConsumer(taker.Input());
}

TEST(SharedRows, SmallOnesAreCopied) {
  OddBench bench("grid large none");
  bench.driver.Initialize();
  bench.driver.Prepare();
  bench.driver.Update();
  EXPECT_EQ(bench.component.ShownRows(), 1u) << "5000 values, taken by nobody";
  OddBench small("grid points node");
  small.driver.Initialize();
  small.driver.Prepare();
  small.driver.Update();
  EXPECT_EQ(small.component.ShownRows(), 0u);
  OddBench without("grid large none\nnull get_value_ptr");
  without.driver.Initialize();
  without.driver.Prepare();
  without.driver.Update();
  EXPECT_EQ(without.component.ShownRows(), 0u);
  EXPECT_EQ(without.Row()[4999], 60.0 + 4999.0);
}

TEST(SharedRows, AreGoneWhereTheModelFails) {
  Plate plate;
  plate.driver.Prepare();
  plate.driver.Update();
  EXPECT_EQ(plate.component.ShownRows(), 1u);
  plate.driver.Finish();
  OddBench bench("grid large none\nfail update");
  bench.driver.Initialize();
  bench.driver.Prepare();
  EXPECT_THROW(bench.driver.Update(), ModelError);
  bench.driver.Finish();
}

}  // namespace
}  // namespace openmi::bmi
