// What is at work at the same time in a run with several threads: only what has to wait does.
//
// Components meet: one waits in its step until another one is in its own, for a while. What counts is whether they ever
// met, not how long it took.

#include <algorithm>
#include <bit>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "fmi-bridge/common/items/ItemDefinitions.hpp"
#include "tests/composition/run/RunFixture.hpp"
#include "timespace/items/ValueItems.hpp"
#include "timespace/testing/ProbeInput.hpp"

namespace openmi::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// Where components meet, by the names of places: two that are inside of one at once have met. Those who found nobody
/// often do not wait any more.
class Meetings {
 public:
  /// \param wanted  meetings after which none waits any more
  /// \param waits  how often who is alone at a place waits for another: several times, since what is thought too small
  ///               for a thread of its own is found out by measuring it
  void Clear(int waits, int wanted) {
    const std::lock_guard lock(mutex_);
    waits_ = waits;
    wanted_ = wanted;
    met_ = 0;
    inside_.clear();
    lonely_.clear();
  }
  void Meet(const std::string& place) {
    std::unique_lock lock(mutex_);
    const int now = ++inside_[place];
    if (now > 1) {
      ++met_;
      came_.notify_all();
    } else if (met_ < wanted_ && lonely_[place] < waits_) {
      const int met_before = met_;
      if (!came_.wait_for(lock, std::chrono::milliseconds(250), [&] { return met_ > met_before; })) ++lonely_[place];
    }
    --inside_[place];
  }
  int Met() {
    const std::lock_guard lock(mutex_);
    return met_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable came_;
  std::map<std::string, int> inside_, lonely_;
  int met_ = 0;
  int waits_ = 0;
  int wanted_ = 0;
};

Meetings& TheMeetings() {
  static Meetings meetings;
  return meetings;
}

const std::thread::id kTestThread = std::this_thread::get_id();

/// out = 0.5 in + 0.25 side + 1 + letters of `word` + 0.125 early, of what is linked; `early` is asked for an hour
/// after the end of the step, which nobody can foresee. Meets others at each of the places in `meets` (spaces between
/// them).
class Guest final : public SteppingComponent {
 public:
  Guest() : SteppingComponent("guest") {
    meets_ = AddArgument<std::string>("meets", {.value = ""});
    throw_at_ = AddArgument<std::int64_t>("throw-at", {.value = -1});
    in_ = AddInput("in", "1", {.asks = InputTime::Instant, .default_value = 2.0});
    side_ = AddInput("side", "1", {.asks = InputTime::Instant, .default_value = 2.0});
    out_ = AddOutput("out", "1", {.gives = OutputTime::Instant});
  }
  int elsewhere = 0;  ///< updates on another thread than that of the test

 private:
  void Setup() override {
    word_ = &AddItem<ValueInput>("word", items::PlainDefinitionOf("word", ValueKind::String));
    early_ = &TakeInput(std::make_unique<ProbeInput>("early"));
  }
  void Start(Stamp begin) override {
    step_ = 0;
    out_.Set(1.0);
    early_->PromiseNothingBefore(begin);
  }
  void Step(Stamp, Stamp to) override {
    if (++step_ == throw_at_.Value()) throw std::domain_error("the guest fell ill");
    if (std::this_thread::get_id() != kTestThread) ++elsewhere;
    double sum = 0.5 * in_.Get() + 0.25 * side_.Get() + 1.0;
    if (word_->Provider() != nullptr) {
      word_->Pull(to);
      const openmi::Value word = word_->Get(0);
      sum += static_cast<double>(word.As<std::string>()->size());
    }
    if (auto* provider = dynamic_cast<ITimeSpaceOutput*>(early_->Provider())) {
      const Stamp hour = to + Hours(1);
      sum += 0.125 * early_->Value(*provider, Before(EndTime(), hour) ? EndTime() : hour);
      early_->PromiseNothingBefore(to);
    }
    std::istringstream places(meets_.Value());
    for (std::string place; places >> place;) TheMeetings().Meet(place);
    out_.Set(sum);
  }
  Argument<std::string> meets_;
  Argument<std::int64_t> throw_at_;
  ScalarInput in_, side_;
  ValueInput* word_ = nullptr;
  ProbeInput* early_ = nullptr;
  ScalarOutput out_;
  std::int64_t step_ = 0;
};

/// Says a word at each step, as long as the number of the step has digits.
class Speaker final : public SteppingComponent {
 public:
  Speaker() : SteppingComponent("speaker") {}

 private:
  void Setup() override { said_ = &AddItem<ValueOutput>("said", items::PlainDefinitionOf("word", ValueKind::String)); }
  void Start(Stamp begin) override { Say(begin); }
  void Step(Stamp, Stamp to) override {
    ++step_;
    Say(to);
  }
  void Say(Stamp time) {
    said_->Set(0, openmi::Value(std::to_string(step_)));
    said_->Publish(time);
  }
  ValueOutput* said_ = nullptr;
  int step_ = 0;
};

std::string Guests(const std::string& id, const std::string& meets = {}, const std::string& more = {}) {
  return ComponentXml(id, "Guest", ArgumentXml("meets", meets) + more);
}

RunRecord RunWith(const std::string& text, std::size_t threads, RunMode mode = RunMode::Pull, int wanted = 1) {
  TheMeetings().Clear(threads > 1 ? 16 : 0, wanted);
  Made made(text);
  EXPECT_THAT(made.Text(), IsEmpty());
  return made.Run(mode, threads);
}

/// Where two records differ in a bit; empty: nowhere.
std::string Differing(const RunRecord& record, const RunRecord& expected) {
  const auto bits = [](double value) { return std::bit_cast<std::uint64_t>(value); };
  std::ostringstream text;
  text.precision(17);
  for (std::size_t i = 0; i < expected.series.size(); ++i) {
    const RecordedSeries& got = record.series[i];
    const RecordedSeries& wanted = expected.series[i];
    if (got.times.size() != wanted.times.size()) {
      text << wanted.series.id << ": " << got.times.size() << " rows, expected " << wanted.times.size() << "\n";
    }
    for (std::size_t row = 0; row < std::min(got.values.size(), wanted.values.size()); ++row) {
      if (bits(got.values[row]) == bits(wanted.values[row]) && bits(got.times[row]) == bits(wanted.times[row]))
        continue;
      text << wanted.series.id << ": row " << row << " at " << got.times[row] << " is " << got.values[row]
           << ", expected " << wanted.values[row] << "\n";
      break;
    }
  }
  return text.str();
}

/// Runs two days with two threads, and expects that components met, and what one thread gives.
void ExpectMeetings(const std::string& body, RunMode mode = RunMode::Pull, int times = 1) {
  const std::string text = body + RunXml("2015-12-03T00:00Z");
  const RunRecord two = RunWith(text, 2, mode, times);
  EXPECT_THAT(ErrorsOf(two), IsEmpty());
  EXPECT_GE(TheMeetings().Met(), times);
  EXPECT_EQ(Differing(two, RunWith(text, 1, mode)), "");
}

TEST(ParallelUpdate, ComponentsBelowATextAreAtWorkAtOnce) {
  for (const RunMode mode : {RunMode::Pull, RunMode::Step}) {
    ExpectMeetings(ComponentXml("s", "Speaker") + Guests("listener") + LinkXml("s.said", "listener.word") +
                       Guests("a", "x") + Guests("b", "x") + LinkXml("listener.out", "a.in") +
                       LinkXml("listener.out", "b.in") + "<Observe Item=\"a.out\"/><Observe Item=\"b.out\"/>",
                   mode);
  }
}

TEST(ParallelUpdate, LoopsThatAreNotIteratedAreAtWorkAtOnce) {
  std::string text;
  for (const std::string pair : {"p", "q"}) {
    text += Guests(pair + "0", "x") + Guests(pair + "1") + LinkXml(pair + "0.out", pair + "1.in") +
            LinkXml(pair + "1.out", pair + "0.in") + Guests(pair + "below") +
            LinkXml(pair + "1.out", pair + "below.in") + "<Observe Item=\"" + pair + "below.out\"/>";
  }
  for (const RunMode mode : {RunMode::Pull, RunMode::Step}) ExpectMeetings(text, mode);
}

TEST(ParallelUpdate, AQuestionThatNobodyForesawHoldsOnlyWhatItTouches) {
  // But for the first passes `spring` makes its steps within those of `early`; `free` has nothing to do with either.
  ExpectMeetings(Guests("spring", "x") + Guests("early") + LinkXml("spring.out", "early.early") + Guests("free", "x") +
                     "<Observe Item=\"early.out\"/><Observe Item=\"free.out\"/>",
                 RunMode::Pull, 5);
}

TEST(ParallelUpdate, AComponentBeginsWhenItsProvidersAreThere) {
  // The second of one chain is at work while the first of the other one still is.
  ExpectMeetings(Guests("a0") + Guests("a1", "x") + LinkXml("a0.out", "a1.in") + Guests("b0", "x") + Guests("b1") +
                 LinkXml("b0.out", "b1.in") + "<Observe Item=\"a1.out\"/><Observe Item=\"b1.out\"/>");
}

TEST(ParallelUpdate, AChainIsAtWorkInSeveralPassesAtOnce) {
  ExpectMeetings(Guests("a", "x") + Guests("b") + Guests("c", "x") + Guests("d") + LinkXml("a.out", "b.in") +
                 LinkXml("b.out", "c.in") + LinkXml("c.out", "d.in") +
                 "<Observe Item=\"d.out\"/><Observe Item=\"a.out\"/>");
}

TEST(ParallelUpdate, WhatIsTooSmallStaysOnTheCallingThread) {
  std::string text;
  for (const char* id : {"a", "b", "c", "d"}) text += Guests(id);
  Made made(text + RunXml("2016-06-01T00:00Z"));
  ASSERT_THAT(made.Text(), IsEmpty());
  ASSERT_THAT(ErrorsOf(made.Run(RunMode::Pull, 2)), IsEmpty());
  int elsewhere = 0;
  for (const char* id : {"a", "b", "c", "d"}) elsewhere += made.Get<Guest>(id).elsewhere;
  EXPECT_LT(elsewhere, 4000) << "of 17 568 updates of well under a microsecond";
}

TEST(ParallelUpdate, WhatIsThereAfterAFailureDoesNotDependOnTheThreads) {
  std::string text;
  for (int i = 0; i < 6; ++i) {
    const std::string id = "a" + std::to_string(i);
    text += Guests(id, "", i == 3 ? ArgumentXml("throw-at", "5") : "") + "<Observe Item=\"" + id + ".out\"/>";
    if (i > 0) text += LinkXml("a" + std::to_string(i / 2) + ".out", id + (i == 1 ? ".side" : ".in"));
  }
  text += RunXml();
  const RunRecord first = RunWith(text, 2);
  for (int repeat = 0; repeat < 10; ++repeat) {
    for (const std::size_t threads : {2U, 3U, 4U}) {
      const RunRecord record = RunWith(text, threads);
      EXPECT_THAT(ErrorsOf(record), HasSubstr("a3: expected the model to compute, found 'the guest fell ill'"));
      ASSERT_EQ(Differing(record, first), "") << threads << " threads";
    }
  }
}

/// A net drawn by lot of all that the others are about: words, loops, questions nobody foresaw, steps of their own.
std::string Net(unsigned seed) {
  std::mt19937 lot(seed);
  const auto draw = [&lot](std::size_t count) { return std::uniform_int_distribution<std::size_t>(0, count - 1)(lot); };
  constexpr const char* kLengths[] = {"PT10M", "PT20M", "PT30M", "PT1H", "PT2H"};
  const std::string linear = AdaptorXml("linear", ArgumentXml("extrapolation", "hold"));
  std::string text = ComponentXml("s", "Speaker", ArgumentXml("time-step", "PT1H"));
  std::vector<std::string> outputs;
  for (std::size_t i = 0; i < 30; ++i) {
    const std::string id = "g" + std::to_string(i);
    text += Guests(id, "", ArgumentXml("time-step", kLengths[draw(5)]));
    if (i > 2) text += LinkXml(outputs[draw(outputs.size())], id + ".in", linear);
    if (i > 2 && draw(4) == 0) text += LinkXml(outputs[draw(outputs.size())], id + ".side", linear);
    if (draw(6) == 0) text += LinkXml("s.said", id + ".word");
    if (i > 2 && draw(6) == 0) text += LinkXml(outputs[draw(outputs.size())], id + ".early", linear);
    if (draw(6) == 0 && text.find("\"" + id + ".side\"") == std::string::npos) {  // a loop of two
      const std::string back = id + "b";
      text += Guests(back, "", ArgumentXml("time-step", kLengths[draw(5)])) +
              LinkXml(id + ".out", back + ".in", linear) + LinkXml(back + ".out", id + ".side", linear);
      outputs.push_back(back + ".out");
      text += "<Observe Item=\"" + back + ".out\"/>";
    }
    outputs.push_back(id + ".out");
    text += "<Observe Item=\"" + id + ".out\"/>";
  }
  return text + RunXml("2015-12-02T00:00Z");
}

TEST(ParallelUpdate, ANetGivesTheSameBitsWithAnyNumberOfThreads) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    Made checked(Net(seed));
    ASSERT_THAT(checked.Text(), IsEmpty()) << seed;
    for (const RunMode mode : {RunMode::Pull, RunMode::Step}) {
      const RunRecord one = RunWith(Net(seed), 1, mode);
      ASSERT_THAT(ErrorsOf(one), IsEmpty()) << seed;
      for (const std::size_t threads : {2U, 3U, 4U}) {
        const RunRecord record = RunWith(Net(seed), threads, mode);
        ASSERT_THAT(ErrorsOf(record), IsEmpty()) << seed;
        EXPECT_EQ(Differing(record, one), "") << seed << ", " << threads << " threads, " << static_cast<int>(mode);
      }
    }
  }
}

}  // namespace
}  // namespace openmi::testing

OPENMI_EXPORT_COMPONENT_AS("test.Guest", openmi::testing::Guest)
OPENMI_EXPORT_COMPONENT_AS("test.Speaker", openmi::testing::Speaker)
