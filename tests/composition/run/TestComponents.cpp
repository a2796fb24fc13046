#include "tests/composition/run/TestComponents.hpp"

#include <cmath>
#include <limits>
#include <sstream>
#include <stdexcept>

#include "adaptors/RowAdaptor.hpp"
#include "openmi/omi/ExportComponent.hpp"
#include "openmi/sdk/Error.hpp"
#include "timespace/ElementSetBuilder.hpp"
#include "timespace/ReferenceSystems.hpp"

namespace openmi::testing {

std::shared_ptr<const ISpatialDefinition> ElementsOf(const std::string& text) {
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
}

void Source::Setup() {
  out_ = AddOutput("out", unit_.Value(), ElementsOf(elements_.Value()),
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
  if (step_ == throw_at_.Value()) throw std::domain_error("the solver met a negative depth");
  Fill(step_);
}

Sink::Sink() : SteppingComponent("sink") {
  unit_ = AddArgument<std::string>("unit", {.value = "m3 s-1"});
  asks_ = AddArgument<std::string>("asks", {.value = "span", .possible_values = {"span", "instant"}});
  elements_ = AddArgument<std::string>("elements", {.value = ""});
  sum_ = AddOutput("sum", "1", {.gives = OutputTime::Span});
}

void Sink::Setup() {
  in_ = AddInput("in", unit_.Value(), ElementsOf(elements_.Value()),
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

class Leak final : public RowAdaptor {
 public:
  explicit Leak(IBaseOutput& adaptee) : RowAdaptor("leak", adaptee) {}

 protected:
  void Map(std::span<const double> in, Days, std::span<double> out) override {
    for (std::size_t i = 0; i < in.size(); ++i) out[i] = 0.98 * in[i];
  }
};

}  // namespace

class LeakySource::Leaks final : public IdentifiedAs<IAdaptedOutputFactory> {
 public:
  Leaks() : IdentifiedAs("leaks") {}
  std::unique_ptr<IBaseAdaptedOutput> CreateAdaptedOutput(const IIdentifiable&, IBaseOutput& adaptee,
                                                          IBaseInput*) override {
    auto leak = std::make_unique<Leak>(adaptee);
    adaptee.AddAdaptedOutput(*leak);
    return leak;
  }
  std::vector<const IIdentifiable*> GetAvailableAdaptedOutputIds(const IBaseOutput&, const IBaseInput*) override {
    return {&id_};
  }

 private:
  Identifier id_{"leak"};
};

LeakySource::LeakySource() : Source("leaky-source"), leaks_(std::make_unique<Leaks>()) {
  AdaptedOutputFactories().push_back(leaks_.get());
}

LeakySource::~LeakySource() = default;

}  // namespace openmi::testing

OPENMI_EXPORT_COMPONENT_AS("test.Source", openmi::testing::Source)
OPENMI_EXPORT_COMPONENT_AS("test.Sink", openmi::testing::Sink)
OPENMI_EXPORT_COMPONENT_AS("test.Relay", openmi::testing::Relay)
OPENMI_EXPORT_COMPONENT_AS("test.Tank", openmi::testing::Tank)
OPENMI_EXPORT_COMPONENT_AS("test.LeakySource", openmi::testing::LeakySource)
