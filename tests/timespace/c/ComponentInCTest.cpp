// Components in C that do as the rules of openmi_component.h say.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <numeric>
#include <vector>

#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/IArgumentMeaning.hpp"
#include "openmi/sdk/IFamily.hpp"
#include "openmi/sdk/Quantity.hpp"
#include "openmi/standard/IManageState.hpp"
#include "tests/timespace/c/CType.hpp"
#include "timespace/StatefulComponent.hpp"
#include "timespace/elements/ElementSet.hpp"
#include "timespace/items/NumericInput.hpp"
#include "timespace/items/NumericOutput.hpp"
#include "timespace/items/ValueItems.hpp"
#include "timespace/optional/IBalance.hpp"
#include "timespace/optional/IRemarks.hpp"
#include "timespace/testing/Driver.hpp"
#include "timespace/testing/TableComponent.hpp"

namespace openmi {
namespace {

using scripted::ArgumentNamed;
using scripted::CType;
using scripted::ItemNamed;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

constexpr const char* kBegin = "2020-01-01T00:00Z";
constexpr const char* kEnd = "2020-01-01T03:00Z";

void SetTimes(Driver& driver) {
  driver.Set("start-time", kBegin).Set("end-time", kEnd);
}

template <class Item>
Item& OutputOf(ITimeSpaceComponent& component, std::size_t i) {
  return dynamic_cast<Item&>(*component.Outputs()[i]);
}

TEST(ComponentInC, StepsOverItsTimes) {
  CType type;
  int out = 0;
  std::vector<double> hours;
  type.on_create = [&](openmi_instance* me) {
    const openmi_item item = ItemNamed("y");
    out = me->host->add_output(me, &item);
    return 0;
  };
  type.on_step = [&](openmi_instance* me, const openmi_times& times) {
    hours.push_back(times.to_seconds / 3600.0);
    EXPECT_EQ(times.from_seconds, times.to_seconds - 3600.0);
    openmi_put(me, out, openmi_last(me, out) + 1.5);
    return 0;
  };
  const auto component = type.Make();
  EXPECT_EQ(component->Id(), "scripted");
  Driver driver(*component);
  SetTimes(driver);
  driver.Run();
  EXPECT_THAT(hours, ElementsAre(1.0, 2.0, 3.0));
  EXPECT_EQ(component->Status(), LinkableComponentStatus::Finished);
}

TEST(ComponentInC, DeclaresArgumentsOfAllKinds) {
  CType type;
  double number = 0.0;
  std::int64_t whole = 0;
  bool flag = false;
  std::string text;
  bool has_none = true;
  type.on_create = [&](openmi_instance* me) {
    openmi_argument k = ArgumentNamed("k", "2.5");
    k.unit = "d";
    k.minimum = "0.5";
    k.flags = OPENMI_TUNABLE;
    EXPECT_EQ(me->host->add_argument(me, &k), 1);
    const openmi_argument n = ArgumentNamed("n", "-7", OPENMI_INTEGER);
    EXPECT_EQ(me->host->add_argument(me, &n), 2);
    const openmi_argument b = ArgumentNamed("b", "true", OPENMI_BOOLEAN);
    EXPECT_EQ(me->host->add_argument(me, &b), 3);
    openmi_argument t = ArgumentNamed("t", "mean", OPENMI_TEXT);
    const std::array<const char*, 3> choices = {"mean", "sum", nullptr};
    t.choices = choices.data();
    EXPECT_EQ(me->host->add_argument(me, &t), 4);
    openmi_argument password = ArgumentNamed("password", nullptr, OPENMI_TEXT);
    password.meaning = OPENMI_SECRET;
    password.flags = OPENMI_OPTIONAL;
    EXPECT_EQ(me->host->add_argument(me, &password), 5);
    return 0;
  };
  type.on_initialize = [&](openmi_instance* me) {
    number = me->host->number(me, 1);
    whole = me->host->integer(me, 2);
    flag = me->host->integer(me, 3) == 1;
    text = me->host->text(me, 4);
    has_none = me->host->has_value(me, 5) == 0;
    return 0;
  };
  const auto component = type.Make();
  Driver driver(*component);
  SetTimes(driver);
  driver.Set("k", "36 h");
  EXPECT_THROW(driver.Set("k", "0.1"), ArgumentError);
  EXPECT_THROW(driver.Set("t", "median"), ArgumentError);
  driver.Initialize();
  EXPECT_EQ(number, 1.5);
  EXPECT_EQ(whole, -7);
  EXPECT_TRUE(flag);
  EXPECT_EQ(text, "mean");
  EXPECT_TRUE(has_none);
  const auto arguments = component->Arguments();
  EXPECT_TRUE(IsSecret(*arguments.back()));
  const auto& tunable = dynamic_cast<const ITunable&>(*component);
  EXPECT_TRUE(tunable.IsTunable("k"));
  EXPECT_FALSE(tunable.IsTunable("n"));
}

TEST(ComponentInC, DeclaresElementsOfEachShape) {
  CType type;
  type.on_initialize = [](openmi_instance* me) {
    const std::array<double, 11> x = {0, 4, 4, 0, 1, 2, 2, 1, 8, 9, 9};
    const std::array<double, 11> y = {0, 0, 4, 4, 1, 1, 2, 2, 0, 0, 1};
    const std::array<std::size_t, 3> vertices = {4, 4, 3};
    const std::array<std::size_t, 1> rings = {3};
    const std::array<unsigned char, 3> holes = {0, 1, 0};
    const std::array<const char*, 1> ids = {"lake"};
    openmi_elements lake{};
    lake.size = sizeof lake;
    lake.shape = OPENMI_POLYGONS;
    lake.count = 1;
    lake.ids = ids.data();
    lake.vertex_count = 11;
    lake.x = x.data();
    lake.y = y.data();
    lake.vertices_count = 3;
    lake.vertices = vertices.data();
    lake.rings = rings.data();
    lake.holes = holes.data();
    lake.reference_system = "EPSG:32632";
    const int polygons = me->host->add_elements(me, &lake);
    const double area = 12.0;
    EXPECT_EQ(me->host->set_attribute(me, polygons, "area", "km2", &area, 1), 0);
    openmi_elements points{};
    points.size = sizeof points;
    points.shape = OPENMI_POINTS;
    points.count = points.vertex_count = 3;
    points.x = x.data();
    points.y = y.data();
    const openmi_item field = ItemNamed("field", polygons);
    const openmi_item at = ItemNamed("at", me->host->add_elements(me, &points));
    me->host->add_output(me, &field);
    me->host->add_output(me, &at);
    return 0;
  };
  const auto component = type.Make();
  Driver driver(*component);
  SetTimes(driver);
  driver.Initialize();
  const auto& lake = dynamic_cast<const ElementSet&>(*OutputOf<NumericOutput>(*component, 0).SpatialDefinition());
  EXPECT_THAT(lake.Rings(0), SizeIs(3));
  EXPECT_EQ(lake.IdOf(0), "lake");
  EXPECT_EQ(lake.Attribute("area")->unit, "km2");
  EXPECT_THAT(lake.SpatialReferenceSystemWkt(), HasSubstr("UTM zone 32N"));
  const auto& points = dynamic_cast<const ElementSet&>(*OutputOf<NumericOutput>(*component, 1).SpatialDefinition());
  EXPECT_EQ(points.ElementCount(), 3);
  EXPECT_EQ(points.IdOf(2), "3");
}

/// A set of `count` ids.
int Ids(openmi_instance* me, std::size_t count) {
  openmi_elements elements{};
  elements.size = sizeof elements;
  elements.count = count;
  return me->host->add_elements(me, &elements);
}

TEST(ComponentInC, SharesRowsInBothDirections) {
  constexpr std::size_t kCount = 1'000'000;
  CType from;
  std::vector<double> memory(kCount);
  int shown = 0;
  from.on_initialize = [&](openmi_instance* me) {
    const openmi_item item = ItemNamed("y", Ids(me, kCount));
    shown = me->host->add_output(me, &item);
    return 0;
  };
  from.on_step = [&](openmi_instance* me, const openmi_times& times) {
    memory.back() = times.to_seconds;
    return me->host->show_row(me, shown, memory.data(), memory.size());
  };
  CType to;
  int in = 0;
  int out = 0;
  const double* taken = nullptr;
  const double* written = nullptr;
  std::vector<double> last;
  to.on_initialize = [&](openmi_instance* me) {
    const int elements = Ids(me, kCount);
    const openmi_item x = ItemNamed("x", elements);
    const openmi_item z = ItemNamed("z", elements);
    in = me->host->add_input(me, &x);
    out = me->host->add_output(me, &z);
    return 0;
  };
  to.on_step = [&](openmi_instance* me, const openmi_times&) {
    std::size_t count = 0;
    taken = me->host->input_row(me, in, &count);
    EXPECT_EQ(count, kCount);
    if (taken == nullptr) return -1;
    last.push_back(taken[kCount - 1]);
    double* const row = me->host->output_row(me, out, &count);
    written = row;
    std::fill_n(row, count, 3.0);
    return 0;
  };
  const auto provider = from.Make();
  const auto consumer = to.Make();
  Driver first(*provider);
  Driver second(*consumer);
  SetTimes(first);
  SetTimes(second);
  first.Initialize();
  second.Initialize();
  provider->Outputs()[0]->AddConsumer(*consumer->Inputs()[0]);
  first.Prepare();
  second.Prepare();
  second.UpdateToEnd();
  EXPECT_EQ(taken, memory.data()) << "the consumer reads the memory of the component";
  EXPECT_EQ(OutputOf<NumericOutput>(*consumer, 0).LastRow().data(), written) << "the component writes the engine's";
  EXPECT_THAT(last, ElementsAre(3600.0, 7200.0, 10800.0));
  // The memory may go: the last row is copied.
  const auto& output = OutputOf<NumericOutput>(*provider, 0);
  provider->Outputs()[0]->RemoveConsumer(*consumer->Inputs()[0]);
  first.Finish();
  memory.clear();
  memory.shrink_to_fit();
  EXPECT_EQ(output.LastRow()[kCount - 1], 10800.0);
}

TEST(ComponentInC, CopiesShownRowsThatAreHeld) {
  CType type;
  std::vector<double> memory(2000);
  int out = 0;
  type.on_initialize = [&](openmi_instance* me) {
    const openmi_item item = ItemNamed("y", Ids(me, 2000));
    out = me->host->add_output(me, &item);
    return 0;
  };
  type.on_step = [&](openmi_instance* me, const openmi_times& times) {
    memory.assign(2000, times.to_seconds);
    return me->host->show_row(me, out, memory.data(), memory.size());
  };
  const auto component = type.Make();
  // A consumer of which nothing is known but its times may look back.
  class Looker final : public InputOf<ITimeSpaceInput> {
   public:
    explicit Looker(IBaseLinkableComponent* owner)
        : InputOf("looker", std::make_unique<Quantity>(Unit::Parse("1")), owner) {}
    const ITimeSpaceValueSet* Values() const override { return nullptr; }
    void SetValues(const IBaseValueSet*) override {}
    const openmi::ITimeSet* TimeSet() const override { return &times; }
    const ISpatialDefinition* SpatialDefinition() const override { return nullptr; }
    openmi::TimeSet times;
  } looker(component.get());
  Driver driver(*component);
  SetTimes(driver);
  driver.Initialize();
  auto& output = OutputOf<NumericOutput>(*component, 0);
  output.AddConsumer(looker);
  driver.Prepare();
  driver.UpdateToEnd();
  ASSERT_EQ(output.History().Count(), 4U);
  EXPECT_EQ(output.History().Row(1)[1999], 3600.0);
  EXPECT_EQ(output.History().Row(3)[1999], 10800.0);
  output.RemoveConsumer(looker);
}

TEST(ComponentInC, PassesTextsAndBytes) {
  CType from;
  int text = 0;
  int bytes = 0;
  from.on_create = [&](openmi_instance* me) {
    const openmi_item t = ItemNamed("t", 0, OPENMI_TEXT);
    const openmi_item b = ItemNamed("b", 0, OPENMI_BYTES);
    text = me->host->add_output(me, &t);
    bytes = me->host->add_output(me, &b);
    return 0;
  };
  from.on_step = [&](openmi_instance* me, const openmi_times& times) {
    const std::string word = "hour " + std::to_string(static_cast<int>(times.to_seconds / 3600.0));
    me->host->set_bytes(me, text, 0, word.data(), word.size());
    const std::array<unsigned char, 2> two = {0, static_cast<unsigned char>(word.back())};
    return me->host->set_bytes(me, bytes, 0, two.data(), two.size());
  };
  CType to;
  int in_text = 0;
  int in_bytes = 0;
  std::vector<std::string> heard;
  to.on_create = [&](openmi_instance* me) {
    const openmi_item t = ItemNamed("t", 0, OPENMI_TEXT);
    const openmi_item b = ItemNamed("b", 0, OPENMI_BYTES);
    in_text = me->host->add_input(me, &t);
    in_bytes = me->host->add_input(me, &b);
    return 0;
  };
  to.on_step = [&](openmi_instance* me, const openmi_times&) {
    heard.emplace_back(static_cast<const char*>(me->host->input_bytes(me, in_text, 0, nullptr)));
    std::size_t count = 0;
    const auto* const got = static_cast<const char*>(me->host->input_bytes(me, in_bytes, 0, &count));
    EXPECT_EQ(count, 2U);
    heard.back() += got[1];
    return 0;
  };
  const auto provider = from.Make();
  const auto consumer = to.Make();
  Driver first(*provider);
  Driver second(*consumer);
  SetTimes(first);
  SetTimes(second);
  first.Initialize();
  second.Initialize();
  for (std::size_t i = 0; i < 2; ++i) provider->Outputs()[i]->AddConsumer(*consumer->Inputs()[i]);
  first.Prepare();
  second.Prepare();
  second.UpdateToEnd();
  EXPECT_THAT(heard, ElementsAre("hour 11", "hour 22", "hour 33"));
}

/// A component that sums 1 each hour, with states.
struct Summing : CType {
  Summing() {
    KeepStates();
    state_version = 3;
    on_create = [this](openmi_instance* me) {
      const openmi_item item = ItemNamed("y");
      const openmi_item word = ItemNamed("word", 0, OPENMI_TEXT);
      out = me->host->add_output(me, &item);
      text = me->host->add_output(me, &word);
      return 0;
    };
    on_start = [this](openmi_instance*, double) {
      sum = 0.0;
      return 0;
    };
    on_step = [this](openmi_instance* me, const openmi_times&) {
      sum += 1.0;
      openmi_put(me, out, sum);
      const std::string word = std::to_string(sum);
      return me->host->set_bytes(me, text, 0, word.data(), word.size());
    };
    on_save = [this](openmi_instance* me) { return me->host->write_state(me, &sum, sizeof sum); };
    on_load = [this](openmi_instance* me, const void* bytes, std::size_t count) {
      if (count != sizeof sum) return openmi_fail(me, "expected %zu bytes, found %zu", sizeof sum, count);
      std::memcpy(&sum, bytes, count);
      return 0;
    };
  }
  double sum = 0.0;
  int out = 0;
  int text = 0;
};

TEST(ComponentInC, ReturnsToAState) {
  Summing type;
  const auto component = type.Make();
  auto& states = dynamic_cast<StatefulSteppingComponent&>(*component);
  Driver driver(*component);
  SetTimes(driver);
  driver.Initialize();
  driver.Prepare();
  driver.Update();
  const IIdentifiable& kept = states.KeepCurrentState();
  const Bytes bytes = states.ConvertToByteArray(kept);
  driver.Update();
  EXPECT_EQ(type.sum, 2.0);
  states.RestoreState(kept);
  EXPECT_EQ(type.sum, 1.0);
  EXPECT_EQ(OutputOf<NumericOutput>(*component, 0).LastRow()[0], 1.0);
  driver.UpdateToEnd();
  EXPECT_EQ(type.sum, 3.0);

  // A step that fails leaves nothing behind.
  states.RestoreState(kept);
  const auto usual = type.on_step;
  type.on_step = [&](openmi_instance* me, const openmi_times&) {
    openmi_put(me, type.out, 99.0);
    return openmi_fail(me, "expected calm, found a storm");
  };
  EXPECT_THROW(driver.Update(), ModelError);
  states.RestoreState(kept);
  type.on_step = [&](openmi_instance*, const openmi_times&) { return 0; };
  driver.Update();
  EXPECT_EQ(OutputOf<NumericOutput>(*component, 0).LastRow()[0], 1.0) << "repeated";
  type.on_step = usual;

  type.on_load = [](openmi_instance* me, const void*, std::size_t) { return openmi_fail(me, "expected another day"); };
  EXPECT_THAT([&] { states.RestoreState(states.ConvertFromByteArray(bytes)); },
              testing::ThrowsMessage<FormatError>(HasSubstr("expected another day")));
}

TEST(ComponentInC, OffersStatesAndBalanceOnlyIfItHasThem) {
  CType plain;
  const auto without = plain.Make();
  EXPECT_EQ(dynamic_cast<IManageState*>(without.get()), nullptr);
  EXPECT_EQ(dynamic_cast<IBalance*>(without.get()), nullptr);
  Summing both;
  both.balance = [](openmi_instance*, openmi_balance* balance) {
    balance->storage = 7.0;
    balance->unit = "kg";
    return 0;
  };
  auto with = both.Make();
  EXPECT_NE(dynamic_cast<IManageState*>(with.get()), nullptr);
  const auto& balance = dynamic_cast<const IBalance&>(*with);
  EXPECT_EQ(balance.Balance().storage, 0.0) << "it is asked from the end of start on";
  Driver driver(*with);
  SetTimes(driver);
  driver.Initialize();
  driver.Prepare();
  EXPECT_EQ(balance.Balance().storage, 7.0);
  EXPECT_EQ(balance.BalanceUnit(), "kg");
  EXPECT_EQ(dynamic_cast<const IFamilyKey&>(*with).FamilyKey(), "libscripted.so");
}

TEST(ComponentInC, ChoosesItsSteps) {
  CType type;
  type.flags = OPENMI_WHOLE_STEPS;
  std::vector<double> ends;
  type.next = [](openmi_instance*, double now, double* end) {
    *end = now + 2.0 / 24.0;
    return 0;
  };
  type.on_step = [&](openmi_instance*, const openmi_times& times) {
    ends.push_back(std::round(times.to_seconds));
    return 0;
  };
  const auto component = type.Make();
  Driver driver(*component);
  SetTimes(driver);
  driver.Run();
  EXPECT_THAT(ends, ElementsAre(7200.0, 14400.0));
}

TEST(ComponentInC, RunsAgain) {
  CType type;
  type.flags = OPENMI_RESTARTABLE;
  int made = 0;
  int finished = 0;
  type.on_initialize = [&](openmi_instance* me) {
    const openmi_item item = ItemNamed("y");
    made = me->host->add_output(me, &item);
    return 0;
  };
  type.on_finish = [&](openmi_instance*) {
    ++finished;
    return 0;
  };
  const auto component = type.Make();
  for (int run = 1; run <= 3; ++run) {
    Driver driver(*component);
    SetTimes(driver);
    driver.Run();
    EXPECT_EQ(made, 1) << "numbers begin again with each initialize";
    EXPECT_EQ(finished, run);
  }
}

TEST(ComponentInC, WarnsInCheckAndRun) {
  CType type;
  const auto warn = [](openmi_instance* me) {
    openmi_report report{};
    report.size = sizeof report;
    report.message = "expected snow, found rain";
    report.item = "precipitation";
    return me->host->warn(me, &report);
  };
  type.on_validate = warn;
  type.on_step = [&](openmi_instance* me, const openmi_times&) { return warn(me); };
  const auto component = type.Make();
  Driver driver(*component);
  SetTimes(driver);
  driver.Initialize();
  EXPECT_TRUE(driver.Validate());
  EXPECT_THAT(driver.Messages(), ElementsAre("scripted.precipitation: expected snow, found rain"));
  driver.Prepare();
  driver.UpdateToEnd();
  const Problems remarks = dynamic_cast<const IRemarks&>(*component).Remarks();
  ASSERT_THAT(remarks, SizeIs(1)) << "each sentence once";
  EXPECT_EQ(remarks[0].where.item, "precipitation");
}

TEST(ComponentInC, IsDestroyedOnceWhateverHappened) {
  CType type;
  int finished = 0;
  int destroyed = 0;
  type.on_finish = [&](openmi_instance*) { return ++finished, 0; };
  type.on_destroy = [&](openmi_instance*) { ++destroyed; };
  {
    const auto component = type.Make();
    Driver driver(*component);
    SetTimes(driver);
    driver.Initialize();
    driver.Prepare();
    driver.Update();
  }
  EXPECT_EQ(finished, 1);
  EXPECT_EQ(destroyed, 1);
  type.on_create = [](openmi_instance* me) { return openmi_fail(me, "expected a licence, found none"); };
  EXPECT_THAT([&] { type.Make(); }, testing::ThrowsMessage<ModelError>(HasSubstr("expected a licence")));
  EXPECT_EQ(finished, 1);
  EXPECT_EQ(destroyed, 2);
}

}  // namespace
}  // namespace openmi
