#include "bmi-bridge/component/LookBack.hpp"

#include <cstdint>

#include "composition/proxy/OutputProxy.hpp"

namespace openmi::bmi {
namespace {

class Takers {
 public:
  bool ArePlain(const IBaseOutput& output, bool is_proxy) {
    for (const IBaseInput* consumer : output.Consumers()) {
      const auto* demand = dynamic_cast<const IDemand*>(consumer);
      if (demand == nullptr || demand->Source().AskedTimes() == nullptr || !IsOnly(consumer->Component())) return false;
    }
    for (const IBaseAdaptedOutput* adapted : output.AdaptedOutputs()) {
      if (is_proxy || dynamic_cast<const OutputProxy*>(adapted) == nullptr || !ArePlain(*adapted, true)) return false;
    }
    return true;
  }

 private:
  bool IsOnly(const IBaseLinkableComponent* component) {
    if (only_ == nullptr) only_ = component;
    return component != nullptr && component == only_;
  }
  const IBaseLinkableComponent* only_ = nullptr;
};

std::size_t Mixed(std::size_t number, const void* pointer) {
  return number * 1099511628211U + reinterpret_cast<std::uintptr_t>(pointer);
}

std::size_t TakersOfOne(std::size_t number, const IBaseOutput& output) {
  for (const IBaseInput* consumer : output.Consumers()) number = Mixed(number, consumer);
  for (const IBaseAdaptedOutput* adapted : output.AdaptedOutputs()) {
    number = TakersOfOne(Mixed(number, adapted), *adapted);
  }
  return Mixed(number, &output);
}

}  // namespace

bool NobodyLooksBack(std::span<NumericOutput* const> outputs) {
  Takers takers;
  for (const NumericOutput* output : outputs) {
    if (!takers.ArePlain(*output, false)) return false;
  }
  return true;
}

std::size_t TakersOf(std::span<NumericOutput* const> outputs) {
  std::size_t number = 0;
  for (const NumericOutput* output : outputs) number = TakersOfOne(number, *output);
  return number;
}

}  // namespace openmi::bmi
