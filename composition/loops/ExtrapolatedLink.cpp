#include "composition/loops/ExtrapolatedLink.hpp"

#include "openmi/sdk/Missing.hpp"
#include "openmi/standard/IBaseLinkableComponent.hpp"

namespace openmi {

ExtrapolatedLink::ExtrapolatedLink(Link& link)
    : link_(link),
      output_(*link.Proxy()),
      probe_(link.End()->Source(), *link.Target()),
      missing_(link.End()->ValueDefinition().MissingDataValue().Number().value_or(kNotANumber)) {
  link_.End()->SetAnswer(this);
}

ExtrapolatedLink::~ExtrapolatedLink() {
  link_.End()->SetAnswer(nullptr);
}

const ITimeSpaceValueSet& ExtrapolatedLink::Answer() {
  const ITimeSpaceValueSet& values = Find();
  link_.End()->NotifyArrival(values, *link_.Target()->TimeSet());
  return values;
}

bool ExtrapolatedLink::AskRow(std::size_t row, std::vector<double>& values) {
  const RowHistory& history = *output_.UseHistory();
  times_.SetHasDurations(history.Duration(row).count > 0.0);
  times_.SetSingle(history.Begin(row), history.Duration(row));
  const INumericRows* rows = as_rows_(probe_.Ask(times_));
  if (rows == nullptr || rows->RowCount() != 1) return false;
  values.assign(rows->Row(0).begin(), rows->Row(0).end());
  return true;
}

const ITimeSpaceValueSet& ExtrapolatedLink::Find() {
  const RowHistory& history = *output_.UseHistory();
  const std::size_t count = history.Count();
  // The last two rows are kept; earlier ones are not needed.
  probe_.SetNeeded(count >= 2 ? history.End(count - 2) : history.LatestEnd());
  const ITimeSet* asked = link_.Target()->TimeSet();
  const bool is_busy = output_.Component()->Status() == LinkableComponentStatus::Updating;
  was_needed_ = was_needed_ || is_busy;
  if (!is_busy || count < 2 || !output_.IsNumeric() || asked == nullptr || asked->Times().size() != 1) {
    return link_.End()->Ask();
  }
  const ITime& time = *asked->Times()[0];
  const Stamp end = EndOf(time) - Days{asked->OffsetFromUtcInHours() / 24.0};
  const bool rows_are_spans = history.Duration(count - 1).count > 0.0;
  if (!Before(history.LatestEnd(), end) || rows_are_spans != (time.DurationInDays() > 0.0) ||
      !AskRow(count - 2, earlier_) || !AskRow(count - 1, later_) || earlier_.size() != later_.size()) {
    return link_.End()->Ask();
  }
  // Means over spans lie on a line at the middles of the spans.
  const auto middle = [](Stamp from, Days length) { return from + length * 0.5; };
  const Stamp first = middle(history.Begin(count - 2), history.Duration(count - 2));
  const Stamp second = middle(history.Begin(count - 1), history.Duration(count - 1));
  const Stamp wanted = middle(end - Days{time.DurationInDays()}, Days{time.DurationInDays()});
  const double weight = (wanted - second).count / (second - first).count;
  for (std::size_t i = 0; i < later_.size(); ++i) {
    if (IsMissing(later_[i], missing_)) continue;
    later_[i] = IsMissing(earlier_[i], missing_) ? missing_ : later_[i] + weight * (later_[i] - earlier_[i]);
  }
  view_.SetSingle(later_);
  return view_;
}

}  // namespace openmi
