#include "fmi-bridge/fmi/component/RowsWithin.hpp"

#include <utility>

namespace openmi::fmi {

void RowsWithin::Bind(int count) {
  *this = {};
  count_ = count;
}

void RowsWithin::Add(NumericOutput& item, const Variable& variable, const ValueBatches::Place& place) {
  if (count_ == 0 || variable.variability != Variability::Continuous || !IsFloat(variable.type)) return;
  ports_.push_back({&item, place, before_.values.size()});
  references_.push_back(variable.value_reference);
  orders_.push_back(1);
  for (End* end : {&before_, &after_}) {
    end->values.resize(end->values.size() + item.ElementCount());
    end->slopes.resize(end->values.size());
  }
}

void RowsWithin::Take(Instance& instance, End& end) {
  for (const Port& port : ports_) {
    port.place.Batch().Numbers(port.place.first, std::span(end.values).subspan(port.first, port.item->ElementCount()));
  }
  if (!references_.empty()) instance.GetOutputDerivatives(references_, orders_, end.slopes);
}

void RowsWithin::Start(Instance& instance, ValueBatches& outputs) {
  if (is_known_) return;
  outputs.Get(instance);
  Take(instance, before_);
}

void RowsWithin::Publish(Instance& instance, Stamp from, Stamp to, double length) {
  Take(instance, after_);
  for (int n = 1; n <= count_; ++n) {
    const double s = static_cast<double>(n) / static_cast<double>(count_ + 1);
    const Stamp time = from + (to - from) * s;
    // Source: the basis of Hermite, with the derivatives in units of the step.
    const double start_slope = s * (1.0 - s) * (1.0 - s) * length;
    const double end_slope = s * s * (s - 1.0) * length;
    const double rise = s * s * (3.0 - 2.0 * s);
    for (const Port& port : ports_) {
      const std::span<double> row = port.item->NextRow();
      for (std::size_t e = 0; e < row.size(); ++e) {
        const std::size_t i = port.first + e;
        row[e] = before_.values[i] + rise * (after_.values[i] - before_.values[i]) + start_slope * before_.slopes[i] +
                 end_slope * after_.slopes[i];
      }
      port.item->PublishAt(time, Days{});
    }
  }
  std::swap(before_, after_);
  is_known_ = true;
}

}  // namespace openmi::fmi
