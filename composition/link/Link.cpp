#include "composition/link/Link.hpp"

#include "composition/proxy/HostCopies.hpp"
#include "composition/proxy/OutputProxy.hpp"
#include "openmi/sdk/Error.hpp"

namespace openmi {

Link::~Link() {
  end_.reset();
  while (!adaptors_.empty()) {
    adaptors_.back()->Adaptee().RemoveAdaptedOutput(*adaptors_.back());
    adaptors_.pop_back();
  }
  if (direct_output_ != nullptr && direct_input_ != nullptr) direct_output_->RemoveConsumer(*direct_input_);
}

void Link::Begin(ITimeSpaceOutput& source, ITimeSpaceInput& target, IBaseLinkableComponent* consumer) {
  source_ = &source;
  proxy_ = dynamic_cast<OutputProxy*>(&source);
  target_ = &target;
  consumer_ = consumer;
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
  end_ = std::make_unique<InputProxy>(*last, *target_, consumer_);
  target_ = nullptr;
}

void Link::MakeDirect(IBaseOutput& output, IBaseInput& input) {
  output.AddConsumer(input);
  direct_output_ = &output;
  direct_input_ = &input;
}

void Link::FreezeOutput(std::unique_ptr<IBaseValueSet> values) {
  auto frozen = std::make_unique<BaseOutput>(direct_output_->Id(), HostCopyOf(direct_output_->ValueDefinition()),
                                             nullptr, std::move(values));
  if (direct_input_ != nullptr) {
    direct_output_->RemoveConsumer(*direct_input_);
    frozen->AddConsumer(*direct_input_);
    if (direct_input_->Values() != nullptr) direct_input_->SetValues(&frozen->Values());  // they were the component's
  }
  frozen_output_ = std::move(frozen);
  direct_output_ = frozen_output_.get();
}

void Link::FreezeInput() {
  if (direct_input_ == nullptr) return;
  direct_output_->RemoveConsumer(*direct_input_);
  direct_input_ = nullptr;
}

void Link::ThawDirect(IBaseOutput* output, IBaseInput* input) {
  IBaseInput* to = input != nullptr ? input : direct_input_;
  IBaseOutput* from = output != nullptr ? output : direct_output_;
  if (direct_input_ != nullptr) direct_output_->RemoveConsumer(*direct_input_);
  if (to != nullptr) from->AddConsumer(*to);
  direct_input_ = to;
  direct_output_ = from;
  if (output != nullptr) frozen_output_.reset();
}

}  // namespace openmi
