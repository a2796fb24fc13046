#include "fmi-bridge/dcp/master/component/DirectLinks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "fmi-bridge/dcp/master/component/Slave.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/IProxy.hpp"

namespace openmi::dcp {

bool DirectLinks::Brings(Index input) const {
  return std::ranges::any_of(
      in_, [input](const auto& data) { return std::ranges::find(data->inputs, input) != data->inputs.end(); });
}

void DirectLinks::NoteSent(const SlaveValues& values) const {
  for (const auto& data : out_) {
    const std::lock_guard lock(data->guard);
    data->has_begun = true;
    std::span<double> rest(data->values);
    for (const Index output : data->outputs) {
      const TypedValue& value = values.At(output);
      value.Numbers(rest.first(value.Elements()));
      rest = rest.subspan(value.Elements());
    }
  }
}

bool DirectLinks::CompareReceived(const SlavePorts& ports, bool is_nrt) const {
  bool comes_from_here = false;
  for (const auto& data : in_) {
    const std::lock_guard lock(data->guard);
    comes_from_here = comes_from_here || data->is_over || (is_nrt && !data->has_begun);
    if (data->is_over || !data->has_begun || !is_nrt) continue;  // in real time each slave follows its own clock
    std::span<const double> rest(data->values);
    for (const Index input : data->inputs) {
      const auto port = std::ranges::find(ports.Numbers(), input, &SlavePorts::Numeric::variable);
      const std::span<const double> row = port->input->Row();
      const std::span<const double> sent = rest.first(row.size());
      rest = rest.subspan(row.size());
      if (std::memcmp(row.data(), sent.data(), row.size_bytes()) == 0) continue;
      throw ModelError(owner_.Here(port->input->Id()),
                       fmt::format("expected the value that '{}' has sent it directly, found another on the link",
                                   data->from->Caption()),
                       "set direct=false: overrides, extrapolated loops and other times need the master in between");
    }
  }
  return comes_from_here;
}

void DirectLinks::RequireReceiversAt(Stamp to) const {
  for (const auto& data : out_) {
    const std::lock_guard lock(data->guard);
    if (data->is_over || !Before(data->to->NextTime(), to)) continue;
    throw ModelError(
        owner_.Here(),
        fmt::format("expected '{}' (it gets data directly from this slave) to make its step before this slave "
                    "continues, found another consumer asking this slave for later data",
                    data->to->Caption()),
        fmt::format("set direct=false at '{}', or let all consumers of this slave keep the same pace",
                    data->to->Caption()));
  }
}

void DirectLinks::Leave() {
  for (auto* all : {&in_, &out_}) {
    for (const auto& data : *all) {
      const std::lock_guard lock(data->guard);
      data->is_over = true;
    }
    all->clear();  // the other end keeps the object, so that it finds that this end is gone
  }
}

const NumericOutput* DirectSourceOf(const NumericInput& input) {
  return dynamic_cast<const NumericOutput*>(BehindProxies(input.Provider()));
}

}  // namespace openmi::dcp
