// What the interfaces of value sets promise, held against every implementation of them.

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>

#include "openmi/sdk/NestedValueSet.hpp"
#include "tests/support/ValueSetContract.hpp"
#include "timespace/values/BytesValueSet.hpp"
#include "timespace/values/LatestRow.hpp"
#include "timespace/values/RowHistory.hpp"
#include "timespace/values/ValueSets.hpp"

namespace openmi {
namespace {

using test::EachPlace;
using test::Indices;
using test::SameValue;

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

/// An implementation of value sets.
struct Kind {
  std::string name;
  std::function<std::shared_ptr<IBaseValueSet>()> make;
  bool is_view = false;
  Value value = {};                ///< of the type of the set
  std::vector<Value> others = {};  ///< of types, or of numbers, that the set cannot hold
};

/// A view and what it shows, which has to last as long.
template <class View, class Shown>
std::shared_ptr<IBaseValueSet> ViewOf(std::shared_ptr<Shown> shown, std::shared_ptr<View> view) {
  struct Both {
    std::shared_ptr<Shown> shown;
    std::shared_ptr<View> view;
  };
  auto both = std::make_shared<Both>(Both{std::move(shown), std::move(view)});
  return {both, both->view.get()};
}

std::shared_ptr<IBaseValueSet> Numbers(ValueKind kind, const std::vector<std::vector<double>>& rows) {
  auto set = std::make_shared<NumericValueSet>(rows.size(), 0, 0.0, kind);
  for (std::size_t i = 0; i < rows.size(); ++i) set->SetRow(i, rows[i]);
  return set;
}

std::shared_ptr<IBaseValueSet> View(ValueKind kind, const std::vector<std::vector<double>>& rows) {
  auto shown = std::make_shared<std::vector<std::vector<double>>>(rows);
  auto view = std::make_shared<RowsView>(kind);
  for (const std::vector<double>& row : *shown) view->Add(row);
  return ViewOf(shown, view);
}

std::shared_ptr<IBaseValueSet> Latest(bool empty) {
  struct Kept {
    RowHistory history;
    RowHistory* pointer = &history;
  };
  auto kept = std::make_shared<Kept>();
  if (!empty) {
    const std::vector<double> row{1.5, kNothing};
    kept->history.Append(Stamp{60000.0}, Days{0.0}, row);
  }
  return ViewOf(kept, std::make_shared<LatestValues>(kept->pointer, ValueKind::Double));
}

Bytes SomeBytes() {
  return Bytes(3, std::byte{7});
}

std::vector<Kind> Kinds() {
  const std::vector<std::vector<double>> ragged{{1.0, 2.0, 3.0}, {}, {kNothing}};
  const Value text(std::string("wet")), whole(std::int64_t{4});
  std::vector<Kind> kinds{
      {"NumericDoubles", [=] { return Numbers(ValueKind::Double, ragged); }, false, 2.5, {text}},
      {"NumericIntegers", [=] { return Numbers(ValueKind::Integer, ragged); }, false, whole, {text, 2.5, 1e300}},
      {"NumericBooleans",
       [=] {
         return Numbers(ValueKind::Boolean, {{1.0, 0.0}, {kNothing}});
       },
       false,
       true,
       {text, 2.5}},
      {"NumericEmpty", [] { return Numbers(ValueKind::Double, {}); }, false, 2.5, {text}},
      {"RowsView", [=] { return View(ValueKind::Double, ragged); }, true, 2.5},
      {"RowsViewOfIntegers",
       [=] {
         return View(ValueKind::Integer, {{1.0, kNothing}});
       },
       true, whole},
      {"RowsViewOfBooleans",
       [=] {
         return View(ValueKind::Boolean, {{1.0, kNothing}});
       },
       true, true},
      {"RowsViewOfNothing", [] { return View(ValueKind::Double, {}); }, true, 2.5},
      {"LatestValues", [] { return Latest(false); }, true, 2.5},
      {"LatestValuesBeforeTheFirst", [] { return Latest(true); }, true, 2.5},
      {"Bytes",
       [] {
         auto set = std::make_shared<BytesValueSet>(2);
         set->Keep(1, SomeBytes());
         return set;
       },
       false,
       SomeBytes(),
       {text, 2.5}},
  };
  for (const ValueKind kind : {ValueKind::String, ValueKind::Binary, ValueKind::Integer, ValueKind::Double}) {
    const Value value = kind == ValueKind::String    ? text
                        : kind == ValueKind::Binary  ? Value(SomeBytes())
                        : kind == ValueKind::Integer ? whole
                                                     : Value(2.5);
    const Value other = kind == ValueKind::String ? Value(2.5) : text;
    const std::string type = ValueType{kind}.Name();
    kinds.push_back({"Objects_" + type,
                     [kind] { return std::make_shared<ObjectValueSet>(ValueType{kind}, 2, 3); },
                     false,
                     value,
                     {other}});
    for (const std::size_t indices : {1U, 2U, 3U}) {
      kinds.push_back({"Nested" + std::to_string(indices) + "_" + type,
                       [kind, indices] {
                         auto set = std::make_shared<NestedValueSet>(ValueType{kind}, Indices(indices, 2));
                         Indices first(indices - 1, 0);
                         set->Resize(first, 3);  // rows of different lengths
                         return set;
                       },
                       false,
                       value,
                       {other}});
    }
  }
  return kinds;
}

class ValueSetContract : public ::testing::TestWithParam<Kind> {};

TEST_P(ValueSetContract, ReadsEveryPlaceAndNoneOutside) {
  test::ExpectKeepsTheReadingContract(*GetParam().make());
}

TEST_P(ValueSetContract, KeepsWhatIsSetAndNothingElse) {
  const auto set = GetParam().make();
  EachPlace(*set, [&](const Indices& place) {
    const Value before = set->GetValue(place);
    if (GetParam().is_view) {
      EXPECT_THROW(set->SetValue(place, GetParam().value), TypeError);
      EXPECT_TRUE(SameValue(set->GetValue(place), before));
      return;
    }
    for (const Value& other : GetParam().others) {
      EXPECT_THROW(set->SetValue(place, other), TypeError) << other.Type().Name();
      EXPECT_TRUE(SameValue(set->GetValue(place), before)) << "refused, and yet set";
    }
    set->SetValue(place, GetParam().value);
    EXPECT_TRUE(SameValue(set->GetValue(place), GetParam().value));
  });
  test::ExpectKeepsTheReadingContract(*set);
  // What was set in one place stands in that place alone.
  const auto fresh = GetParam().make();
  if (GetParam().is_view) return;
  EachPlace(*fresh, [&](const Indices& place) {
    const auto one = GetParam().make();
    one->SetValue(place, GetParam().value);
    EachPlace(*one, [&](const Indices& there) {
      if (there != place) {
        EXPECT_TRUE(SameValue(one->GetValue(there), fresh->GetValue(there)));
      }
    });
  });
}

TEST_P(ValueSetContract, RefusesPlacesOutside) {
  const auto set = GetParam().make();
  Indices outside(set->NumberOfIndices(), 1000);
  EXPECT_THROW(set->SetValue(outside, GetParam().value), RangeError);
  outside.push_back(0);
  EXPECT_THROW(set->SetValue(outside, GetParam().value), RangeError);
  EXPECT_THROW(set->SetValue(Indices{}, GetParam().value), RangeError);
}

TEST_P(ValueSetContract, TakesRowsSeriesAndAll) {
  const auto set = std::dynamic_pointer_cast<ITimeSpaceValueSet>(GetParam().make());
  if (set == nullptr) return;  // of any number of indices: it has none of these
  const Value value = GetParam().value;
  const std::size_t times = set->GetIndexCount({});
  if (GetParam().is_view) {
    EXPECT_THROW(set->SetValues2D({{value}}), TypeError);
    if (times == 0) return;
    EXPECT_THROW(set->SetElementValuesForTime(0, std::vector<Value>{value}), TypeError);
    EXPECT_THROW(set->SetTimeSeriesValuesForElement(0, std::vector<Value>(times, value)), TypeError);
    return;
  }
  set->SetValues2D({{value, value}});
  ASSERT_EQ(set->GetIndexCount({}), 1U);
  ASSERT_EQ(set->GetIndexCount(Indices{0}), 2U);
  EXPECT_TRUE(SameValue(set->GetValue(0, 1), value));
  set->SetElementValuesForTime(0, std::vector<Value>{value, value, value});
  EXPECT_EQ(set->GetIndexCount(Indices{0}), 3U);
  set->SetTimeSeriesValuesForElement(2, std::vector<Value>{value});
  EXPECT_THROW(set->SetTimeSeriesValuesForElement(3, std::vector<Value>{value}), RangeError);
  EXPECT_THROW(set->SetTimeSeriesValuesForElement(0, std::vector<Value>{value, value}), RangeError);
  EXPECT_THROW(set->SetElementValuesForTime(1, std::vector<Value>{value}), RangeError);
  EXPECT_THROW(set->SetElementValuesForTime(-1, std::vector<Value>{value}), RangeError);
  test::ExpectKeepsTheReadingContract(*set);
}

INSTANTIATE_TEST_SUITE_P(All, ValueSetContract, ::testing::ValuesIn(Kinds()),
                         [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace openmi
