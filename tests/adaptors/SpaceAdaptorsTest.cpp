#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "adaptors/space/OneValue.hpp"
#include "adaptors/space/SpatialAdaptor.hpp"
#include "adaptors/space/TimesElementArea.hpp"
#include "openmi/sdk/Described.hpp"
#include "openmi/sdk/Dimension.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Unit.hpp"
#include "openmi/standard/IQuantity.hpp"
#include "tests/adaptors/SpaceQuestions.hpp"
#include "timespace/values/ValueSets.hpp"

namespace openmi {
namespace {

using namespace openmi::testing;  // NOLINT: the whole vocabulary of chains
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

TEST(SpatialAdaptors, ById) {
  Chain chain(Twice({1, 2, 3}), "m", Ids({"a", "b", "c"}));
  ProbeInput target("t", "m", Ids({"c", "a"}));
  EXPECT_THAT(chain.Add("by-id", &target).Prepare().Row(0), ElementsAre(3, 1));
  EXPECT_EQ(chain.Output().SpatialDefinition(), target.SpatialDefinition());
  ProbeInput other("o", "m", Ids({"a", "bb"}));
  Chain refused(Twice({1, 2}), "m", Ids({"a", "b"}));
  refused.Add("by-id", &other);
  EXPECT_THAT([&] { dynamic_cast<RowAdaptor&>(refused.Last()).Check(); },
              ThrowsMessage<LinkError>(AllOf(HasSubstr("found no source 'bb'"), HasSubstr("a, b"))));
}

TEST(SpatialAdaptors, AreaWeighted) {
  const auto source = Boxes({{"a", 0, 0, 2, 1}, {"b", 2, 0, 3, 1}});
  const auto ask = [&](const char* id, const std::vector<double>& values, const std::string& missing = "propagate") {
    Chain chain(Twice(values), "mm h-1", source);
    ProbeInput target("t", "mm h-1", Boxes({{"t", 0, 0, 2.5, 1}, {"u", 2.5, 0, 4.5, 1}}));
    return chain.Add(id, &target).Set("missing", missing).Prepare().Row(0);
  };
  EXPECT_THAT(ask("area-weighted-mean", {3, 8}), ElementsAre(DoubleNear(4, 1e-12), DoubleNear(8, 1e-12)));
  EXPECT_THAT(ask("area-weighted-sum", {3, 8}), ElementsAre(DoubleNear(4, 1e-12), DoubleNear(2, 1e-12)));
  const std::vector<double> gap = ask("area-weighted-mean", {std::nan(""), 8});
  EXPECT_TRUE(std::isnan(gap[0]));
  EXPECT_NEAR(gap[1], 8, 1e-12);
  EXPECT_THAT(ask("area-weighted-mean", {std::nan(""), 8}, "renormalise"),
              ElementsAre(DoubleNear(8, 1e-12), DoubleNear(8, 1e-12)));
}

TEST(SpatialAdaptors, Nearest) {
  ElementSetBuilder points("p", ElementType::Point, kLocalMetresWkt);
  points.AddPoint("a", {0, 0}).AddPoint("b", {10, 0});
  ElementSetBuilder wanted("q", ElementType::Point, kLocalMetresWkt);
  wanted.AddPoint("x", {2, 1}).AddPoint("y", {9, 3}).AddPoint("half", {5, 7});
  Chain chain(Twice({1, 5}), "m", std::make_shared<const ElementSet>(points.Build()));
  ProbeInput target("t", "m", std::make_shared<const ElementSet>(wanted.Build()));
  EXPECT_THAT(chain.Add("nearest", &target).Prepare().Row(0), ElementsAre(1, 5, 3));  // equally near ones share
}

TEST(SpatialAdaptors, TargetsWithoutSources) {
  const auto chain = [] { return std::make_unique<Chain>(Twice({3}), "mm", Boxes({{"a", 0, 0, 1, 1}})); };
  ProbeInput target("t", "mm", Boxes({{"near", 0, 0, 1, 1}, {"far", 5, 5, 6, 6}}));
  const auto refused = chain();
  refused->Add("area-weighted-mean", &target).Set("uncovered", "error");
  EXPECT_THAT([&] { dynamic_cast<RowAdaptor&>(refused->Last()).Check(); },
              ThrowsMessage<LinkError>(AllOf(HasSubstr("found none for 1: far"), HasSubstr("uncovered"))));
  EXPECT_THAT([&] { refused->Prepare(); }, ::testing::Throws<LinkError>());
  const auto missing = chain();
  const std::vector<double> row =
      missing->Add("area-weighted-mean", &target).Set("uncovered", "missing").Prepare().Row(0);
  EXPECT_EQ(row[0], 3.0);
  EXPECT_TRUE(std::isnan(row[1]));
}

TEST(SpatialAdaptors, TimesElementArea) {
  auto elements = std::make_shared<ElementSet>(ElementSet::IdBased("ids", {"a", "b"}));
  elements->SetAttribute("area", "km2", {2, 5});
  elements->SetAttribute("contributing", "m2", {1e6, 1e6});
  Chain chain(Twice({3.6, 7.2}), "mm h-1", elements);
  chain.Add("times-element-area").Prepare();
  const auto& unit = dynamic_cast<const IQuantity&>(chain.Last().ValueDefinition()).Unit();
  EXPECT_TRUE(Convertible(unit, Unit::Parse("m3 s-1")));
  const std::vector<double> row = chain.Row(0);
  EXPECT_NEAR(row[0] * unit.ConversionFactorToSI(), 2.0, 1e-12);  // 3.6 mm/h over 2 km2
  EXPECT_NEAR(row[1] * unit.ConversionFactorToSI(), 10.0, 1e-12);

  Chain other(Twice({3.6, 7.2}), "mm h-1", elements);
  other.Add("times-element-area").Set("attribute", "contributing");
  EXPECT_THAT(dynamic_cast<TimesElementArea&>(other.Last()).Areas(), ElementsAre(1e6, 1e6));  // before it is prepared
  EXPECT_NEAR(other.Prepare().Row(0)[0] * unit.ConversionFactorToSI(), 1.0, 1e-12);

  Chain misspelt(Twice({3.6, 7.2}), "mm h-1", elements);
  misspelt.Add("times-element-area").Set("attribute", "contribution");
  EXPECT_THAT([&] { dynamic_cast<RowAdaptor&>(misspelt.Last()).Check(); },
              ThrowsMessage<ArgumentError>(AllOf(HasSubstr("found 'contribution'"), HasSubstr("'contributing'"))));
}

TEST(SpatialAdaptors, OneValueSaysThatAMeanOfDischargesIsNoTotal) {
  const auto notes = [](const std::string& of, const std::string& unit) {
    Chain chain(Twice({1, 2}), unit, Ids({"a", "b"}));
    chain.Add("one-value").Set("of", of);
    return dynamic_cast<OneValue&>(chain.Last()).Notes();
  };
  EXPECT_THAT(notes("mean", "m3 s-1"), ElementsAre(HasSubstr("for a total set 'of' to sum")));
  EXPECT_THAT(notes("mean", "mm h-1"), ::testing::IsEmpty());
  EXPECT_THAT(notes("sum", "m3 s-1"), ::testing::IsEmpty());
  EXPECT_THAT(notes("sum", "mm h-1"), ElementsAre(HasSubstr("which may be no amounts")));
}

TEST(SpatialAdaptors, TimesElementAreaOfGeometryAndItsDifferenceToTheAttribute) {
  auto elements = Boxes({{"a", 0, 0, 100, 100}});
  Chain plane(Twice({1}), "m s-1", elements);
  plane.Add("times-element-area");
  EXPECT_THAT(dynamic_cast<TimesElementArea&>(plane.Last()).Areas(), ElementsAre(DoubleNear(1e4, 1e-6)));
  EXPECT_EQ(plane.Prepare().Row(0), (std::vector<double>{1e4}));
  elements->SetAttribute("area", "m2", {1.01e4});
  Chain both(Twice({1}), "m s-1", elements);
  both.Add("times-element-area");
  const ElementAreas areas = AreasOf("times-element-area", *elements);
  EXPECT_EQ(areas.source, "attribute 'area'");
  EXPECT_NEAR(areas.difference, 0.01, 2e-4);
  Chain none(Twice({1}), "m s-1", Ids({"a"}));
  none.Add("times-element-area");
  EXPECT_THAT([&] { dynamic_cast<RowAdaptor&>(none.Last()).Check(); }, ::testing::Throws<LinkError>());
  Chain scalar(Twice({1}), "m s-1");
  EXPECT_THAT([&] { scalar.Add("times-element-area"); },
              ThrowsMessage<LinkError>(HasSubstr("found one without elements")));
}

/// Elements that count how often their shape is read.
class CountedElements final : public DescribedAs<IElementSet> {
 public:
  explicit CountedElements(const std::vector<TestBox>& boxes) : set(Boxes(boxes)) {}
  int ElementCount() const override { return set->ElementCount(); }
  std::string SpatialReferenceSystemWkt() const override { return set->SpatialReferenceSystemWkt(); }
  int Version() const override { return set->Version(); }
  openmi::ElementType ElementType() const override { return set->ElementType(); }
  const IIdentifiable* GetElementId(int index) const override { return set->GetElementId(index); }
  int GetElementIndex(const IIdentifiable& id) const override { return set->GetElementIndex(id); }
  int GetFaceCount(int element) const override { return set->GetFaceCount(element); }
  std::vector<int> GetFaceVertexIndices(int element, int face) const override {
    return set->GetFaceVertexIndices(element, face);
  }
  int GetVertexCount(int element) const override {
    if (element == 0) ++readings;
    return set->GetVertexCount(element);
  }
  double GetVertexMCoordinate(int element, int vertex) const override {
    return set->GetVertexMCoordinate(element, vertex);
  }
  double GetVertexXCoordinate(int element, int vertex) const override {
    return set->GetVertexXCoordinate(element, vertex);
  }
  double GetVertexYCoordinate(int element, int vertex) const override {
    return set->GetVertexYCoordinate(element, vertex);
  }
  double GetVertexZCoordinate(int element, int vertex) const override {
    return set->GetVertexZCoordinate(element, vertex);
  }
  bool HasM() const override { return false; }
  bool HasZ() const override { return false; }

  std::shared_ptr<ElementSet> set;
  mutable int readings = 0;
};

TEST(SpatialAdaptors, ANewVersionOfTheElementsRenewsTheWeightsOnce) {
  const auto source = std::make_shared<CountedElements>(std::vector<TestBox>{{"a", 0, 0, 1, 1}, {"b", 1, 0, 2, 1}});
  Chain chain({{At(0), {2, 6}}, {At(1), {2, 6}}, {At(2), {2, 6}}, {At(3), {2, 6}}}, "m s-1", source);
  ProbeInput target("t", "m s-1", Boxes({{"t", 0, 0, 2, 1}}));
  chain.Add("area-weighted-mean", &target).Prepare();
  const int per_reading = source->readings;
  ASSERT_GT(per_reading, 0);
  EXPECT_NEAR(chain.Row(0)[0], 4.0, 1e-12);
  EXPECT_NEAR(chain.Row(1)[0], 4.0, 1e-12);
  EXPECT_EQ(source->readings, per_reading);
  source->set->ReplaceGeometry(*Boxes({{"a", 0, 0, 1.5, 1}, {"b", 1.5, 0, 2, 1}}));
  EXPECT_NEAR(chain.Row(2)[0], 3.0, 1e-12);
  EXPECT_EQ(source->readings, 2 * per_reading);
  EXPECT_NEAR(chain.Row(3)[0], 3.0, 1e-12);
  EXPECT_EQ(source->readings, 2 * per_reading);

  const auto fields = std::make_shared<CountedElements>(std::vector<TestBox>{{"a", 0, 0, 1, 1}, {"b", 1, 0, 2, 1}});
  Chain areas({{At(0), {2, 6}}, {At(1), {2, 6}}, {At(2), {2, 6}}}, "m s-1", fields);
  areas.Add("times-element-area").Prepare();
  EXPECT_THAT(areas.Row(0), ElementsAre(DoubleNear(2, 1e-12), DoubleNear(6, 1e-12)));
  const int once = fields->readings;
  fields->set->ReplaceGeometry(*Boxes({{"a", 0, 0, 1.5, 1}, {"b", 1.5, 0, 2, 1}}));
  EXPECT_THAT(areas.Row(1), ElementsAre(DoubleNear(3, 1e-12), DoubleNear(3, 1e-12)));
  EXPECT_EQ(fields->readings, 2 * once);
  EXPECT_THAT(areas.Row(2), ElementsAre(DoubleNear(3, 1e-12), DoubleNear(3, 1e-12)));
  EXPECT_EQ(fields->readings, 2 * once);
}

// What becomes of targets without a source, and what a composer is told.

SpatialAdaptor& Adaptor(Chain& chain) {
  return dynamic_cast<SpatialAdaptor&>(chain.Last());
}

TEST(Uncovered, KeepLeavesWhatTheInputHolds) {
  Chain chain(Twice({3}), "mm", Boxes({{"s", 0, 0, 1, 1}}));
  ProbeInput target("t", "mm", Boxes({{"near", 0, 0, 1, 1}, {"far", 5, 5, 6, 6}}));
  chain.Add("area-weighted-mean", &target).Set("uncovered", "keep").Prepare();
  EXPECT_TRUE(std::isnan(chain.Row(0)[1]));  // it holds nothing yet
  NumericValueSet held(1, 2);
  held.SetRow(0, std::vector<double>{1, 42});
  target.SetValues(&held);
  EXPECT_THAT(chain.Row(1), ElementsAre(3, 42));
  target.SetValues(nullptr);

  Chain behind(Twice({3}), "mm", Boxes({{"s", 0, 0, 1, 1}}));
  behind.Add("area-weighted-mean", &target).Set("uncovered", "keep").Add("linear-operation");
  EXPECT_THAT([&] { behind.Prepare(); },
              ThrowsMessage<Error>(HasSubstr("last on its link for uncovered = keep, found 'linear-operation'")));
}

TEST(Uncovered, IsCountedAndListed) {
  Chain chain(Twice({3}), "mm", Boxes({{"s", 0, 0, 1, 1}}));
  ProbeInput target("t", "mm", Boxes({{"near", 0, 0, 1, 1}, {"far", 5, 5, 6, 6}, {"further", 7, 7, 8, 8}}));
  chain.Add("area-weighted-mean", &target).Set("uncovered", "nearest");
  Adaptor(chain).Check();
  EXPECT_THAT(Adaptor(chain).Notes(),
              Contains(AllOf(HasSubstr("2 of 3 elements"), HasSubstr("(nearest)"), HasSubstr("far, further"))));
}

TEST(Uncovered, CreepSaysWhatItCannotReach) {
  Chain chain(Twice({3}), "mm", Boxes({{"s", 0, 0, 1, 1}}));
  ProbeInput target("t", "mm", Boxes({{"near", 0, 0, 1, 1}, {"island", 5, 5, 6, 6}}));
  chain.Add("area-weighted-mean", &target).Set("uncovered", "creep");
  EXPECT_THAT([&] { Adaptor(chain).Check(); }, ThrowsMessage<LinkError>(HasSubstr("found none for 1: island")));
}

TEST(Masks, AreRefusedWhereTheAttributeIsMissing) {
  Chain chain(Twice({3}), "mm", Boxes({{"s", 0, 0, 1, 1}}));
  ProbeInput target("t", "mm", Boxes({{"t", 0, 0, 1, 1}}));
  chain.Add("nearest", &target).Set("source-mask", "wet");
  EXPECT_THAT([&] { Adaptor(chain).Check(); },
              ThrowsMessage<LinkError>(HasSubstr("expected a mask as attribute 'wet' of 'boxes', found none")));
}

TEST(Notes, SayWhereAnAmountMeetsAMeanAndAStateASum) {
  const auto notes = [](const char* id, const char* unit) {
    Chain chain(Twice({3, 4}), unit, Boxes({{"s", 0, 0, 1, 1}, {"u", 1, 0, 2, 1}}));
    ProbeInput target("t", unit, Boxes({{"t", 0, 0, 1, 1}}));
    chain.Add(id, &target);
    Adaptor(chain).Check();
    return Adaptor(chain).Notes();
  };
  EXPECT_THAT(notes("area-weighted-mean", "m3 s-1"), Contains(HasSubstr("may be an amount of each element")));
  EXPECT_THAT(notes("area-weighted-mean", "mm h-1"), ::testing::IsEmpty());
  EXPECT_THAT(notes("area-weighted-distribute", "K"), Contains(HasSubstr("is no amount")));
  EXPECT_THAT(notes("area-weighted-distribute", "m3"), ::testing::IsEmpty());
  EXPECT_THAT(notes("kriging", "K"),
              Contains(AllOf(HasSubstr("of 16 digits (condition number"), HasSubstr("no harm"))));
}

TEST(Amounts, AreKnownByTheirDimension) {
  for (const char* unit : {"m3", "l s-1", "kg", "g d-1", "mol", "J", "W", "kW h"}) {
    EXPECT_TRUE(IsAmount(Unit::Parse(unit).Dimension())) << unit;
  }
  for (const char* unit : {"mm", "m s-1", "kg m-3", "K", "W m-2", "1", "m2", "kg m-2 s-1", "Pa"}) {
    EXPECT_FALSE(IsAmount(Unit::Parse(unit).Dimension())) << unit;
  }
}

TEST(KrigingVariance, HasTheSquareOfTheUnitWithoutItsOffset) {
  Chain chain(Twice({3, 4}), "degC", Points({{0, 0}, {1, 0}}));
  ProbeInput target("t", "K2", Points({{0.5, 0}}));
  chain.Add("kriging-variance", &target);
  const auto& unit = dynamic_cast<const IQuantity&>(chain.Last().ValueDefinition()).Unit();
  EXPECT_TRUE(Convertible(unit, Unit::Parse("K2")));
  EXPECT_EQ(unit.OffSetToSI(), 0.0);
  EXPECT_EQ(unit.ConversionFactorToSI(), 1.0);
}

}  // namespace
}  // namespace openmi
