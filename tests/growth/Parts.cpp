// A source of any unit, kind of time and kind of elements, and one that takes it: ends of a link for every adaptor.

#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "timespace/SteppingComponent.hpp"
#include "timespace/elements/ElementSet.hpp"
#include "timespace/elements/ElementSetBuilder.hpp"
#include "timespace/elements/ReferenceSystems.hpp"

namespace {

using openmi::Argument;
using openmi::Stamp;

struct Place {
  std::string id;
  double x = 0.0;
  double y = 0.0;
};

/// 4 x 4 places at multiples of 10, or two of them.
std::vector<Place> Places(bool few) {
  if (few) return {{"s11", 10.0, 10.0}, {"s12", 12.5, 20.0}};
  std::vector<Place> places;
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 4; ++j) {
      places.push_back({"s" + std::to_string(i) + std::to_string(j), 10.0 * i, 10.0 * j});
    }
  }
  return places;
}

/// \param kind  "points", "lines", "polygons", "points-m", "lines-m"; "none" for a value without a place
std::shared_ptr<openmi::ElementSet> Elements(const std::string& kind, bool few) {
  using openmi::ElementVertex;
  if (kind == "none") return nullptr;
  const bool is_point = kind.starts_with("points");
  const bool is_line = kind.starts_with("lines");
  openmi::ElementSetBuilder builder(kind,
                                    is_point  ? openmi::ElementType::Point
                                    : is_line ? openmi::ElementType::PolyLine
                                              : openmi::ElementType::Polygon,
                                    std::string(openmi::kLocalMetresWkt));
  if (kind.ends_with("-m")) builder.WithM();
  for (const auto& [id, x, y] : Places(few)) {
    const double m = 100.0 * y + x;
    const double half = few ? 8.0 : 5.0;
    if (is_point) {
      builder.AddPoint(id, {x, y, 0.0, m});
    } else if (is_line) {
      builder.AddPolyLine(id, std::vector<ElementVertex>{{x - 4.0, y, 0.0, m - 4.0}, {x + 4.0, y, 0.0, m + 4.0}});
    } else {
      builder.AddPolygon(id,
                         std::vector<ElementVertex>{
                             {x - half, y - half}, {x + half, y - half}, {x + half, y + half}, {x - half, y + half}});
    }
  }
  return std::make_shared<openmi::ElementSet>(builder.Build());
}

/// Gives `q`; in every seventh row the first value is missing.
class Source final : public openmi::SteppingComponent {
 public:
  Source() : SteppingComponent("source", "PT1S") {
    unit_ = AddArgument<std::string>("unit", {.value = "1"});
    gives_ = AddArgument<std::string>("gives", {.value = "instant", .possible_values = {"instant", "span"}});
    elements_ = AddArgument<std::string>("elements", {.value = "none"});
  }

 private:
  void Setup() override {
    q_ = AddOutput("q", unit_.Value(), Elements(elements_.Value(), false),
                   {.gives = gives_.Value() == "span" ? openmi::OutputTime::Span : openmi::OutputTime::Instant});
  }
  void Start(Stamp) override {
    step_ = 0;
    if (gives_.Value() == "instant") Fill();
  }
  void Step(Stamp, Stamp) override {
    ++step_;
    Fill();
  }
  void Fill() {
    double value = 2.0 + std::sin(0.1 * step_);
    for (double& cell : q_.Next()) cell = value += 0.125;
    if (static_cast<int>(step_) % 7 == 3) q_.Next()[0] = std::numeric_limits<double>::quiet_NaN();
  }

  Argument<std::string> unit_, gives_, elements_;
  openmi::ArrayOutput q_;
  double step_ = 0.0;
};

/// Takes `q`.
class Sink final : public openmi::SteppingComponent {
 public:
  Sink() : SteppingComponent("sink", "1.5 s") {
    unit_ = AddArgument<std::string>("unit", {.value = "1"});
    asks_ = AddArgument<std::string>("asks", {.value = "instant", .possible_values = {"instant", "span"}});
    elements_ = AddArgument<std::string>("elements", {.value = "none"});
    sum_ = AddOutput("sum", "1");
  }

 private:
  void Setup() override {
    q_ = AddInput("q", unit_.Value(), Elements(elements_.Value(), true),
                  {.asks = asks_.Value() == "span" ? openmi::InputTime::Span : openmi::InputTime::Instant});
  }
  void Step(Stamp, Stamp) override {
    double sum = 0.0;
    for (const double value : q_.Values()) sum += value;
    sum_.Set(sum);
  }

  Argument<std::string> unit_, asks_, elements_;
  openmi::ArrayInput q_;
  openmi::ScalarOutput sum_;
};

}  // namespace

OPENMI_EXPORT_COMPONENT_AS("growth.Source", Source)
OPENMI_EXPORT_COMPONENT_AS("growth.Sink", Sink)
