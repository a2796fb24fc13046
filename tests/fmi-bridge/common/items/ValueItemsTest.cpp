// What outputs of values that are no numbers answer to consumers of any pace.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "fmi-bridge/common/items/ItemDefinitions.hpp"
#include "openmi/sdk/Error.hpp"
#include "tests/composition/run/RunFixture.hpp"
#include "tests/fmi-bridge/run/ExampleFmu.hpp"
#include "timespace/SteppingComponent.hpp"
#include "timespace/items/ValueItems.hpp"
#include "timespace/testing/Driver.hpp"

namespace openmi {
namespace {

using items::PlainDefinitionOf;
using testing::ArgumentXml;
using testing::ComponentXml;
using testing::ErrorsOf;
using testing::LinkXml;
using testing::Made;

/// Says the number of its step; as bytes it shows them in a buffer that each step overwrites.
class Speaker final : public SteppingComponent {
 public:
  Speaker() : SteppingComponent("speaker", "PT5S") {
    bytes_ = AddArgument<bool>("bytes", {.value = false});
    is_still_ = AddArgument<bool>("still", {.value = false});
  }
  ValueOutput& Output() { return *output_; }

 private:
  void Setup() override {
    const ValueKind kind = bytes_.Value() ? ValueKind::Binary : ValueKind::String;
    output_ = &TakeOutput(std::make_unique<ValueOutput>("said", PlainDefinitionOf("text", kind), nullptr, this));
  }
  void Start(Stamp begin) override { Say(begin); }
  void Step(Stamp, Stamp to) override {
    ++step_;
    output_->KeepShown(to);
    Say(to);
  }
  void Say(Stamp time) {
    if (step_ == 0 || !is_still_.Value()) {
      const std::string text = std::to_string(step_);
      if (bytes_.Value()) {
        buffer_.fill('#');
        std::ranges::copy(text, buffer_.begin());
        output_->ShowBytes(0, std::as_bytes(std::span(buffer_)).first(text.size()));
      } else {
        output_->Set(0, Value(text));
      }
    }
    output_->Publish(time);
  }

  Argument<bool> bytes_, is_still_;
  ValueOutput* output_ = nullptr;
  int step_ = 0;
  std::array<char, 16> buffer_{};
};

/// Remembers what it hears at the end of each of its steps.
class Listener final : public SteppingComponent {
 public:
  Listener() : SteppingComponent("listener", "PT1S") { bytes_ = AddArgument<bool>("bytes", {.value = false}); }
  ValueInput& Input() { return *input_; }
  std::vector<std::string> heard;

 private:
  void Setup() override {
    const ValueKind kind = bytes_.Value() ? ValueKind::Binary : ValueKind::String;
    input_ = &TakeInput(std::make_unique<ValueInput>("heard", PlainDefinitionOf("text", kind), nullptr, this));
    AddOutput("count", "1");
  }
  void Step(Stamp, Stamp to) override {
    input_->Pull(to);
    if (bytes_.Value()) {
      const std::span<const std::byte> bytes = input_->GetBytes(0);
      heard.emplace_back(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    } else {
      const Value value = input_->Get(0);
      const auto* text = value.As<std::string>();
      heard.push_back(text != nullptr ? *text : "(none)");
    }
  }

  Argument<bool> bytes_;
  ValueInput* input_ = nullptr;
};

/// What a listener that asks each `step` s hears for 60 s of one that speaks each 5 s.
std::vector<std::string> Expected(int step) {
  std::vector<std::string> expected;
  for (int time = step; time <= 60; time += step) expected.push_back(std::to_string(time / 5));
  return expected;
}

std::string Listeners(const std::string& source, const std::string& more) {
  return ComponentXml("fast", "Listener", ArgumentXml("time-step", "PT1S") + more) +
         ComponentXml("same", "Listener", ArgumentXml("time-step", "PT5S") + more) +
         ComponentXml("slow", "Listener", ArgumentXml("time-step", "PT15S") + more) + LinkXml(source, "fast.heard") +
         LinkXml(source, "same.heard") + LinkXml(source, "slow.heard") +
         "<Run From=\"2015-12-01T00:00Z\" To=\"2015-12-01T00:01Z\"/>";
}

TEST(ValueOutput, GivesWhatHoldsAtTheTimeToListenersOfAnyPace) {
  for (const RunMode mode : {RunMode::Pull, RunMode::Step}) {
    for (const char* bytes : {"false", "true"}) {
      Made made(ComponentXml("s", "Speaker", ArgumentXml("bytes", bytes)) +
                Listeners("s.said", ArgumentXml("bytes", bytes)));
      ASSERT_EQ(made.Text(), "");
      EXPECT_EQ(made.Text(Problem::Warning), "") << "the check announces no end of the run";
      EXPECT_EQ(ErrorsOf(made.Run(mode)), "");
      EXPECT_EQ(made.Get<Listener>("fast").heard, Expected(1)) << bytes;
      EXPECT_EQ(made.Get<Listener>("same").heard, Expected(5)) << bytes;
      EXPECT_EQ(made.Get<Listener>("slow").heard, Expected(15)) << bytes;
    }
  }
}

// An FMU between that gives back what it gets, in this process and in another.
TEST(ValueOutput, GivesWhatHoldsAcrossProcesses) {
  for (const char* isolation : {"none", "instance"}) {
    for (const bool bytes : {false, true}) {
      const std::string kind = bytes ? "Binary" : "String";
      const std::string more = ArgumentXml("bytes", bytes ? "true" : "false");
      Made made(ComponentXml("s", "Speaker", more) +
                "<Component Id=\"f\" Type=\"openmi.fmi.Fmu\" Assembly=\"openmi-fmi-bridge\" Isolation=\"" + isolation +
                "\">" + ArgumentXml("fmu", fmi::ExamplePath(3, "Feedthrough").string()) +
                ArgumentXml("time-step", "PT5S") + "</Component>\n" + LinkXml("s.said", "f." + kind + "_input") +
                Listeners("f." + kind + "_output", more));
      ASSERT_EQ(made.Text(), "");
      EXPECT_EQ(ErrorsOf(made.Run()), "");
      EXPECT_EQ(made.Get<Listener>("fast").heard, Expected(1)) << isolation << " " << kind;
      EXPECT_EQ(made.Get<Listener>("same").heard, Expected(5)) << isolation << " " << kind;
      EXPECT_EQ(made.Get<Listener>("slow").heard, Expected(15)) << isolation << " " << kind;
    }
  }
}

TEST(ValueOutput, KeepsNoMoreRowsThanAreAskedFor) {
  Made made(ComponentXml("s", "Speaker", ArgumentXml("time-step", "PT0.1S")) + Listeners("s.said", {}));
  ASSERT_EQ(made.Text(), "");
  EXPECT_EQ(ErrorsOf(made.Run()), "");
  EXPECT_EQ(made.Get<Listener>("slow").heard, (std::vector<std::string>{"150", "300", "450", "600"}));
  EXPECT_LE(made.Get<Speaker>("s").Output().RowCount(), 151u) << "those of a step of the slowest, of 601";
}

// In a process of its own as in this one: a row is not kept, nor copied, for a consumer that has it already.
TEST(ValueOutput, KeepsNoRowForAConsumerInAnotherProcessThatHasIt) {
  for (const char* isolation : {"none", "instance"}) {
    Made made(ComponentXml("s", "Speaker", ArgumentXml("bytes", "true")) +
              "<Component Id=\"f\" Type=\"openmi.fmi.Fmu\" Assembly=\"openmi-fmi-bridge\" Isolation=\"" + isolation +
              "\">" + ArgumentXml("fmu", fmi::ExamplePath(3, "Feedthrough").string()) +
              ArgumentXml("time-step", "PT5S") + "</Component>\n" + LinkXml("s.said", "f.Binary_input") +
              "<Run From=\"2015-12-01T00:00Z\" To=\"2015-12-01T00:01Z\"/>");
    ASSERT_EQ(made.Text(), "");
    EXPECT_EQ(ErrorsOf(made.Run(RunMode::Step)), "");
    EXPECT_LE(made.Get<Speaker>("s").Output().RowCount(), 2u) << isolation << ": the last, and the one before it";
  }
}

TEST(ValueOutput, AValueThatIsNotSetAgainHoldsOn) {
  Made made(ComponentXml("s", "Speaker", ArgumentXml("still", "true")) + Listeners("s.said", {}));
  ASSERT_EQ(made.Text(), "");
  EXPECT_EQ(ErrorsOf(made.Run()), "");
  EXPECT_THAT(made.Get<Listener>("fast").heard, ::testing::Each("0"));
  EXPECT_EQ(made.Get<Speaker>("s").Output().RowCount(), 1u);
}

TEST(ValueOutput, RefusesATimeBeforeTheFirstValue) {
  Speaker speaker;
  Driver speaks(speaker);
  speaks.Set("start-time", "2015-12-01T00:01Z").Set("end-time", "2015-12-01T00:02Z");
  speaks.Initialize();
  Listener listener;
  Driver hears(listener);
  hears.Set("start-time", "2015-12-01T00:00Z").Set("end-time", "2015-12-01T00:02Z");
  hears.Initialize();
  speaker.Output().AddConsumer(listener.Input());
  speaks.Validate();
  hears.Validate();
  speaks.Prepare();
  hears.Prepare();
  EXPECT_THROW(hears.Update(), RangeError);
}

TEST(ValueOutput, RowsOfAStateComeBack) {
  Speaker speaker, other;
  for (Speaker* one : {&speaker, &other}) {
    Driver driver(*one);
    driver.Set("start-time", "2015-12-01T00:00Z").Set("end-time", "2015-12-01T00:02Z");
    driver.Initialize();
    driver.Validate();
    driver.Prepare();
  }
  Listener listener, late;
  Driver hears(listener), hears_late(late);
  for (Driver* one : {&hears, &hears_late}) {
    one->Set("start-time", "2015-12-01T00:00Z").Set("end-time", "2015-12-01T00:02Z");
    one->Initialize();
  }
  speaker.Output().AddConsumer(listener.Input());
  other.Output().AddConsumer(late.Input());
  hears.Validate();
  hears.Prepare();
  hears.Update();  // the speaker is five seconds ahead
  StateWriter kept;
  speaker.Output().SaveRows(kept);
  StateReader reader(kept.Bytes());
  other.Output().LoadRows(reader);
  ASSERT_EQ(other.Output().RowCount(), 2u);
  for (const auto& [seconds, said] : {std::pair(1.0, "0"), std::pair(5.0, "1")}) {
    late.Input().Pull(Stamp{57357.0 + seconds / 86400.0});
    EXPECT_EQ(*late.Input().Get(0).As<std::string>(), said);
  }
}

}  // namespace
}  // namespace openmi

OPENMI_EXPORT_COMPONENT_AS("test.Speaker", openmi::Speaker)
OPENMI_EXPORT_COMPONENT_AS("test.Listener", openmi::Listener)
