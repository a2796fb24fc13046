#include "fmi-bridge/dcp/master/component/DirectData.hpp"

#include <algorithm>
#include <atomic>

#include "composition/proxy/InputProxy.hpp"
#include "composition/proxy/OutputProxy.hpp"
#include "timespace/NumericInput.hpp"
#include "timespace/NumericOutput.hpp"

namespace openmi::dcp {
namespace {

std::mutex register_guard;
std::vector<Slave*> slaves;

}  // namespace

void SlaveRegister::Join(Slave& slave) {
  const std::lock_guard lock(register_guard);
  slaves.push_back(&slave);
}

void SlaveRegister::Leave(Slave& slave) {
  const std::lock_guard lock(register_guard);
  std::erase(slaves, &slave);
}

std::vector<Slave*> SlaveRegister::Others(const Slave& slave) {
  const std::lock_guard lock(register_guard);
  std::vector<Slave*> others = slaves;
  std::erase(others, &slave);
  return others;
}

std::uint16_t SlaveRegister::NextDataId() {
  // The ids that a master uses with a slave count from 1 for each slave.
  static std::atomic<std::uint16_t> next{0};
  return static_cast<std::uint16_t>(0x8000U | next.fetch_add(1));
}

const NumericOutput* DirectSourceOf(const NumericInput& input) {
  const IBaseOutput* output = input.Provider();
  if (const auto* end = dynamic_cast<const InputProxy*>(output)) output = &end->Source();
  if (const auto* proxy = dynamic_cast<const OutputProxy*>(output)) output = &proxy->Adaptee();
  return dynamic_cast<const NumericOutput*>(output);
}

}  // namespace openmi::dcp
