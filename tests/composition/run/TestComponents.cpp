#include "tests/composition/run/TestComponents.hpp"

#include <cmath>
#include <limits>
#include <sstream>
#include <stdexcept>

#include "adaptors/StandardAdaptors.hpp"
#include "adaptors/base/IEffectOnAmount.hpp"
#include "adaptors/base/RowAdaptor.hpp"
#include "openmi/omi/ExportComponent.hpp"
#include "openmi/sdk/Error.hpp"
#include "timespace/elements/ElementSetBuilder.hpp"
#include "timespace/elements/ReferenceSystems.hpp"

namespace openmi::testing {

std::shared_ptr<ElementSet> ElementsOf(const std::string& text) {
  std::istringstream words(text);
  std::string id;
  if (!(words >> id)) return nullptr;
  if (id == "polygons") {
    ElementSetBuilder builder("polygons", ElementType::Polygon, kLocalMetresWkt);
    double x0 = 0.0, y0 = 0.0, x1 = 0.0, y1 = 0.0;
    std::string separator;
    while (words >> id >> x0 >> y0 >> x1 >> y1) {
      builder.AddPolygon(id, std::vector<ElementVertex>{{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}});
      words >> separator;
    }
    return std::make_shared<ElementSet>(builder.Build());
  }
  if (id == "points" || id == "lines") {
    const bool lines = id == "lines";
    ElementSetBuilder builder(id, lines ? ElementType::PolyLine : ElementType::Point, kLocalMetresWkt);
    if (lines) builder.WithM();
    double x0 = 0.0, y0 = 0.0, x1 = 0.0, y1 = 0.0;
    std::string separator;
    while (words >> id >> x0 >> y0 && (!lines || words >> x1 >> y1)) {
      if (lines) {
        const std::vector<ElementVertex> ends{{.x = x0, .y = y0, .m = x0 + y0}, {.x = x1, .y = y1, .m = x1 + y1}};
        builder.AddPolyLine(id, ends);
      } else {
        builder.AddPoint(id, {x0, y0});
      }
      words >> separator;
    }
    return std::make_shared<ElementSet>(builder.Build());
  }
  std::vector<std::string> ids;
  std::vector<double> areas;
  if (id == "areas") {
    double area = 0.0;
    std::string separator;
    while (words >> id >> area) {
      ids.push_back(id);
      areas.push_back(area);
      words >> separator;
    }
  } else {
    do ids.push_back(id);
    while (words >> id);
  }
  auto set = std::make_shared<ElementSet>(ElementSet::IdBased("ids", ids));
  if (!areas.empty()) set->SetAttribute("area", "m2", areas);
  return set;
}

Source::Source(std::string id) : SteppingComponent(std::move(id)) {
  unit_ = AddArgument<std::string>("unit", {.value = "m3 s-1"});
  gives_ = AddArgument<std::string>("gives", {.value = "span", .possible_values = {"span", "instant"}});
  elements_ = AddArgument<std::string>("elements", {.value = ""});
  scale_ = AddArgument<double>("scale", {.value = 1.0});
  throw_at_ = AddArgument<std::int64_t>("throw-at", {.value = -1});
  missing_at_ = AddArgument<std::int64_t>("missing-at", {.value = -1});
  item_ = AddArgument<std::string>("item", {.value = "out"});
  moved_ = AddArgument<std::string>("moved", {.value = ""});
  move_at_ = AddArgument<std::int64_t>("move-at", {.value = -1});
}

void Source::Setup() {
  where_ = ElementsOf(elements_.Value());
  out_ = AddOutput(item_.Value(), unit_.Value(), where_,
                   {.gives = gives_.Value() == "span" ? OutputTime::Span : OutputTime::Instant});
}

void Source::Fill(std::int64_t step) {
  const std::span<double> row = out_.Next();
  for (std::size_t i = 0; i < row.size(); ++i) row[i] = scale_.Value() * TestValue(step, i);
  if (step == missing_at_.Value()) row[0] = std::numeric_limits<double>::quiet_NaN();
}

void Source::Start(Stamp) {
  step_ = 0;
  if (gives_.Value() == "instant") Fill(0);
}

void Source::Step(Stamp, Stamp) {
  ++step_;
  if (step_ == move_at_.Value()) where_->ReplaceGeometry(*ElementsOf(moved_.Value()));
  if (step_ == throw_at_.Value()) throw std::domain_error("the solver met a negative depth");
  Fill(step_);
}

Sink::Sink() : SteppingComponent("sink") {
  unit_ = AddArgument<std::string>("unit", {.value = "m3 s-1"});
  asks_ = AddArgument<std::string>("asks", {.value = "span", .possible_values = {"span", "instant"}});
  elements_ = AddArgument<std::string>("elements", {.value = ""});
  item_ = AddArgument<std::string>("item", {.value = "in"});
  sum_ = AddOutput("sum", "1", {.gives = OutputTime::Span});
}

void Sink::Setup() {
  in_ = AddInput(item_.Value(), unit_.Value(), ElementsOf(elements_.Value()),
                 {.asks = asks_.Value() == "span" ? InputTime::Span : InputTime::Instant});
}

void Sink::Start(Stamp) {
  times.clear();
  rows.clear();
}

void Sink::Step(Stamp, Stamp to) {
  times.push_back(to.mjd);
  rows.emplace_back(in_.Values().begin(), in_.Values().end());
  double sum = 0.0;
  for (double value : in_.Values()) sum += value;
  sum_.Set(sum);
}

Relay::Relay() : SteppingComponent("relay") {
  moments_ = AddArgument<std::string>("moments", {.value = "instant", .possible_values = {"span", "instant"}});
  factor_ = AddArgument<double>("factor", {.value = 0.5});
  add_ = AddArgument<double>("add", {.value = 1.0});
  initial_ = AddArgument<double>("initial", {.value = 3.0});
}

void Relay::Setup() {
  const bool spans = moments_.Value() == "span";
  in_ = AddInput("in", "m3 s-1", {.asks = spans ? InputTime::Span : InputTime::Instant, .default_value = 2.0});
  out_ = AddOutput("out", "m3 s-1", {.gives = spans ? OutputTime::Span : OutputTime::Instant});
}

void Relay::Start(Stamp) {
  got.clear();
  if (moments_.Value() == "instant") out_.Set(initial_.Value());
}

void Relay::Step(Stamp, Stamp) {
  got.push_back(in_.Get());
  out_.Set(factor_.Value() * in_.Get() + add_.Value());
}

Tank::Tank() : SteppingComponent("tank") {
  k_ = AddArgument<double>("k", {.unit = "h", .value = 5.0});
  lost_ = AddArgument<double>("lost", {.unit = "m3", .value = 0.0});
  lose_at_ = AddArgument<std::int64_t>("lose-at", {.value = -1});
  first_ = AddArgument<double>("first", {.unit = "m3 s-1", .value = -1.0});
  inflow_ = AddInput("inflow", "m3 s-1", {.asks = InputTime::Span});
  outflow_ = AddOutput("outflow", "m3 s-1", {.gives = OutputTime::Span});
}

void Tank::Start(Stamp begin) {
  if (first_.Value() >= 0.0) {
    outflow_.Set(first_.Value());
    outflow_.Item().PublishAt(begin - Hours(1.0), Hours(1.0));
  }
  terms_ = {.storage = 5000.0};
  step_ = 0;
}

void Tank::Step(Stamp from, Stamp to) {
  const double seconds = ToSeconds(to - from);
  const double in = inflow_.Get() * seconds;
  const double held = terms_.storage + in;
  const double out = held * (1.0 - std::exp(-seconds / (k_.Value() * 3600.0)));
  const double evaporated = 0.01 * (held - out);
  terms_.storage = held - out - evaporated - (++step_ == lose_at_.Value() ? lost_.Value() : 0.0);
  terms_.in += in;
  terms_.out += out;
  terms_.losses += evaporated;
  outflow_.Set(out / seconds);
}

namespace {

class UnknownLeak : public RowAdaptor {
 public:
  explicit UnknownLeak(IBaseOutput& adaptee, std::string id = "unknown-leak", double passes = 0.98)
      : RowAdaptor(std::move(id), adaptee), passes_(passes) {}

 protected:
  void Map(std::span<const double> in, Days, std::span<double> out) override {
    for (std::size_t i = 0; i < in.size(); ++i) out[i] = passes_ * in[i];
  }

 private:
  double passes_;
};

/// It states that it keeps amounts, which is not so.
class Leak final : public UnknownLeak, public IEffectOnAmount {
 public:
  explicit Leak(IBaseOutput& adaptee) : UnknownLeak(adaptee, "leak") {}
  EffectOnAmount StateEffect() const override { return {}; }
};

/// An adaptor of the SDK that loses something, and states what it would state if it did not.
class Leaky final : public UnknownLeak, public IEffectOnAmount {
 public:
  Leaky(std::unique_ptr<IBaseAdaptedOutput> inner, double passes)
      : UnknownLeak(*inner, "leaky-" + inner->Id(), passes), inner_(std::move(inner)) {}
  ~Leaky() override { inner_->Adaptee().RemoveAdaptedOutput(*inner_); }
  std::span<IArgument* const> Arguments() const override { return inner_->Arguments(); }
  void Check() override { dynamic_cast<AdaptedOutput&>(*inner_).Check(); }
  EffectOnAmount StateEffect() const override { return dynamic_cast<const IEffectOnAmount&>(*inner_).StateEffect(); }

 private:
  std::unique_ptr<IBaseAdaptedOutput> inner_;
};

}  // namespace

class LeakySource::Leaks final : public IdentifiedAs<IAdaptedOutputFactory> {
 public:
  explicit Leaks(const Argument<double>& passes) : IdentifiedAs("leaks"), passes_(passes) {
    for (const IIdentifiable* id : standard_.AllIds()) ids_.emplace_back("leaky-" + id->Id());
  }
  std::unique_ptr<IBaseAdaptedOutput> CreateAdaptedOutput(const IIdentifiable& id, IBaseOutput& adaptee,
                                                          IBaseInput* target) override {
    std::unique_ptr<IBaseAdaptedOutput> made;
    std::size_t number = 0;
    while (static_cast<const IIdentifiable*>(&ids_.at(number)) != &id) ++number;
    if (number == 0) {
      made = std::make_unique<Leak>(adaptee);
    } else if (number == 1) {
      made = std::make_unique<UnknownLeak>(adaptee);
    } else {
      auto inner = standard_.CreateAdaptedOutput(*standard_.AllIds().at(number - 2), adaptee, target);
      IBaseAdaptedOutput& below = *inner;
      auto leaky = std::make_unique<Leaky>(std::move(inner), passes_.Value());
      below.AddAdaptedOutput(*leaky);
      return leaky;
    }
    adaptee.AddAdaptedOutput(*made);
    return made;
  }
  std::vector<const IIdentifiable*> GetAvailableAdaptedOutputIds(const IBaseOutput&, const IBaseInput*) override {
    std::vector<const IIdentifiable*> ids;
    for (const Identifier& id : ids_) ids.push_back(&id);
    return ids;
  }

 private:
  const Argument<double>& passes_;
  StandardAdaptors standard_;
  std::vector<Identifier> ids_{Identifier("leak"), Identifier("unknown-leak")};  // then those of the SDK
};

LeakySource::LeakySource() : Source("leaky-source") {
  passes_ = AddArgument<double>("passes", {.value = 1.0});
  leaks_ = std::make_unique<Leaks>(passes_);
  AdaptedOutputFactories().push_back(leaks_.get());
}

LeakySource::~LeakySource() = default;

}  // namespace openmi::testing

OPENMI_EXPORT_COMPONENT_AS("test.Source", openmi::testing::Source)
OPENMI_EXPORT_COMPONENT_AS("test.Sink", openmi::testing::Sink)
OPENMI_EXPORT_COMPONENT_AS("test.Relay", openmi::testing::Relay)
OPENMI_EXPORT_COMPONENT_AS("test.Tank", openmi::testing::Tank)
OPENMI_EXPORT_COMPONENT_AS("test.LeakySource", openmi::testing::LeakySource)
