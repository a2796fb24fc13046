#include <cmath>

#include "openmi/omi/LoadOmi.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Quantity.hpp"
#include "tests/components/SeriesFixture.hpp"
#include "timespace/elements/ElementSet.hpp"
#include "timespace/testing/TableComponent.hpp"

namespace openmi::test {
namespace {

using ::testing::AllOf;
using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

using Expression = ReadyComponents;

Settings OverThreeHours(Settings settings) {
  settings.insert(settings.end(), {{"start-time", "2020-01-01T00:00Z"}, {"end-time", "2020-01-01T03:00Z"}});
  return settings;
}

/// The rows of a table over the hours of the run.
std::vector<TableRow> Hourly(const std::vector<std::vector<double>>& rows) {
  std::vector<TableRow> table;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Stamp begin = At("2020-01-01T00:00Z") + Hours(static_cast<double>(i));
    table.push_back({begin, rows[i], At("2020-01-01T00:00Z") + Hours(static_cast<double>(i) + 1.0) - begin});
  }
  return table;
}

TEST_F(Expression, SeveralOutputsMeet) {
  const auto where = std::make_shared<const ElementSet>(ElementSet::IdBased("ids", {"a", "b"}));
  TableComponent u(Hourly({{3, 5}, {0, NAN}, {1, 1}}), "m s-1", where);
  TableComponent v(Hourly({{4, 12}, {-2, 1}, {0, 1}}), "m s-1", where);
  // A wind of u and v, and its components in axes turned by 90 degrees.
  const LoadedComponent expression =
      Make("openmi.Expression", OverThreeHours({{"inputs", "u[m s-1],v[m s-1]"},
                                                {"outputs",
                                                 "speed = sqrt(u^2 + v^2) [m s-1]; along = u*cos(pi/2) + v*sin(pi/2) "
                                                 "[m s-1]; gale = sqrt(u^2+v^2) >= 5 ? 1 : 0"},
                                                {"elements", "a,b"}}));
  Driver driver(*expression.component);
  driver.Initialize();
  u.Initialize();
  v.Initialize();
  u.Output().AddConsumer(*expression.component->Inputs()[0]);
  v.Output().AddConsumer(*expression.component->Inputs()[1]);
  EXPECT_TRUE(driver.Validate());
  u.Prepare();
  v.Prepare();
  driver.Prepare();
  ProbeInput probe;
  const Stamp begin = At("2020-01-01T00:00Z");
  Output(expression, "speed").AddConsumer(probe);
  EXPECT_THAT(probe.Row(Output(expression, "speed"), begin, begin + Hours(1)), ElementsAre(5.0, 13.0));
  ProbeInput other;
  EXPECT_THAT(other.Row(Output(expression, "along"), begin, begin + Hours(1)),
              ElementsAre(DoubleNear(4.0, 1e-14), DoubleNear(12.0, 1e-14)));
  EXPECT_THAT(other.Row(Output(expression, "gale"), begin, begin + Hours(1)), ElementsAre(1.0, 1.0));
  const std::vector<double> second = probe.Row(Output(expression, "speed"), begin + Hours(1), begin + Hours(2));
  EXPECT_EQ(second[0], 2.0);
  EXPECT_TRUE(std::isnan(second[1]));
  Output(expression, "speed").RemoveConsumer(probe);
}

TEST_F(Expression, NamesTheQuantityOfEachOutput) {
  const LoadedComponent expression =
      Make("openmi.Expression", OverThreeHours({{"inputs", "a[mm h-1]"}, {"outputs", "runoff=0.3*a[mm h-1]"}}));
  expression.component->Initialize();
  const auto& quantity = dynamic_cast<const IQuantity&>(Output(expression, "runoff").ValueDefinition());
  EXPECT_EQ(quantity.Caption(), "runoff");
  EXPECT_EQ(quantity.Unit().Caption(), "mm h-1");
}

TEST_F(Expression, SaysWhatIsWrong) {
  const auto refusal = [&](const std::string& inputs, const std::string& outputs) {
    return Refusal("openmi.Expression", OverThreeHours({{"inputs", inputs}, {"outputs", outputs}}));
  };
  EXPECT_THAT(refusal("a,b", "c=a+d"), AllOf(HasSubstr("outputs"), HasSubstr("formula of a, b"), HasSubstr("a+d")));
  EXPECT_THAT(refusal("a,b", "a+b"), HasSubstr("expected name=formula[unit], found 'a+b'"));
  EXPECT_THAT(refusal("a,a", "c=a"), HasSubstr("found 'a' twice"));
  EXPECT_THAT(refusal("a", "c=a; c=2*a"), HasSubstr("found 'c' twice"));
  EXPECT_THAT(refusal("a", ";"), HasSubstr("at least one output"));
  EXPECT_THAT(refusal("wind-u", "c=2"), HasSubstr("wind-u"));
  EXPECT_THAT(refusal("a", "c=a[parsecs per fortnight x]"), HasSubstr("parsecs"));
}

}  // namespace
}  // namespace openmi::test
