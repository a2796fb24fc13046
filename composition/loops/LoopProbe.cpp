#include "composition/loops/LoopProbe.hpp"

namespace openmi {

LoopProbe::LoopProbe(ITimeSpaceOutput& source, ITimeSpaceInput& like)
    : InputOf(like.Id(), nullptr, like.Component()), source_(source), like_(like) {
  source_.AddConsumer(*this);
}

LoopProbe::~LoopProbe() {
  source_.RemoveConsumer(*this);
}

void LoopProbe::SetValues(const IBaseValueSet* values) {
  values_ = dynamic_cast<const ITimeSpaceValueSet*>(values);
}

const ITimeSpaceValueSet& LoopProbe::Ask(const openmi::TimeSet& times) {
  times_ = times;
  return source_.GetValues(*this);
}

}  // namespace openmi
