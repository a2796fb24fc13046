#include "composition/run/LinkEnd.hpp"

namespace openmi {

LinkInput::LinkInput(ITimeSpaceInput& input)
    : InputOf(input.Id(), nullptr, input.Component()), input_(input), demand_(dynamic_cast<const IDemand*>(&input)) {}

Stamp LinkInput::EarliestNeeded() const {
  if (demand_ != nullptr) return demand_->EarliestNeeded();
  const ITimeSet* times = input_.TimeSet();
  if (times == nullptr) return kFarFuture;
  return Stamp{times->TimeHorizon().StampAsModifiedJulianDay() - times->OffsetFromUtcInHours() / 24.0};
}

LinkEnd::LinkEnd(ITimeSpaceOutput& source, ITimeSpaceInput& input)
    : OutputOf(source.Id(), nullptr, source.Component()), source_(source), input_(input), consumer_(input) {
  source_.AddConsumer(consumer_);
  try {
    AddConsumer(input_);
  } catch (...) {
    source_.RemoveConsumer(consumer_);
    throw;
  }
}

LinkEnd::~LinkEnd() {
  RemoveConsumer(input_);
  source_.RemoveConsumer(consumer_);
}

}  // namespace openmi
