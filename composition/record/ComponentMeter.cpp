#include "composition/record/ComponentMeter.hpp"

#include <algorithm>
#include <cmath>

#include "openmi/sdk/Missing.hpp"
#include "timespace/state/StateReader.hpp"
#include "timespace/state/StateWriter.hpp"

namespace openmi {
namespace {

double Residual(const BalanceTerms& from, const BalanceTerms& to) {
  return from.storage + (to.in - from.in) - (to.out - from.out) - (to.losses - from.losses) - to.storage;
}

/// The amounts between two states of a balance.
void Fill(ElementBalanceFigures& figures, const BalanceTerms& from, const BalanceTerms& to) {
  figures.start = from.storage;
  figures.in = to.in - from.in;
  figures.out = to.out - from.out;
  figures.losses = to.losses - from.losses;
  figures.end = to.storage;
  figures.residual = Residual(from, to);
  const double largest = std::max({std::fabs(figures.start), std::fabs(figures.in), std::fabs(figures.out),
                                   std::fabs(figures.losses), std::fabs(figures.end)});
  figures.relative = largest > 0.0 ? figures.residual / largest : 0.0;
}

}  // namespace

ComponentMeter::ComponentMeter(const IBalance& balance, Stamp begin)
    : balance_(&balance), parts_(dynamic_cast<const IElementBalances*>(&balance)), begin_(begin) {}

void ComponentMeter::Sample(Stamp now) {
  if (balance_ == nullptr) return;
  const BalanceTerms terms = balance_->Balance();
  if (!started_) {
    unit_ = balance_->BalanceUnit();
    area_ = balance_->BalanceArea();
    // Until the warm-up is over, the base moves with the present values.
    base_ = last_ = terms;
    started_ = !Before(now, begin_);
    if (started_ && parts_ != nullptr) {
      parts_base_.resize(parts_->BalanceIds().size());
      parts_->BalanceOfEach(parts_base_);
    }
    return;
  }
  const double step = Residual(last_, terms);
  if (!std::isnan(worst_) && !(std::fabs(step) <= std::fabs(worst_))) {  // also the first one that is not a number
    worst_ = step;
    worst_time_ = now;
  }
  last_ = terms;
}

void ComponentMeter::Follow(const IBalance* balance) {
  balance_ = balance;
  parts_ = started_ ? nullptr : dynamic_cast<const IElementBalances*>(balance);
  if (balance_ == nullptr || !started_) return;
  unit_ = balance_->BalanceUnit();
  area_ = balance_->BalanceArea();
  const BalanceTerms terms = balance_->Balance();
  base_ = {terms.storage - (last_.storage - base_.storage), terms.in - (last_.in - base_.in),
           terms.out - (last_.out - base_.out), terms.losses - (last_.losses - base_.losses)};
  last_ = terms;
}

ComponentBalanceFigures ComponentMeter::Figures(Stamp now) const {
  ComponentBalanceFigures figures;
  figures.unit = unit_;
  figures.area_m2 = area_;
  if (!started_ || !Before(begin_, now)) {
    figures.is_weighed = false;
    figures.start = figures.in = figures.out = figures.losses = figures.end = kNotANumber;
    figures.residual = figures.worst_step = figures.relative = kNotANumber;
    return figures;
  }
  Fill(figures, base_, last_);
  figures.worst_step = worst_;
  figures.worst_time = worst_time_;
  if (parts_ != nullptr && !parts_base_.empty()) {
    figures.element_ids = parts_->BalanceIds();
    std::vector<BalanceTerms> now_of(parts_base_.size());
    parts_->BalanceOfEach(now_of);
    figures.elements.resize(parts_base_.size());
    for (std::size_t i = 0; i < now_of.size(); ++i) Fill(figures.elements[i], parts_base_[i], now_of[i]);
  }
  return figures;
}

void ComponentMeter::SaveState(StateWriter& writer) const {
  writer.Write(started_);
  for (const BalanceTerms* terms : {&base_, &last_}) {
    for (const double term : {terms->storage, terms->in, terms->out, terms->losses}) writer.Write(term);
  }
  writer.Write(worst_);
  writer.Write(worst_time_.mjd);
}

void ComponentMeter::LoadState(StateReader& reader) {
  parts_ = nullptr;
  started_ = reader.ReadBool();
  for (BalanceTerms* terms : {&base_, &last_}) {
    for (double* term : {&terms->storage, &terms->in, &terms->out, &terms->losses}) *term = reader.ReadDouble();
  }
  worst_ = reader.ReadDouble();
  worst_time_ = Stamp{reader.ReadDouble()};
}

}  // namespace openmi
