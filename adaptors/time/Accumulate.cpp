#include "adaptors/time/Accumulate.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "adaptors/base/DerivedQuantity.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Missing.hpp"
#include "timespace/times/WholeSeconds.hpp"

namespace openmi {

Accumulate::Accumulate(const std::string& id, IBaseOutput& adaptee)
    : DerivedSeries(id, adaptee), integral_(DerivedQuantity(id, adaptee, {{DimensionBase::Time, 1.0}}, "s")) {
  of_ = AddArgument<std::string>("of", {.caption = "kind of the rows",
                                        .description = "rate: integrated over time; amount: added up",
                                        .value = "rate",
                                        .possible_values = {"rate", "amount"}});
}

const IValueDefinition& Accumulate::ValueDefinition() const {
  return of_.Value() == "rate" ? *integral_ : DerivedSeries::ValueDefinition();
}

void Accumulate::OnInitialize() {
  DerivedSeries::OnInitialize();
  rates_ = of_.Value() == "rate";
}

void Accumulate::MakeRows(const RowHistory& source, RowHistory& made, bool) {
  const double missing = MissingValue();
  for (std::size_t row = Next(source); row < source.Count(); ++row) {
    const std::span<const double> in = source.Row(row);
    const bool span = source.Duration(row).count > 0.0;
    if (made.Empty()) {
      const std::span<double> zero = made.NextRow(in.size());
      std::fill(zero.begin(), zero.end(), 0.0);
      made.Commit(source.Begin(row), Days{});
      if (!span) {
        Took(source, row);
        continue;
      }
    }
    const std::span<const double> total = made.Row(made.LastIndex());
    if (total.size() != in.size()) {
      throw LinkError(Place(), fmt::format("expected {} values in every row, found {}", total.size(), in.size()),
                      "a running total needs elements that stay the same");
    }
    // A trapezium has two ends. The row before is still there, as the last one that ended by the last row made.
    const std::span<const double> before = !span && rates_ && row > 0 ? source.Row(row - 1) : in;
    const double factor =
        !rates_ ? 1.0 : WholeSeconds(span ? source.Duration(row) : source.Begin(row) - made.LatestEnd());
    const std::span<double> out = made.NextRow(in.size());
    for (std::size_t i = 0; i < in.size(); ++i) {
      const bool gap = IsMissing(in[i], missing) || IsMissing(before[i], missing) || IsMissing(total[i], missing);
      out[i] = gap ? missing : total[i] + factor * 0.5 * (before[i] + in[i]);
    }
    made.Commit(source.End(row), Days{});
    Took(source, row);
  }
}

void Accumulate::BlendAt(const RowHistory& made, std::size_t row, Stamp time, std::span<double> out) const {
  const RowHistory& source = AdapteeHistory();
  const std::size_t before = source.LastEndingBy(time);
  // A rate over a span is constant in it, and amounts are spread evenly, so the total is a straight line.
  if (!rates_ || before + 1 >= source.Count() || source.Duration(before + 1).count > 0.0) {
    return DerivedSeries::BlendAt(made, row, time, out);
  }
  const std::span<const double> total = made.Row(row);
  const std::span<const double> first = source.Row(before);
  const std::span<const double> second = source.Row(before + 1);
  const Stamp begin = source.Begin(before);
  const double seconds = WholeSeconds(time - begin);
  const double weight = seconds / WholeSeconds(source.Begin(before + 1) - begin);
  const double missing = MissingValue();
  for (std::size_t i = 0; i < out.size(); ++i) {
    const bool gap = IsMissing(first[i], missing) || IsMissing(second[i], missing) || IsMissing(total[i], missing);
    out[i] = gap ? missing : total[i] + seconds * (first[i] + 0.5 * weight * (second[i] - first[i]));
  }
}

}  // namespace openmi
