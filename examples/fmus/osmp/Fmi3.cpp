// The interface of FMI 3.0 for co-simulation over a Model. What OSMP models do not offer is not there.
#include <cstring>

#include "Frame.hpp"
#include "fmi-bridge/fmi/abi/Fmi3Functions.h"

namespace {

using osmp_fmu::Guarded;
using osmp_fmu::kDescription;
using Mode = osmp_fmu::Instance::Mode;

struct Component : osmp_fmu::Instance {
  fmi3InstanceEnvironment environment = nullptr;
  fmi3LogMessageCallback log = nullptr;
  double time = 0.0;
  /// What was set: an FMU of FMI 3.0 keeps its inputs itself.
  std::vector<std::vector<std::byte>> kept = std::vector<std::vector<std::byte>>(kDescription.messages.size());
};

template <class Work>
fmi3Status Call(fmi3Instance handle, Work&& work) {
  auto& component = *static_cast<Component*>(handle);
  return static_cast<fmi3Status>(Guarded([&] { work(component); },
                                         [&](const char* text) {
                                           if (component.log == nullptr) return;
                                           component.log(component.environment, fmi3Error, "logStatusError", text);
                                         }));
}

}  // namespace

extern "C" {

const char* fmi3GetVersion() {
  return "3.0";
}
fmi3Instance fmi3InstantiateCoSimulation(fmi3String name, fmi3String token, fmi3String, fmi3Boolean, fmi3Boolean,
                                         fmi3Boolean, fmi3Boolean, const fmi3ValueReference[], size_t,
                                         fmi3InstanceEnvironment environment, fmi3LogMessageCallback log,
                                         fmi3IntermediateUpdateCallback) {
  if (name == nullptr || token == nullptr || std::strcmp(token, osmp_fmu::kToken) != 0) return nullptr;
  try {
    auto component = std::make_unique<Component>();
    component->environment = environment;
    component->log = log;
    return component.release();
  } catch (const std::exception&) {
    return nullptr;
  }
}
void fmi3FreeInstance(fmi3Instance component) {
  delete static_cast<Component*>(component);
}
fmi3Status fmi3SetDebugLogging(fmi3Instance, fmi3Boolean, size_t, const fmi3String[]) {
  return fmi3OK;
}
fmi3Status fmi3EnterInitializationMode(fmi3Instance handle, fmi3Boolean, fmi3Float64, fmi3Float64 start, fmi3Boolean,
                                       fmi3Float64) {
  return Call(handle, [&](Component& component) {
    component.Require(component.mode == Mode::Instantiated, "EnterInitializationMode");
    component.start = component.time = start;
    component.mode = Mode::Initialization;
  });
}
fmi3Status fmi3ExitInitializationMode(fmi3Instance handle) {
  return Call(handle, [&](Component& component) { component.ExitInitialization(); });
}
fmi3Status fmi3Terminate(fmi3Instance handle) {
  return Call(handle, [&](Component& component) { component.mode = Mode::Terminated; });
}
fmi3Status fmi3Reset(fmi3Instance handle) {
  return Call(handle, [&](Component& component) { component.Reset(); });
}
fmi3Status fmi3GetFloat64(fmi3Instance handle, const fmi3ValueReference vr[], size_t n, fmi3Float64 values[], size_t) {
  return Call(handle, [&](Component& component) {
    for (size_t i = 0; i < n; ++i) {
      const double* number = vr[i] == 0 ? &component.time : component.Number(vr[i], false);
      if (number == nullptr) throw std::invalid_argument("GetFloat64: no variable " + std::to_string(vr[i]));
      values[i] = *number;
    }
  });
}
fmi3Status fmi3SetFloat64(fmi3Instance handle, const fmi3ValueReference vr[], size_t n, const fmi3Float64 values[],
                          size_t) {
  return Call(handle, [&](Component& component) {
    for (size_t i = 0; i < n; ++i) {
      double* number = component.Number(vr[i], true);
      if (number == nullptr) throw std::invalid_argument("SetFloat64: no variable " + std::to_string(vr[i]));
      *number = values[i];
    }
  });
}
fmi3Status fmi3GetBinary(fmi3Instance handle, const fmi3ValueReference vr[], size_t n, size_t sizes[],
                         fmi3Binary values[], size_t) {
  return Call(handle, [&](Component& component) {
    for (size_t i = 0; i < n; ++i) {
      const openmi::osi::Message bytes = component.GetMessage(component.Message(vr[i]));
      sizes[i] = bytes.size();
      values[i] = reinterpret_cast<fmi3Binary>(bytes.data());
    }
  });
}
fmi3Status fmi3SetBinary(fmi3Instance handle, const fmi3ValueReference vr[], size_t n, const size_t sizes[],
                         const fmi3Binary values[], size_t) {
  return Call(handle, [&](Component& component) {
    for (size_t i = 0; i < n; ++i) {
      const std::size_t message = component.Message(vr[i]);
      const auto* begin = reinterpret_cast<const std::byte*>(values[i]);
      component.kept[message].assign(begin, begin + sizes[i]);
      component.SetMessage(message, component.kept[message]);
    }
  });
}
fmi3Status fmi3DoStep(fmi3Instance handle, fmi3Float64 current, fmi3Float64 step, fmi3Boolean, fmi3Boolean* event,
                      fmi3Boolean* terminate, fmi3Boolean* early, fmi3Float64* last) {
  *event = *terminate = *early = false;
  return Call(handle, [&](Component& component) {
    component.DoStep(current, step);
    *last = component.time = current + step;
  });
}

}  // extern "C"
