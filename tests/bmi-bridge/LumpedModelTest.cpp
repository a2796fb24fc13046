// Parameters of models, the place of lumped ones, and outputs that are not set before the first update.

#include <cmath>

#include "tests/bmi-bridge/BmiFixture.hpp"
#include "timespace/elements/ElementSet.hpp"

namespace openmi::bmi {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

/// What the model of a configuration has published at the start of its run, output by output.
std::vector<double> AtTheStart(OddBench& bench) {
  EXPECT_EQ(bench.Problem(), "");
  EXPECT_TRUE(bench.driver.Validate());
  bench.driver.Prepare();
  std::vector<double> values;
  for (std::size_t i = 0; i < bench.component.Outputs().size(); ++i) values.push_back(bench.Row(i).at(0));
  return values;
}

TEST(ModelParameters, AreGivenToSetValueThoughNoListNamesThem) {
  OddBench plain(""), set("", {{"parameters", "k=7.5"}});
  ASSERT_EQ(plain.Problem(), "");
  ASSERT_EQ(set.Problem(), "");
  plain.driver.Prepare();
  set.driver.Prepare();
  plain.driver.Update();
  set.driver.Update();
  EXPECT_EQ(plain.Row(), std::vector<double>{60.0});
  EXPECT_EQ(set.Row(), std::vector<double>{67.5});
}

TEST(ModelParameters, SayWhatIsWrong) {
  const auto problem = [](const std::string& parameters) {
    OddBench bench("", {{"parameters", parameters}});
    return bench.Problem();
  };
  EXPECT_THAT(problem("satdk=1e-6"), AllOf(HasSubstr("parameters"), HasSubstr("'satdk'"), HasSubstr("set_value")));
  EXPECT_THAT(problem("k=fast"), HasSubstr("expected numbers, found 'fast'"));
  EXPECT_THAT(problem("k="), HasSubstr("expected a value, found none"));
  EXPECT_THAT(problem("u=1 2"), HasSubstr("expected 1 values, found 2"));
  OddBench bench("", {{"inputs", "k"}});
  EXPECT_THAT(bench.Problem(), HasSubstr("argument parameters"));
}

TEST(UnsetOutputs, AreMissingAtTheStartWhereTheirMemoryShowsIt) {
  for (const char* garbage : {"3.98e252", "4.65e-310", "-inf"}) {
    OddBench bench(std::string("variables 3\nunset ") + garbage);
    const std::vector<double> start = AtTheStart(bench);
    for (const double value : start) EXPECT_TRUE(std::isnan(value)) << garbage << ": " << value;
    bench.driver.Update();
    EXPECT_EQ(bench.Row(2), std::vector<double>{62.0}) << garbage;
  }
  OddBench bench("variables 3\nunset 3.98e252"), plain("variables 3");
  ASSERT_EQ(bench.Problem(), "");
  ASSERT_EQ(plain.Problem(), "");
  EXPECT_THAT(bench.Messages(), AllOf(HasSubstr("uninitialized memory (see 'x1')"), HasSubstr("unset-at-start")));
  EXPECT_THAT(plain.Messages(), Not(HasSubstr("uninitialized")));
}

TEST(UnsetOutputs, AreThoseOfTheArgumentWhereItIsGiven) {
  OddBench named("variables 3\nunset 0.5", {{"unset-at-start", "x2"}});
  EXPECT_THAT(AtTheStart(named), ElementsAre(0.0, 0.5, testing::IsNan()));
  OddBench none("variables 2\nunset 3.98e252", {{"unset-at-start", "none"}});
  EXPECT_THAT(AtTheStart(none), ElementsAre(0.0, 3.98e252));
  OddBench all("variables 2", {{"unset-at-start", "*"}});
  EXPECT_THAT(AtTheStart(all), ElementsAre(testing::IsNan(), testing::IsNan()));
  OddBench wrong("", {{"unset-at-start", "y"}});
  EXPECT_THAT(wrong.Problem(), AllOf(HasSubstr("unset-at-start"), HasSubstr("'y'")));
}

TEST(LumpedModel, HasTheElementOfAFileAndItsArea) {
  OddBench bench("variables 1\ngrid scalar none", {{"element", "cat-52"}, {"elements-file", "c.geojson"}});
  const std::string file = bench.folder.Write(
      "c.geojson",
      R"({"features":[{"id":"cat-27","properties":{"areasqkm":2},"geometry":{"type":"Point","coordinates":[1,2]}},
          {"id":"cat-52","properties":{"areasqkm":3},"geometry":{"type":"Point","coordinates":[1,3]}}]})");
  bench.driver.Set("elements-file", file);
  ASSERT_EQ(bench.Problem(), "");
  for (const ISpatialDefinition* where : {bench.Output().SpatialDefinition(), bench.Input().SpatialDefinition()}) {
    const auto* elements = dynamic_cast<const ElementSet*>(where);
    ASSERT_NE(elements, nullptr);
    EXPECT_EQ(elements->ElementCount(), 1);
    EXPECT_EQ(elements->IdOf(0), "cat-52");
    ASSERT_NE(elements->Attribute("area"), nullptr);
    EXPECT_THAT(elements->Attribute("area")->values, ElementsAre(3.0));
  }
  OddBench other("grid scalar none", {{"elements-file", file}});
  EXPECT_THAT(other.Problem(), AllOf(HasSubstr("element"), HasSubstr("cat-27")));
}

TEST(GivenPlaces, AreThoseOfValuesWhoseModelGivesNone) {
  OddBench bench("grid points node\nnull get_grid_x", {{"elements-system", "EPSG:32617"}});
  bench.driver.Set("elements-file",
                   bench.folder.Write("six.csv", "id,x,y\na,1,2\nb,2,2\nc,3,2\nd,4,2\ne,5,2\nf,6,2\n"));
  ASSERT_EQ(bench.Problem(), "");
  const auto* elements = dynamic_cast<const ElementSet*>(bench.Output().SpatialDefinition());
  ASSERT_NE(elements, nullptr);
  EXPECT_EQ(elements->ElementType(), ElementType::Point);
  EXPECT_EQ(elements->IdOf(5), "f");
  EXPECT_EQ(elements->GetVertexXCoordinate(5, 0), 6.0);
  EXPECT_THAT(bench.Messages(), Not(HasSubstr("get_grid_x")));
  // A grid with places keeps its own.
  OddBench own("grid points node", {{"elements-system", "EPSG:32617"}});
  own.driver.Set("elements-file", own.folder.Write("six.csv", "id,x,y\na,1,2\nb,2,2\nc,3,2\nd,4,2\ne,5,2\nf,6,2\n"));
  EXPECT_THAT(own.Problem(), HasSubstr("found neither"));
}

TEST(LumpedModel, HasAnAreaByItself) {
  OddBench bench("grid scalar none", {{"area", "15.6 km2"}, {"element", "cat-87"}});
  ASSERT_EQ(bench.Problem(), "");
  const auto* elements = dynamic_cast<const ElementSet*>(bench.Output().SpatialDefinition());
  ASSERT_NE(elements, nullptr);
  EXPECT_EQ(elements->IdOf(0), "cat-87");
  EXPECT_EQ(elements->Attribute("area")->unit, "km2");
  EXPECT_THAT(elements->Attribute("area")->values, ElementsAre(15.6));
  for (const char* wrong : {"15.6", "15.6 m", "-1 km2", "much"}) {
    OddBench refused("", {{"area", wrong}});
    EXPECT_THAT(refused.Problem(), AllOf(HasSubstr("area"), HasSubstr("15.6 km2"))) << wrong;
  }
}

}  // namespace
}  // namespace openmi::bmi
