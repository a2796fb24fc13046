// An answer depends on the time asked and on nothing else: not on who else asked, in which order, in which mode, with
// how many threads. The commonest case is a span asked at its own end.

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <random>

#include "openmi/omi/ExportComponent.hpp"
#include "tests/composition/run/RunFixture.hpp"
#include "tests/support/SameBits.hpp"

namespace openmi::testing {

/// Hourly values over spans (or at instants), `first` hours after the start of the run until `last` hours after it;
/// missing before and after, though it steps on: as a series out of a file does. Hour k holds 10 k + k^2.
class Measured final : public SteppingComponent {
 public:
  Measured() : SteppingComponent("measured") {
    first_ = AddArgument<double>("first", {.value = 0.0});
    last_ = AddArgument<double>("last", {.value = 1000.0});
    gives_ = AddArgument<std::string>("gives", {.value = "span", .possible_values = {"span", "instant"}});
  }

 private:
  void Setup() override {
    out_ = AddOutput("out", "m3 s-1", {.gives = gives_.Value() == "span" ? OutputTime::Span : OutputTime::Instant});
    SetOutputHorizon(Stamp{kDayOne} + Hours(first_.Value()), Stamp{kDayOne} + Hours(last_.Value()));
  }
  void Start(Stamp) override { out_.Set(Value(0.0)); }
  void Step(Stamp, Stamp to) override { out_.Set(Value(std::round((to - Stamp{kDayOne}).count * 24.0))); }
  double Value(double hour) const {
    const bool spans = gives_.Value() == "span";
    const bool is_there = hour <= last_.Value() && (spans ? hour > first_.Value() : hour >= first_.Value());
    return is_there ? 10.0 * hour + hour * hour : std::numeric_limits<double>::quiet_NaN();
  }
  Argument<double> first_, last_;
  Argument<std::string> gives_;
  ScalarOutput out_;
};

}  // namespace openmi::testing

OPENMI_EXPORT_COMPONENT_AS("test.Measured", openmi::testing::Measured)

namespace openmi::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr int kMinutes = 18 * 60;

/// One consumer: what it asks, of which source, through what.
struct Asker {
  std::string id, adaptors, asks, method;
  int source_minutes = 0;
  int own_minutes = 0;
  std::size_t source = 0;

  std::string Text() const {
    return ComponentXml(id, "Sink",
                        ArgumentXml("asks", asks) + ArgumentXml("time-step", "PT" + std::to_string(own_minutes) + "M"));
  }
  std::string LinkText() const { return LinkXml("src" + std::to_string(source) + ".out", id + ".in", adaptors); }
};

/// Sources of spans and consumers with steps of their own, drawn by lot.
struct Company {
  std::vector<int> sources;  // minutes
  std::vector<Asker> askers;

  explicit Company(unsigned seed) {
    std::mt19937 lot(seed);
    const auto draw = [&lot](int count) { return std::uniform_int_distribution<int>(0, count - 1)(lot); };
    constexpr int kStepMinutes[] = {20, 30, 40, 60, 90};
    const std::vector<std::pair<std::string, std::string>> kinds = {
        {"linear", AdaptorXml("linear")},
        {"previous", AdaptorXml("previous")},
        {"next", AdaptorXml("next")},
        {"nearest-in-time", AdaptorXml("nearest-in-time")},
        {"linear",
         AdaptorXml("linear-operation", ArgumentXml("a", "1") + ArgumentXml("b", "0")) + AdaptorXml("linear")},
        {"", AdaptorXml("cubic")},
        {"", AdaptorXml("delay", ArgumentXml("delay", "PT40M") + ArgumentXml("extrapolation", "linear"))},
        {"", AdaptorXml("resample", ArgumentXml("step", "PT40M")) + AdaptorXml("linear")},
        {"", AdaptorXml("resample", ArgumentXml("step", "PT30M") + ArgumentXml("as", "instant"))},
        {"span", AdaptorXml("mean-over-span")},
        {"span", AdaptorXml("cubic")},
        {"span", AdaptorXml("maximum-over-span")}};
    for (int i = 0; i < 3; ++i) sources.push_back(kStepMinutes[draw(5)]);
    for (int i = 0; i < 14; ++i) {
      const auto& [method, adaptors] = kinds[static_cast<std::size_t>(draw(static_cast<int>(kinds.size())))];
      Asker asker{"k" + std::to_string(i), adaptors, method == "span" ? "span" : "instant", method};
      asker.source = static_cast<std::size_t>(draw(3));
      asker.source_minutes = sources[asker.source];
      asker.own_minutes = kStepMinutes[draw(5)];
      askers.push_back(asker);
    }
  }

  /// \param order  in which the consumers stand in the file
  std::string Text(const std::vector<std::size_t>& order) const {
    std::string components, links;
    for (std::size_t i = 0; i < sources.size(); ++i) {
      components += ComponentXml("src" + std::to_string(i), "Source",
                                 ArgumentXml("time-step", "PT" + std::to_string(sources[i]) + "M"));
    }
    for (const std::size_t i : order) {
      components += askers[i].Text();
      links += askers[i].LinkText();
    }
    return components + links + RunXml("2015-12-01T18:00Z");
  }
};

using Answers = std::map<std::string, std::vector<double>>;

Answers AnswersOf(const std::string& text, const Company& company, const std::vector<std::size_t>& order, RunMode mode,
                  std::size_t threads) {
  Made made(text);
  EXPECT_THAT(made.Text(), IsEmpty());
  EXPECT_THAT(ErrorsOf(made.Run(mode, threads)), IsEmpty());
  Answers answers;
  for (const std::size_t i : order) {
    std::vector<double>& all = answers[company.askers[i].id];
    for (const auto& row : made.Get<Sink>(company.askers[i].id).rows) all.push_back(row.at(0));
  }
  return answers;
}

TEST(SpanEnds, AnswersAreTheSameInAnyCompanyOrderModeAndNumberOfThreads) {
  for (unsigned seed = 1; seed <= 12; ++seed) {
    const Company company(seed);
    std::mt19937 lot(seed * 77);
    Answers alone;
    for (std::size_t i = 0; i < company.askers.size(); ++i) {
      alone.merge(AnswersOf(company.Text({i}), company, {i}, RunMode::Pull, 1));
    }
    // The rule, reckoned in whole minutes: the span that ends at t or else the one that t lies in.
    for (const Asker& asker : company.askers) {
      if (asker.method.empty() || asker.method == "span") continue;
      const std::vector<double>& got = alone.at(asker.id);
      ASSERT_EQ(got.size(), static_cast<std::size_t>(kMinutes / asker.own_minutes));
      for (std::size_t k = 0; k < got.size(); ++k) {
        const int minute = static_cast<int>(k + 1) * asker.own_minutes;
        const int step = (minute + asker.source_minutes - 1) / asker.source_minutes;
        EXPECT_EQ(got[k], TestValue(step, 0)) << "seed " << seed << ", " << asker.method << " at minute " << minute;
      }
    }
    std::vector<std::size_t> order(company.askers.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    for (const RunMode mode : {RunMode::Pull, RunMode::Step}) {
      for (const std::size_t threads : {1U, 2U, 4U}) {
        std::ranges::shuffle(order, lot);
        for (const auto& [id, got] : AnswersOf(company.Text(order), company, order, mode, threads)) {
          EXPECT_TRUE(SameBits(got, alone.at(id))) << "seed " << seed << ", " << id << ", " << threads << " threads";
        }
      }
    }
  }
}

TEST(OutsideTheData, CheckSaysThatALinkIsExtrapolated) {
  const auto notes = [](const std::string& last, const std::string& extrapolation) {
    return Made(ComponentXml("s", "Measured", ArgumentXml("last", last)) +
                ComponentXml("k", "Sink", ArgumentXml("asks", "instant")) +
                LinkXml("s.out", "k.in", AdaptorXml("linear", ArgumentXml("extrapolation", extrapolation))) + RunXml())
        .Text(Problem::Note);
  };
  EXPECT_THAT(notes("4", "hold"), HasSubstr("outside its data, 's.out' is extrapolated by 'linear' (hold)"));
  EXPECT_THAT(notes("4", "missing"), Not(HasSubstr("extrapolated")));
  EXPECT_THAT(notes("24", "hold"), Not(HasSubstr("extrapolated")));
}

}  // namespace
}  // namespace openmi::testing
