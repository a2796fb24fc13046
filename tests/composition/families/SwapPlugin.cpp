// A solver that is exchanged while a run goes on. OPENMI_TEST_VERSION tells one build of it from another; it uses what
// keeps a library in memory that is built without care: make_shared, regex, an inline variable, and, where
// OPENMI_TEST_THREAD_LOCAL is defined, a thread_local with a destructor. OPENMI_TEST_LIVE makes it a live source.
#include <cstdlib>
#include <memory>
#include <regex>
#include <stdexcept>
#include <string>

#include "openmi/omi/ExportComponent.hpp"
#include "timespace/StatefulComponent.hpp"
#include "timespace/optional/ILiveSource.hpp"

inline double inline_version = OPENMI_TEST_VERSION;

#ifdef OPENMI_TEST_THREAD_LOCAL
thread_local std::string last_name;
#endif

#ifdef OPENMI_TEST_UNDEFINED
double DefinedNowhere(double);
#endif

namespace {

/// out = version * (level + gain * in), where level goes up by in at each step.
class Swap final : public openmi::StatefulSteppingComponent
#ifdef OPENMI_TEST_LIVE
    ,
                   public openmi::ILiveSource
#endif
{
 public:
#ifdef OPENMI_TEST_LIVE
  void SetWaitListener(WaitListener) override {}
  std::string HealthText() const override {
    return health_;
  }
#endif
  Swap() : StatefulSteppingComponent("swap") {
    gain_ = AddArgument<double>("gain", {.caption = "gain", .value = 1.0});
    unit_ = AddArgument<std::string>("unit", {.caption = "unit of both", .value = "1"});
    gives_ = AddArgument<std::string>("gives", {.caption = "instant or span", .value = "instant"});
  }

 private:
  void Setup() override {
    if (OPENMI_TEST_VERSION == 6) std::abort();
    if (OPENMI_TEST_VERSION == 3) throw std::runtime_error("version 3 does not start");
    const auto shared = std::make_shared<std::string>("swap-" + std::to_string(OPENMI_TEST_VERSION));
    if (!std::regex_match(*shared, std::regex("swap-[0-9]+"))) throw std::runtime_error("no name");
    in_ = AddInput("in", unit_.Value(), {.default_value = 1.0});
    out_ = AddOutput("out", OPENMI_TEST_VERSION == 4 ? "m" : unit_.Value(),
                     {.gives = gives_.Value() == "span" ? openmi::OutputTime::Span : openmi::OutputTime::Instant});
  }
  void Start(openmi::Stamp) override {
    level_ = 0.0;
    if (gives_.Value() != "span") out_.Set(0.0);
  }
  void Step(openmi::Stamp, openmi::Stamp) override {
#ifdef OPENMI_TEST_THREAD_LOCAL
    last_name = "a name that is long enough to live on the heap";
#endif
#ifdef OPENMI_TEST_UNDEFINED
    level_ = DefinedNowhere(level_);
#endif
    const auto in = std::make_shared<double>(in_.Get());
    level_ += *in;
    out_.Set(inline_version * (level_ + gain_.Value() * *in));
  }
  void SaveState(openmi::StateWriter& writer) const override {
    writer.Write(level_);
  }
  void LoadState(openmi::StateReader& reader) override {
    level_ = reader.ReadDouble();
  }
  int StateVersion() const override {
    return OPENMI_TEST_VERSION == 5 ? 2 : 1;
  }

  openmi::Argument<double> gain_;
  openmi::Argument<std::string> unit_;
  openmi::Argument<std::string> gives_;
  openmi::ScalarInput in_;
  openmi::ScalarOutput out_;
  double level_ = 0.0;
  std::string health_ = "a text that is long enough to live on the heap";
};

}  // namespace

OPENMI_EXPORT_COMPONENT(Swap)
