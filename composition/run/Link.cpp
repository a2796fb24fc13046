#include "composition/run/Link.hpp"

#include "openmi/sdk/Error.hpp"

namespace openmi {

Link::~Link() {
  end_.reset();
  while (!adaptors_.empty()) {
    adaptors_.back()->Adaptee().RemoveAdaptedOutput(*adaptors_.back());
    adaptors_.pop_back();
  }
  if (direct_output_ != nullptr) direct_output_->RemoveConsumer(*direct_input_);
}

IBaseOutput* Link::Last() const {
  return adaptors_.empty() ? static_cast<IBaseOutput*>(source_) : adaptors_.back().get();
}

void Link::Finish() {
  auto* last = dynamic_cast<ITimeSpaceOutput*>(Last());
  if (last == nullptr) {
    throw LinkError({.item = Last()->Id()}, "expected an adapted output with times and places, found one without",
                    "choose another adaptor");
  }
  end_ = std::make_unique<LinkEnd>(*last, *target_, consumer_);
  target_ = nullptr;
}

void Link::MakeDirect(IBaseOutput& output, IBaseInput& input) {
  output.AddConsumer(input);
  direct_output_ = &output;
  direct_input_ = &input;
}

}  // namespace openmi
