#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <clocale>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "adaptors/StandardAdaptors.hpp"
#include "composition/conformance/Conformance.hpp"
#include "openmi/sdk/InputOf.hpp"
#include "openmi/sdk/LinkableComponentOf.hpp"
#include "openmi/sdk/NestedValueSet.hpp"
#include "openmi/sdk/OutputOf.hpp"
#include "openmi/sdk/Quality.hpp"
#include "openmi/sdk/Quantity.hpp"
#include "tests/support/ForeignComponent.hpp"
#include "timespace/StatefulComponent.hpp"
#include "timespace/elements/ElementSetBuilder.hpp"
#include "timespace/elements/ReferenceSystems.hpp"

namespace openmi {
namespace {

using ::testing::HasSubstr;

template <class Component>
ConformanceReport Check(const ConformanceOptions& options = {}) {
  return CheckConformance([] { return std::make_unique<Component>(); }, options);
}

void ExpectVerdict(const ConformanceReport& report, Verdict verdict, const std::vector<std::string>& numbers) {
  for (const std::string& number : numbers) {
    EXPECT_STREQ(NameOf(report.Result(number).verdict), NameOf(verdict)) << number;
  }
}

class Reservoir : public SteppingComponent {
 public:
  Reservoir() : SteppingComponent("linear-reservoir") {
    k_ = AddArgument<double>("k", {.caption = "storage coefficient", .unit = "d", .value = 2.0, .minimum = 1e-6});
    inflow_ = AddInput("inflow", "m3 s-1");
    outflow_ = AddOutput("outflow", "m3 s-1");
  }

 private:
  void Step(Stamp from, Stamp to) override {
    const double decay = std::exp(-(to - from).count / k_.Value());
    outflow_.Set(outflow_.Get() * decay + inflow_.Get() * (1.0 - decay));
  }
  Argument<double> k_;
  ScalarInput inflow_;
  ScalarOutput outflow_;
};

TEST(Conformance, AComponentOfTheSdkPasses) {
  const ConformanceReport report = Check<Reservoir>();
  EXPECT_TRUE(report.Passed()) << FormatConformance(report);
  ExpectVerdict(report, Verdict::Passed, {"3.3", "5.2", "6.2", "7.1", "8.3", "9.5", "9.6", "9.7", "12.1", "12.3"});
  EXPECT_EQ(report.subject, "linear-reservoir");
}

TEST(Conformance, AProcessThatEndedFailsTheTestItWasAt) {
  const ConformanceReport report = ReportOfDeath("a.omi", "12.2 Update", "was killed by signal 11");
  EXPECT_EQ(report.results.size(), 36U);
  EXPECT_EQ(report.Count(Verdict::Failed), 1U);
  EXPECT_EQ(report.Count(Verdict::NotReached), 35U);
  EXPECT_EQ(report.Result("12.2").sentence,
            "the process that drove the component was killed by signal 11 at '12.2 Update'");
  for (const char* early : {"", "loading"}) {
    const ConformanceReport before = ReportOfDeath("a.omi", early, "did not end within 60 s and was killed");
    EXPECT_EQ(before.Count(Verdict::Failed), 1U);
    EXPECT_THAT(before.Result("12.1").sentence, HasSubstr("did not end within 60 s and was killed")) << early;
  }
}

TEST(Conformance, PassesUnderALocaleWithADecimalComma) {
  ASSERT_NE(std::setlocale(LC_ALL, "de_DE.UTF-8"), nullptr);
  const ConformanceReport report = Check<Reservoir>();
  std::setlocale(LC_ALL, "C");
  EXPECT_TRUE(report.Passed()) << FormatConformance(report);
}

TEST(Conformance, AComponentThatHasOnlyTheInterfacesPasses) {
  const ConformanceReport report = Check<foreign::Component>();
  EXPECT_TRUE(report.Passed()) << FormatConformance(report);
  ExpectVerdict(report, Verdict::NotApplicable, {"4.1", "5.1", "6.2", "9.4", "10.1", "11.1", "12.2", "12.3"});
}

/// Fluxes over polygons, points and ids, kept states, the standard's adaptors, and every kind of argument.
class Basin : public StatefulSteppingComponent {
 public:
  Basin() : StatefulSteppingComponent("basin", "PT6H") {
    AddArgument<int>("layers", {.value = 3, .minimum = 1, .maximum = 9});
    AddArgument<bool>("snow", {.value = true});
    AddArgument<std::string>("scheme", {.value = "explicit", .possible_values = {"explicit", "implicit"}});
    AddArgument<std::string>("engine", {.value = "test", .read_only = true});
    AddArgument<double>("optional", {.optional = true});
    ElementSetBuilder squares("squares", ElementType::Polygon, kLocalMetresWkt);
    squares.AddPolygon("a", std::vector<ElementVertex>{{0, 0}, {10, 0}, {10, 10}, {0, 10}});
    squares.AddPolygon("b", std::vector<ElementVertex>{{10, 0}, {20, 0}, {20, 10}, {10, 10}});
    const auto polygons = std::make_shared<const ElementSet>(squares.Build());
    const double x[] = {1.0, 2.0, 3.0};
    const double y[] = {1.0, 1.0, 1.0};
    const auto points = std::make_shared<const ElementSet>(ElementSet::Points("gauges", kWgs84Wkt, {}, x, y));
    const auto ids = std::make_shared<const ElementSet>(ElementSet::IdBased("nodes", {"in", "out"}));
    rain_ = AddInput("rain", "mm h-1", polygons, {.asks = InputTime::Span});
    runoff_ = AddOutput("runoff", "mm h-1", polygons, {.gives = OutputTime::Span});
    level_ = AddOutput("level", "m", points);
    flow_ = AddOutput("flow", "m3 s-1", ids);
    AdaptedOutputFactories().push_back(&adaptors_);
  }

 protected:
  void Start(Stamp) override { storage_ = 1.0; }

 private:
  void Step(Stamp, Stamp) override {
    const std::span<double> runoff = runoff_.Next();
    storage_ += rain_.Values()[0];
    for (std::size_t i = 0; i < runoff.size(); ++i) runoff[i] = 0.1 * storage_ * static_cast<double>(i + 1);
    storage_ *= 0.9;
    for (double& level : level_.Next()) level = storage_;
    for (double& flow : flow_.Next()) flow = 2.0 * storage_;
  }
  void SaveState(StateWriter& writer) const override { writer.Write(storage_); }
  void LoadState(StateReader& reader) override { storage_ = reader.ReadDouble(); }

  StandardAdaptors adaptors_;
  ArrayInput rain_;
  ArrayOutput runoff_, level_, flow_;
  double storage_ = 1.0;
};

TEST(Conformance, AComponentWithPlacesStatesAndTheStandardAdaptorsPasses) {
  const ConformanceReport report = Check<Basin>();
  EXPECT_TRUE(report.Passed()) << FormatConformance(report);
  ExpectVerdict(report, Verdict::Passed, {"4.1", "4.2", "4.3", "7.1", "10.1", "10.2", "10.3", "11.1", "11.2"});
}

/// Neither time nor place: a ragged set of three indices, and a quality.
class Parameters : public LinkableComponent {
 public:
  Parameters() : LinkableComponent("parameters") {
    auto quantity = [] { return std::make_unique<Quantity>(Unit::Parse("mm"), "depth"); };
    input_ = &TakeInput(std::make_unique<BaseInput>("depths", quantity(), this));
    const ValueType numbers{ValueKind::Double};
    auto set = std::make_unique<NestedValueSet>(numbers, 3, 1.0);
    set->Resize({}, 2);
    set->Resize({0}, 2);
    set->Resize({1}, 1);
    set->Resize({0, 0}, 3);
    set->Resize({0, 1}, 1);
    set->Resize({1, 0}, 2);
    output_ = &TakeOutput(std::make_unique<BaseOutput>("doubled", quantity(), this, std::move(set)));
    std::vector<Category> categories{Category("dry", "dry"), Category("wet", "wet")};
    auto state = std::make_unique<NestedValueSet>(ValueType{ValueKind::String}, std::initializer_list<std::size_t>{1},
                                                  Value("dry"));
    quality_ = &TakeOutput(std::make_unique<BaseOutput>(
        "state", std::make_unique<Quality>("state", std::move(categories), true), this, std::move(state)));
    SetRestartable(true);
  }

 private:
  void OnPrepare() override {
    steps_ = 0;
    output_->EditValues().SetValue(std::vector<std::size_t>{0, 0, 2}, 1.0);
    quality_->EditValues().SetValue(std::vector<std::size_t>{0}, "dry");
  }
  UpdateResult OnUpdate(std::span<IBaseOutput* const>) override {
    double sum = 0.0;
    if (input_->Provider() != nullptr) {
      input_->SetValues(&input_->Provider()->GetValues(*input_));
      sum = input_->Values()->GetValue(std::vector<std::size_t>{1, 0, 1}).Number().value();
    }
    output_->EditValues().SetValue(std::vector<std::size_t>{0, 0, 2}, 2.0 * sum + ++steps_);
    output_->Publish();
    quality_->EditValues().SetValue(std::vector<std::size_t>{0}, steps_ % 2 == 0 ? "dry" : "wet");
    quality_->Publish();
    return steps_ < 4 ? UpdateResult::Updated : UpdateResult::Done;
  }

  BaseInput* input_ = nullptr;
  BaseOutput* output_ = nullptr;
  BaseOutput* quality_ = nullptr;
  int steps_ = 0;
};

std::unique_ptr<IBaseValueSet> Ragged(const IBaseInput&) {
  auto set = std::make_unique<NestedValueSet>(ValueType{ValueKind::Double}, 3, 1.5);
  set->Resize({}, 2);
  set->Resize({0}, 1);
  set->Resize({1}, 1);
  set->Resize({0, 0}, 1);
  set->Resize({1, 0}, 2);
  return set;
}

TEST(Conformance, ACoreOnlyComponentThatRunsTwicePasses) {
  ConformanceOptions options;
  options.core_values = Ragged;
  const ConformanceReport report = Check<Parameters>(options);
  EXPECT_TRUE(report.Passed()) << FormatConformance(report);
  ExpectVerdict(report, Verdict::Passed, {"3.4", "3.5", "6.1", "9.2", "9.3", "9.7", "12.1"});
  ExpectVerdict(report, Verdict::NotApplicable, {"5.1", "6.2", "9.4", "12.2"});
}

class Endless : public Reservoir {
 public:
  Endless() { AddArgument<int>("unused", {.value = 1}); }
  Stamp StepEnd(Stamp now) const override { return now + Seconds(1.0); }
};

TEST(Conformance, StopsAfterTheUpdatesItMayMake) {
  ConformanceOptions options;
  options.max_updates = 20;
  const ConformanceReport report = Check<Endless>(options);
  EXPECT_TRUE(report.Passed()) << FormatConformance(report);
}

TEST(Conformance, SetsOnlyTheTimesThatAreMissing) {
  class Begins : public Reservoir {
   public:
    void Setup() override { SetDefaultTimes(Stamp{60000.0}, Stamp{60000.5}); }
  };
  std::vector<std::string> updates;
  ConformanceOptions options;
  options.on_check = [&updates](std::string_view, std::string_view what) {
    if (what == "Update") updates.emplace_back(what);
  };
  const ConformanceReport report = Check<Begins>(options);
  EXPECT_TRUE(report.Passed()) << FormatConformance(report);
  EXPECT_EQ(updates.size(), 12u);  // half a day in hours: its own times, not the two days of the harness
}

TEST(Conformance, OneThatCanBePreparedOnlyOnceIsCheckedAsFarAsThatGoes) {
  static bool prepared;
  prepared = false;
  class Once : public Basin {
   public:
    void Start(Stamp begin) override {
      if (prepared) throw FileError({}, "expected a file to write, found one that is there");
      prepared = true;
      Basin::Start(begin);
    }
  };
  const ConformanceReport report = Check<Once>();
  EXPECT_TRUE(report.Passed()) << FormatConformance(report);
  ExpectVerdict(report, Verdict::Passed, {"9.5", "12.1"});
  ExpectVerdict(report, Verdict::NotReached, {"10.1", "10.2", "10.3", "11.1", "11.2"});
  EXPECT_THAT(report.Result("11.1").sentence, HasSubstr("a second component could not be prepared: expected a file"));
}

TEST(Conformance, NamesTheArgumentsThatHaveNoValue) {
  class Asks : public Reservoir {
   public:
    Asks() {
      AddArgument<std::string>("parameters", {});
      AddArgument<double>("width", {});
    }
  };
  const ConformanceReport report = Check<Asks>();
  EXPECT_EQ(report.Count(Verdict::Failed), 1u) << FormatConformance(report);
  EXPECT_THAT(report.Result("12.1").sentence, HasSubstr("set the argument 'parameters'"));
  EXPECT_THAT(report.Result("12.1").further,
              ::testing::ElementsAre(HasSubstr("arguments without a value: 'parameters', 'width'")));
}

TEST(Conformance, AMakerThatThrowsFailsTheComponent) {
  const ConformanceReport report = CheckConformance(
      []() -> std::unique_ptr<IBaseLinkableComponent> { throw ModelError({}, "no licence for this solver"); });
  EXPECT_THAT(report.Result("12.1").sentence, HasSubstr("making the component threw: no licence for this solver"));
  EXPECT_EQ(report.Result("2.1").sentence, "not reached because 12.1 failed");
}

TEST(Conformance, WhatIsNoExceptionIsCaughtToo) {
  class Odd : public Reservoir {
   public:
    void Start(Stamp) override { throw 42; }
  };
  const ConformanceReport report = Check<Odd>();
  EXPECT_THAT(report.Result("12.1").sentence, HasSubstr("Prepare threw: something that is no std::exception"));
  EXPECT_EQ(report.Count(Verdict::Failed), 1u) << FormatConformance(report);
}

}  // namespace
}  // namespace openmi
