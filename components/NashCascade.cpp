#include "components/NashCascade.hpp"

#include <cmath>

#include "components/ArgumentUnit.hpp"
#include "openmi/omi/ExportComponent.hpp"
#include "timespace/times/WholeSeconds.hpp"

namespace openmi {

NashCascade::NashCascade() : StatefulSteppingComponent("nash-cascade", "PT1H") {
  SetDescription("a cascade of linear reservoirs for each element");
  SetRestartable(true);
  unit_ = ArgumentItems().AddPlain("unit", {.caption = "unit of inflow and outflow", .value = "m3 s-1"});
  reservoirs_ = AddArgument<std::int64_t>(
      "reservoirs", {.caption = "reservoirs in series", .unit = "1", .value = 1, .minimum = 1, .maximum = 100});
  residence_hours_ = AddArgument<double>(
      "residence-time", {.caption = "residence time of one reservoir",
                         .description = "volume divided by outflow; the whole cascade delays by the sum",
                         .unit = "h",
                         .value = 1.0,
                         .minimum = 1e-6});
  initial_ = AddArgument<double>("initial-outflow", {.caption = "outflow of every reservoir at the start",
                                                     .description = "in the unit of the argument unit",
                                                     .value = 0.0});
  elements_.AddTo(ArgumentItems());
}

void NashCascade::Setup() {
  const auto where = elements_.Elements("elements", [this](const std::string& path) { return PathOf(path); });
  const std::string unit = ArgumentUnit(unit_.Value(), Caption(), "unit");
  inflow_ = AddInput("inflow", unit, where, {.caption = "inflow", .asks = InputTime::Span});
  outflow_ = AddOutput("outflow", unit, where, {.caption = "outflow", .gives = OutputTime::Span});
}

void NashCascade::Start(Stamp) {
  const auto reservoirs = static_cast<std::size_t>(reservoirs_.Value());
  flows_.assign(inflow_.Item().ElementCount() * reservoirs, initial_.Value());
  share_.assign(reservoirs, 0.0);
  remaining_.assign(reservoirs, 0.0);
  weighed_ = 0.0;
}

void NashCascade::Weigh(double seconds) {
  const double a = seconds / (residence_hours_.Value() * 3600.0);
  double share = std::exp(-a);
  double sum = 0.0;
  for (std::size_t m = 0; m < share_.size(); ++m) {
    share_[m] = share;
    sum += share;
    remaining_[m] = 1.0 - sum;
    share *= a / static_cast<double>(m + 1);
  }
  weighed_ = seconds;
}

void NashCascade::Step(Stamp from, Stamp to) {
  if (const double seconds = WholeSeconds(to - from); seconds != weighed_) Weigh(seconds);
  const std::size_t reservoirs = share_.size();
  const double steps = weighed_ / (residence_hours_.Value() * 3600.0);
  const std::span<const double> inflow = inflow_.Values();
  const std::span<double> outflow = outflow_.Next();
  for (std::size_t element = 0; element < outflow.size(); ++element) {
    const std::span<double> flow(&flows_[element * reservoirs], reservoirs);
    double change = 0.0;
    for (std::size_t i = reservoirs; i-- > 0;) {  // from the last: those above keep their flow of before
      double next = inflow[element] * remaining_[i];
      for (std::size_t j = 0; j <= i; ++j) next += flow[j] * share_[i - j];
      change += next - flow[i];
      flow[i] = next;
    }
    outflow[element] = inflow[element] - change / steps;
  }
}

void NashCascade::SaveState(StateWriter& writer) const {
  writer.Write(flows_);
}

void NashCascade::LoadState(StateReader& reader) {
  reader.ReadDoubles(flows_);
}

}  // namespace openmi

OPENMI_EXPORT_COMPONENT_AS("openmi.NashCascade", openmi::NashCascade)
