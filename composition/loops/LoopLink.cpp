#include "composition/loops/LoopLink.hpp"

#include <algorithm>
#include <cmath>

#include "composition/proxy/OutputProxy.hpp"
#include "timespace/state/StateReader.hpp"
#include "timespace/state/StateWriter.hpp"

namespace openmi {

LoopLink::LoopLink(Link& link, Kind kind, LoopGuess guess, const LoopTolerance& tolerance)
    : link_(link),
      kind_(kind),
      tolerance_(tolerance),
      probe_(link.End()->Source(), *link.Target()),
      prediction_(guess) {
  link_.End()->SetAnswer(this);
}

LoopLink::~LoopLink() {
  link_.End()->SetAnswer(nullptr);
}

Stamp LoopLink::Received::End(Stamp otherwise) const {
  return times.Times().empty() ? otherwise : EndOf(*times.Times().back());
}

void LoopLink::Received::Show() {
  view.Clear();
  std::size_t first = 0;
  for (const std::size_t size : sizes) {
    view.Add(std::span(given).subspan(first, size));
    first += size;
  }
}

bool LoopLink::IsAsked(const Received& question) const {
  const ITimeSet* asked = link_.Target()->TimeSet();
  const std::size_t count = asked != nullptr ? asked->Times().size() : 0;
  if (count != question.times.Times().size()) return false;
  for (std::size_t i = 0; i < count; ++i) {
    const ITime& a = *asked->Times()[i];
    const ITime& b = *question.times.Times()[i];
    const Stamp begin{a.StampAsModifiedJulianDay() - asked->OffsetFromUtcInHours() / 24.0};
    const Stamp known{b.StampAsModifiedJulianDay()};
    if (!SameTime(begin, known) || !SameTime(begin + Days{a.DurationInDays()}, known + Days{b.DurationInDays()})) {
      return false;
    }
  }
  return true;
}

void LoopLink::ReadTimes(TimeSet& times) const {
  const ITimeSet* asked = link_.Target()->TimeSet();
  times.Clear();
  if (asked == nullptr) return;
  const Days offset{asked->OffsetFromUtcInHours() / 24.0};
  times.SetHasDurations(asked->HasDurations());
  times.SetHorizon(Stamp{asked->TimeHorizon().StampAsModifiedJulianDay()} - offset,
                   EndOf(asked->TimeHorizon()) - offset);
  const std::span<const ITime* const> list = asked->Times();
  if (list.size() == 1) {
    times.SetSingle(Stamp{list[0]->StampAsModifiedJulianDay()} - offset, Days{list[0]->DurationInDays()});
  } else {
    std::vector<Time> all;
    for (const ITime* time : list) {
      all.emplace_back(Stamp{time->StampAsModifiedJulianDay()} - offset, Days{time->DurationInDays()});
    }
    times.Assign(all);
  }
}

LoopLink::Received& LoopLink::NextReceived(bool& is_known) {
  const std::size_t number = asked_++;
  if (number == questions_.size()) questions_.push_back(std::make_unique<Received>());
  Received& question = *questions_[number];
  is_known = number < known_ && IsAsked(question);
  return question;
}

void LoopLink::Take(const ITimeSpaceValueSet& values, std::vector<std::size_t>* sizes, std::vector<double>& out) {
  out.clear();
  if (sizes != nullptr) sizes->clear();
  const std::size_t count = rows_.Count(values);
  for (std::size_t i = 0; i < count; ++i) {
    const std::span<const double> row = rows_.Row(values, i);
    out.insert(out.end(), row.begin(), row.end());
    if (sizes != nullptr) sizes->push_back(row.size());
  }
}

const ITimeSpaceValueSet& LoopLink::Answer() {
  InputProxy& end = *link_.End();
  if (kind_ == Kind::Inside && !end.HasListener()) return end.Ask();
  const std::size_t number = asked_;
  bool is_known = false;
  Received& question = NextReceived(is_known);
  if (is_known && kind_ != Kind::Inside) return question.view;
  if (kind_ == Kind::Cut) {
    Guess(question, number);
    known_ = std::max(known_, number + 1);
    changed_ = true;
    return question.view;
  }
  const ITimeSpaceValueSet& values = end.Ask();
  ReadTimes(question.times);
  Take(values, &question.sizes, question.given);
  question.Show();
  known_ = std::max(known_, number + 1);
  return kind_ == Kind::Inside ? values : question.view;
}

void LoopLink::Guess(Received& question, std::size_t number) {
  // Asked for the first time in this step. If the step is repeated, the guess is from the nearest question.
  std::size_t nearest = known_;
  double distance = 0.0;
  ReadTimes(asked_times_);
  const Stamp end = asked_times_.Times().empty() ? begin_ : EndOf(*asked_times_.Times().back());
  for (std::size_t i = 0; i < known_; ++i) {
    if (questions_[i]->times.Times().size() != asked_times_.Times().size()) continue;
    const double away = std::fabs((questions_[i]->End(begin_) - end).count);
    if (nearest == known_ || away < distance) {
      nearest = i;
      distance = away;
    }
  }
  question.times = asked_times_;
  const std::size_t count = std::max<std::size_t>(1, asked_times_.Times().size());
  if (nearest < known_ && !is_first_) {
    if (nearest != number) {
      question.given = questions_[nearest]->given;
      question.sizes = questions_[nearest]->sizes;
    }
    return question.Show();
  }
  if (!prediction_.IsEmpty()) {
    question.sizes.assign(count, prediction_.Size());
    question.given.resize(count * prediction_.Size());
    for (std::size_t i = 0; i < count; ++i) {
      const Stamp at = asked_times_.Times().empty() ? begin_ : EndOf(*asked_times_.Times()[i]);
      prediction_.At(at.mjd, std::span(question.given).subspan(i * prediction_.Size(), prediction_.Size()));
    }
  } else if (OutputProxy* proxy = link_.Proxy(); proxy != nullptr && !proxy->UseHistory()->Empty()) {
    Take(link_.End()->Ask(), &question.sizes, question.given);  // the newest values, as in a loop without iteration
  } else {
    const ISpatialDefinition* where = link_.Target()->SpatialDefinition();
    const std::size_t width = where != nullptr ? static_cast<std::size_t>(where->ElementCount()) : 1;
    question.sizes.assign(count, width);
    question.given.assign(count * width, 0.0);
  }
  // A member that receives missing values returns missing values, and the two agree at once. So a number is tried.
  for (std::size_t i = 0; i < question.given.size(); ++i) {
    if (question.given[i] == question.given[i]) continue;
    question.given[i] = last_known_.empty() ? 0.0 : last_known_[i % last_known_.size()];
  }
  question.Show();
}

void LoopLink::BeginStep(Stamp begin) {
  begin_ = begin;
  probe_.SetNeeded(begin);
  known_ = asked_ = 0;
  changed_ = is_first_ = true;
}

void LoopLink::BeginIteration() {
  asked_ = 0;
  changed_ = false;
}

void LoopLink::EndIteration() {
  is_first_ = false;
  if (kind_ != Kind::Cut) return;
  changed_ = changed_ || asked_ != known_;
  known_ = asked_;
  for (std::size_t i = 0; i < known_; ++i) {
    Received& question = *questions_[i];
    Take(probe_.Ask(question.times), nullptr, question.answered);
    if (question.answered.size() != question.given.size()) {  // the guess had another number of rows or elements
      Take(probe_.Ask(question.times), &question.sizes, question.answered);
      question.given.assign(question.answered.size(), 0.0);
      question.Show();
      changed_ = true;
    }
  }
}

void LoopLink::EndStep() {
  if (link_.End()->HasListener()) {
    for (std::size_t i = 0; i < asked_; ++i) link_.End()->NotifyArrival(questions_[i]->view, questions_[i]->times);
  }
  if (kind_ != Kind::Cut || asked_ == 0) return;
  const Received& last = *questions_[asked_ - 1];
  const Stamp end = last.End(begin_);
  if (last.sizes.empty() || !Before(LastEnd(), end)) return;
  const std::span<const double> values = std::span(last.answered).last(last.sizes.back());
  prediction_.Add(end.mjd, values);
  last_known_.resize(values.size(), 0.0);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (std::isfinite(values[i])) last_known_[i] = values[i];
  }
}

void LoopLink::SaveState(StateWriter& writer) const {
  writer.Write(LastEnd().mjd);
  prediction_.SaveState(writer);
  writer.Write(last_known_);
}

void LoopLink::LoadState(StateReader& reader) {
  reader.ReadDouble();  // where the last step ended, which the prediction knows too
  prediction_.LoadState(reader);
  last_known_ = reader.ReadDoubles();
}

void LoopLink::Gather(std::vector<double>& iterate, std::vector<double>& answered) const {
  for (std::size_t i = 0; i < known_; ++i) {
    iterate.insert(iterate.end(), questions_[i]->given.begin(), questions_[i]->given.end());
    answered.insert(answered.end(), questions_[i]->answered.begin(), questions_[i]->answered.end());
  }
}

void LoopLink::Scatter(std::span<const double> values) {
  for (std::size_t i = 0; i < known_; ++i) {
    std::vector<double>& given = questions_[i]->given;
    std::copy_n(values.begin(), given.size(), given.begin());  // in place, since the view shows it
    values = values.subspan(given.size());
  }
}

}  // namespace openmi
