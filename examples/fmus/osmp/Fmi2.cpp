// The interface of FMI 2.0 for co-simulation over a Model. What OSMP models do not offer answers Error.
#include <bit>
#include <cstdint>

#include "Frame.hpp"
#include "fmi-bridge/fmi/abi/Fmi2Functions.h"

namespace {

using osmp_fmu::Guarded;
using osmp_fmu::kDescription;
using Mode = osmp_fmu::Instance::Mode;

/// What lies behind a fmi2Component.
struct Component : osmp_fmu::Instance {
  const fmi2CallbackFunctions* callbacks = nullptr;
  std::string name;
  /// The three integers as they were set, one message after another.
  std::vector<std::int32_t> integers = std::vector<std::int32_t>(3 * kDescription.messages.size(), 0);
};

template <class Work>
fmi2Status Call(fmi2Component handle, Work&& work) {
  auto& component = *static_cast<Component*>(handle);
  return static_cast<fmi2Status>(Guarded([&] { work(component); },
                                         [&](const char* text) {
                                           component.callbacks->logger(component.callbacks->componentEnvironment,
                                                                       component.name.c_str(), fmi2Error,
                                                                       "logStatusError", "%s", text);
                                         }));
}

/// The part of a message that a value reference means: 0 low, 1 high, 2 size.
unsigned PartOf(fmi2ValueReference reference) {
  return (reference - osmp_fmu::kFirstMessage) % 3;
}

[[noreturn]] void Unknown(fmi2ValueReference reference) {
  throw std::invalid_argument("no variable of value reference " + std::to_string(reference) + " can be used so now");
}

}  // namespace

extern "C" {

const char* fmi2GetTypesPlatform() {
  return "default";
}
const char* fmi2GetVersion() {
  return "2.0";
}

fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type, fmi2String guid, fmi2String,
                              const fmi2CallbackFunctions* functions, fmi2Boolean, fmi2Boolean) {
  if (functions == nullptr || functions->logger == nullptr || name == nullptr || type != fmi2CoSimulation)
    return nullptr;
  if (guid == nullptr || std::string(guid) != osmp_fmu::kToken) {
    functions->logger(functions->componentEnvironment, name, fmi2Error, "logStatusError", "wrong GUID");
    return nullptr;
  }
  try {
    auto component = std::make_unique<Component>();
    component->callbacks = functions;
    component->name = name;
    return component.release();
  } catch (const std::exception& error) {
    functions->logger(functions->componentEnvironment, name, fmi2Error, "logStatusError", "%s", error.what());
    return nullptr;
  }
}
void fmi2FreeInstance(fmi2Component component) {
  delete static_cast<Component*>(component);
}
fmi2Status fmi2SetDebugLogging(fmi2Component, fmi2Boolean, size_t, const fmi2String[]) {
  return fmi2OK;
}
fmi2Status fmi2SetupExperiment(fmi2Component handle, fmi2Boolean, fmi2Real, fmi2Real start, fmi2Boolean, fmi2Real) {
  return Call(handle, [&](Component& component) {
    component.Require(component.mode == Mode::Instantiated, "SetupExperiment");
    component.start = start;
  });
}
fmi2Status fmi2EnterInitializationMode(fmi2Component handle) {
  return Call(handle, [&](Component& component) {
    component.Require(component.mode == Mode::Instantiated, "EnterInitializationMode");
    component.mode = Mode::Initialization;
  });
}
fmi2Status fmi2ExitInitializationMode(fmi2Component handle) {
  return Call(handle, [&](Component& component) { component.ExitInitialization(); });
}
fmi2Status fmi2Terminate(fmi2Component handle) {
  return Call(handle, [&](Component& component) { component.mode = Mode::Terminated; });
}
fmi2Status fmi2Reset(fmi2Component handle) {
  return Call(handle, [&](Component& component) { component.Reset(); });
}

fmi2Status fmi2GetReal(fmi2Component handle, const fmi2ValueReference vr[], size_t n, fmi2Real values[]) {
  return Call(handle, [&](Component& component) {
    for (size_t i = 0; i < n; ++i) {
      const double* number = component.Number(vr[i], false);
      if (number == nullptr) Unknown(vr[i]);
      values[i] = *number;
    }
  });
}
fmi2Status fmi2SetReal(fmi2Component handle, const fmi2ValueReference vr[], size_t n, const fmi2Real values[]) {
  return Call(handle, [&](Component& component) {
    for (size_t i = 0; i < n; ++i) {
      double* number = component.Number(vr[i], true);
      if (number == nullptr) Unknown(vr[i]);
      *number = values[i];
    }
  });
}
fmi2Status fmi2GetInteger(fmi2Component handle, const fmi2ValueReference vr[], size_t n, fmi2Integer values[]) {
  return Call(handle, [&](Component& component) {
    // The parts of one message, asked for in one call, belong to the same bytes.
    std::size_t last = kDescription.messages.size();
    openmi::osi::Message bytes;
    for (size_t i = 0; i < n; ++i) {
      const std::size_t message = component.Message(vr[i]);
      if (message != last) bytes = component.GetMessage(message);
      last = message;
      const auto address = reinterpret_cast<std::uintptr_t>(bytes.empty() ? nullptr : bytes.data());
      const std::uint64_t parts[] = {address & 0xFFFF'FFFF, std::uint64_t{address} >> 32, bytes.size()};
      values[i] = std::bit_cast<std::int32_t>(static_cast<std::uint32_t>(parts[PartOf(vr[i])]));
    }
  });
}
fmi2Status fmi2SetInteger(fmi2Component handle, const fmi2ValueReference vr[], size_t n, const fmi2Integer values[]) {
  return Call(handle, [&](Component& component) {
    for (size_t i = 0; i < n; ++i) {
      const std::size_t message = component.Message(vr[i]);
      std::int32_t* parts = &component.integers[3 * message];
      parts[PartOf(vr[i])] = values[i];
      const auto low = std::bit_cast<std::uint32_t>(parts[0]);
      const auto high = std::bit_cast<std::uint32_t>(parts[1]);
      const auto address = static_cast<std::uintptr_t>(std::uint64_t{high} << 32 | low);
      const bool is_there = address != 0 && parts[2] > 0;
      component.SetMessage(message, is_there ? openmi::osi::Message(reinterpret_cast<const std::byte*>(address),
                                                                    static_cast<std::size_t>(parts[2]))
                                             : openmi::osi::Message());
    }
  });
}
fmi2Status fmi2DoStep(fmi2Component handle, fmi2Real current, fmi2Real step, fmi2Boolean) {
  return Call(handle, [&](Component& component) { component.DoStep(current, step); });
}
fmi2Status fmi2CancelStep(fmi2Component) {
  return fmi2Error;
}

// There are no variables of these types, and no states.
fmi2Status fmi2GetBoolean(fmi2Component, const fmi2ValueReference[], size_t n, fmi2Boolean[]) {
  return n == 0 ? fmi2OK : fmi2Error;
}
fmi2Status fmi2SetBoolean(fmi2Component, const fmi2ValueReference[], size_t n, const fmi2Boolean[]) {
  return n == 0 ? fmi2OK : fmi2Error;
}
fmi2Status fmi2GetString(fmi2Component, const fmi2ValueReference[], size_t n, fmi2String[]) {
  return n == 0 ? fmi2OK : fmi2Error;
}
fmi2Status fmi2SetString(fmi2Component, const fmi2ValueReference[], size_t n, const fmi2String[]) {
  return n == 0 ? fmi2OK : fmi2Error;
}
fmi2Status fmi2GetStatus(fmi2Component, const fmi2StatusKind, fmi2Status*) {
  return fmi2Discard;
}
fmi2Status fmi2GetRealStatus(fmi2Component, const fmi2StatusKind, fmi2Real*) {
  return fmi2Discard;
}
fmi2Status fmi2GetBooleanStatus(fmi2Component, const fmi2StatusKind, fmi2Boolean*) {
  return fmi2Discard;
}

}  // extern "C"
