// What components say of themselves, as bytes and back.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "composition/isolation/Wire.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Quality.hpp"
#include "openmi/sdk/Quantity.hpp"
#include "timespace/elements/ElementSet.hpp"
#include "timespace/elements/ElementSetBuilder.hpp"
#include "timespace/elements/ReferenceSystems.hpp"

namespace openmi::testing {
namespace {

template <class Thing>
StateWriter Written(void (*write)(StateWriter&, Thing), Thing thing) {
  StateWriter writer;
  write(writer, thing);
  return writer;
}

TEST(Wire, ValuesOfEveryKind) {
  const Value values[] = {Value(),    Value(true),     Value(-7),
                          Value(0.1), Value("twelve"), Value(Bytes{std::byte{1}, std::byte{0}})};
  for (const Value& value : values) {
    StateWriter writer;
    WriteValue(writer, value);
    StateReader reader(writer.Bytes());
    EXPECT_EQ(ReadValue(reader), value);
    EXPECT_TRUE(reader.AtEnd());
  }
  StateWriter writer;
  EXPECT_THROW(WriteValue(writer, Value::Of(std::make_shared<const int>(1))), TypeError);
}

TEST(Wire, QuantitiesAndQualities) {
  Quantity quantity(Unit::Parse("degF"), "warmth", -999, ValueKind::Integer);
  quantity.SetDescription("of the air");
  StateWriter writer;
  WriteDefinition(writer, quantity);
  const Quality quality("soil", {Category("clay"), Category("sand", "Sand", "coarse")}, true);
  WriteDefinition(writer, quality);
  StateReader reader(writer.Bytes());
  const auto one = ReadDefinition(reader);
  const auto two = ReadDefinition(reader);
  const auto& unit = dynamic_cast<const IQuantity&>(*one).Unit();
  EXPECT_EQ(one->Caption(), "warmth");
  EXPECT_EQ(one->Description(), "of the air");
  EXPECT_EQ(one->MissingDataValue(), Value(-999));
  EXPECT_EQ(unit.Caption(), "degF");
  EXPECT_EQ(unit.ConversionFactorToSI(), quantity.Unit().ConversionFactorToSI());
  EXPECT_EQ(unit.OffSetToSI(), quantity.Unit().OffSetToSI());
  EXPECT_EQ(unit.Dimension().GetPower(DimensionBase::Temperature), 1.0);
  const auto& categories = dynamic_cast<const IQuality&>(*two);
  EXPECT_TRUE(categories.IsOrdered());
  ASSERT_EQ(categories.Categories().size(), 2U);
  EXPECT_EQ(categories.Categories()[1]->Caption(), "Sand");
}

ElementSet Islands() {
  ElementSetBuilder builder("islands", ElementType::Polygon, std::string(kLocalMetresWkt));
  builder.AddPolygon("a", std::vector<ElementSetBuilder::Part>{{.outer = {{0, 0}, {10, 0}, {10, 10}, {0, 10}},
                                                                .holes = {{{2, 2}, {2, 3}, {3, 3}, {3, 2}}}},
                                                               {.outer = {{20, 0}, {21, 0}, {21, 1}}}});
  builder.AddPolygon("b", {{30, 0}, {31, 0}, {31, 1}});
  ElementSet set = builder.Build();
  set.SetAttribute("area", "km2", {1.5, std::nan("")});
  return set;
}

TEST(Wire, ElementSetsWithHolesPartsAndAttributes) {
  const ElementSet set = Islands();
  StateWriter writer;
  WriteElementSet(writer, set);
  StateReader reader(writer.Bytes());
  const ElementSet back = ReadElementSet(reader);
  EXPECT_TRUE(reader.AtEnd());
  EXPECT_EQ(back.Caption(), "islands");
  EXPECT_EQ(back.SpatialReferenceSystemWkt(), set.SpatialReferenceSystemWkt());
  EXPECT_EQ(back.IndexOf("b"), 1);
  EXPECT_TRUE(std::ranges::equal(back.X(), set.X()));
  ASSERT_EQ(back.Rings(0).size(), set.Rings(0).size());
  for (std::size_t i = 0; i < back.Rings(0).size(); ++i) {
    EXPECT_TRUE(std::ranges::equal(back.Rings(0)[i].y, set.Rings(0)[i].y));
    EXPECT_EQ(back.Rings(0)[i].is_hole, set.Rings(0)[i].is_hole);
  }
  EXPECT_EQ(back.Attribute("area")->unit, "km2");
  StateWriter again;
  WriteElementSet(again, back);
  EXPECT_TRUE(std::ranges::equal(again.Bytes(), writer.Bytes()));
}

TEST(Wire, RefusesOrReadsBytesThatWereChanged) {
  StateWriter writer;
  WriteElementSet(writer, Islands());
  WriteDefinition(writer, Quantity(Unit::Parse("m"), "x"));
  std::mt19937 random(7);
  int refused = 0;
  for (int trial = 0; trial < 4000; ++trial) {
    std::vector<std::byte> bytes(writer.Bytes().begin(), writer.Bytes().end());
    for (int flips = 1 + trial % 3; flips > 0; --flips) {
      bytes[random() % bytes.size()] ^= static_cast<std::byte>(1U << random() % 8);
    }
    if (trial % 5 == 0) bytes.resize(random() % bytes.size());
    try {
      StateReader reader(bytes);
      const ElementSet set = ReadElementSet(reader);
      for (int i = 0; i < set.ElementCount(); ++i) {  // whatever was read can be used
        if (set.ElementType() == ElementType::Polygon) set.Rings(i);
        for (int v = 0; set.ElementType() != ElementType::IdBased && v < set.GetVertexCount(i); ++v)
          set.GetVertexXCoordinate(i, v);
      }
      ReadDefinition(reader);
    } catch (const Error&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 1000);
}

TEST(Wire, TimesValuesAndProblems) {
  TimeSet times(true);
  times.SetHorizon(Stamp{59000.0}, Stamp{60000.5});
  times.SetOffsetFromUtcInHours(-5.0);
  const Time list[] = {Time(Stamp{1.0}, Days{0.5}), Time(Stamp{1.5}, Days{0.25})};
  times.Assign(list);
  NumericValueSet numbers(2, 3, 2.0, ValueKind::Integer);
  ObjectValueSet texts({ValueKind::String, nullptr}, 1, 2);
  texts.SetValue(0, 1, Value("so"));
  const Problems problems = {
      {.severity = Problem::Warning, .where = {.file = "f", .line = 2}, .problem = "p", .remedy = "r"}};
  StateWriter writer;
  WriteTimeSet(writer, &times);
  WriteTimeSet(writer, nullptr);
  WriteValues(writer, numbers);
  WriteValues(writer, texts);
  WriteProblems(writer, problems);
  StateReader reader(writer.Bytes());
  const auto times_back = ReadTimeSet(reader);
  EXPECT_EQ(times_back->OffsetFromUtcInHours(), -5.0);
  EXPECT_EQ(times_back->Horizon().End(), Stamp{60000.5});
  ASSERT_EQ(times_back->Times().size(), 2U);
  EXPECT_EQ(times_back->Times()[1]->DurationInDays(), 0.25);
  EXPECT_EQ(ReadTimeSet(reader), nullptr);
  EXPECT_EQ(ReadValues(reader)->GetValue(1, 2), Value(2));  // an integer set shows whole numbers
  EXPECT_EQ(ReadValues(reader)->GetValue(0, 1), Value("so"));
  const Problems back = ReadProblems(reader);
  ASSERT_EQ(back.size(), 1U);
  EXPECT_EQ(FormatProblem(back[0]), FormatProblem(problems[0]));
  EXPECT_EQ(back[0].severity, Problem::Warning);
}

}  // namespace
}  // namespace openmi::testing
