#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "openmi/sdk/Error.hpp"
#include "timespace/elements/ElementSet.hpp"
#include "timespace/testing/Driver.hpp"
#include "timespace/testing/TableComponent.hpp"

namespace openmi {
namespace {

/// A reservoir whose items depend on an argument, and that takes from a provider.
class Cascade final : public SteppingComponent {
 public:
  Cascade() : SteppingComponent("cascade", "PT1H") {
    count_ = AddArgument<int>("count", {.value = 3, .minimum = 1});
    inflow_ = AddInput("inflow", "m3 s-1", {.default_value = 1.0});
    SetRestartable(true);
  }
  std::vector<std::vector<double>> rows;  // of the run

 private:
  void Setup() override {
    std::vector<std::string> ids;
    for (int i = 0; i < count_.Value(); ++i) ids.push_back(std::to_string(i));
    storages_.assign(ids.size(), 0.0);
    outflow_ = AddOutput("outflow", "m3 s-1", std::make_shared<const ElementSet>(ElementSet::IdBased("cascade", ids)));
    rows.clear();
  }
  void Step(Stamp, Stamp) override {
    double inflow = inflow_.Get();
    const std::span<double> next = outflow_.Next();
    for (std::size_t i = 0; i < storages_.size(); ++i) {
      storages_[i] += inflow;
      inflow = next[i] = 0.37 * storages_[i];
      storages_[i] -= next[i];
    }
    rows.emplace_back(next.begin(), next.end());
  }
  Argument<int> count_;
  ScalarInput inflow_;
  ArrayOutput outflow_;
  std::vector<double> storages_;
};

TEST(Restart, TheSecondRunIsTheFirstAgain) {
  std::vector<TableRow> table_rows;
  for (int i = 0; i <= 48; ++i) table_rows.push_back({Stamp{58849.0} + Hours(i), {std::sqrt(i + 0.5)}});
  TableComponent table(table_rows, "m3 s-1");
  Cascade cascade;
  Driver above(table);
  Driver driver(cascade);
  driver.Set("start-time", "2020-01-01T00:00Z").Set("end-time", "2020-01-03T00:00Z");
  const auto run = [&] {
    above.Initialize();
    driver.Initialize();
    if (cascade.Inputs()[0]->Provider() == nullptr) table.Output().AddConsumer(*cascade.Inputs()[0]);
    EXPECT_TRUE(driver.Validate());
    above.Prepare();
    driver.Prepare();
    driver.UpdateToEnd();
    above.Finish();
    driver.Finish();
    EXPECT_EQ(cascade.Status(), LinkableComponentStatus::Created);
    return cascade.rows;
  };
  const auto first = run();
  ASSERT_EQ(first.size(), 48u);
  driver.ForgetEvents();
  EXPECT_EQ(run(), first);
  EXPECT_EQ(driver.Statuses().back(), LinkableComponentStatus::Created);
  // Other arguments, another run: items that depend on them are made anew.
  driver.Set("count", "5");
  const auto third = run();
  EXPECT_EQ(third.back().size(), 5u);
  EXPECT_EQ(third.back()[2], first.back()[2]);
}

TEST(Restart, ItemsCannotBeReachedBetweenTwoRuns) {
  TableComponent table({{Stamp{60000.0}, {1.0}}, {Stamp{60001.0}, {2.0}}});
  Driver driver(table);
  driver.Run();
  EXPECT_EQ(table.Status(), LinkableComponentStatus::Created);
  EXPECT_THROW(static_cast<void>(table.Outputs()), StateError);
  EXPECT_THROW(driver.Update(), StateError);
}

}  // namespace
}  // namespace openmi
