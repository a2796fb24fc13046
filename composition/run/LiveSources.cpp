#include "composition/run/LiveSources.hpp"

namespace openmi {

LiveSources::LiveSources(Composition& composition, Waiting waiting)
    : composition_(composition), waiting_(std::move(waiting)) {
  composition_.AddListener(*this);
  OnExchanged();
}

LiveSources::~LiveSources() {
  composition_.RemoveListener(*this);
  for (const auto& [instance, source] : sources_) {
    if (!instance->conduct->has_left) source->SetWaitListener({});
  }
}

std::string LiveSources::Text() const {
  std::string text;
  for (const auto& [instance, source] : sources_) {
    const std::string health = instance->conduct->has_left ? std::string() : source->HealthText();
    if (!health.empty()) text += (text.empty() ? "" : "; ") + instance->Id() + ": " + health;
  }
  return text;
}

void LiveSources::OnLeaving(std::size_t component) {
  std::erase_if(sources_, [&](const auto& one) { return one.first == &composition_.Instances()[component]; });
}

void LiveSources::OnExchanged() {
  sources_.clear();
  for (const Instance& instance : composition_.Instances()) {
    auto* const source = instance.IsThere() ? dynamic_cast<ILiveSource*>(&instance.Component()) : nullptr;
    if (source == nullptr) continue;
    source->SetWaitListener([this, &instance](const std::string& sentence) { waiting_(instance.Id(), sentence); });
    sources_.emplace_back(&instance, source);
  }
}

}  // namespace openmi
