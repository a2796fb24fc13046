// An FMU of FMI 2.0 that does next to nothing: it looks at the message that it is given, and shows one in two buffers
// in turn, or three integers that are no message.
//   40  what is wrong. 0: nothing; 1: a negative size; 2: no address; 3: bytes that are no message; 4: no size;
//       5: it ends the simulation in its third step, and does not say how far it came
//   41  bytes of the message that is shown
//   50  what it saw in the last step: the size of the message, -1 where its first byte was 0xEE
#include <cstdint>
#include <cstring>
#include <vector>

#include "fmi-bridge/fmi/abi/Fmi2Functions.h"

namespace {

struct Model {
  std::int32_t in[3] = {0, 0, 0};
  std::vector<unsigned char> buffers[2];
  unsigned step = 0;
  std::int32_t fault = 0;
  std::int32_t seen = 0;

  Model() { Fill(16); }
  /// A message of one field of type Length, number 1000, that fills the buffers.
  void Fill(std::size_t size) {
    for (std::vector<unsigned char>& buffer : buffers) {
      buffer.assign(size, 0);
      buffer[0] = 0xC2;
      buffer[1] = 0x3E;
      std::size_t rest = size - 6;
      for (std::size_t i = 2; i < 6; ++i, rest >>= 7) {
        buffer[i] = static_cast<unsigned char>((rest & 0x7F) | (i < 5 ? 0x80 : 0));
      }
    }
  }
  bool HasEnded() const { return fault == 5 && step >= 3; }
  /// Low and high half of the address, and the size.
  std::uint32_t Part(unsigned part) const {
    const std::vector<unsigned char>& buffer = buffers[step % 2];
    const auto address = static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(buffer.data()));
    if (part == 2) return fault == 1 ? 0xFFFFFFFEu : fault == 4 ? 0 : static_cast<std::uint32_t>(buffer.size());
    if (fault == 2) return 0;
    return static_cast<std::uint32_t>(part == 0 ? address : address >> 32);
  }
};

}  // namespace

extern "C" {

const char* fmi2GetTypesPlatform() {
  return "default";
}
const char* fmi2GetVersion() {
  return "2.0";
}
fmi2Component fmi2Instantiate(fmi2String, fmi2Type, fmi2String, fmi2String, const fmi2CallbackFunctions*, fmi2Boolean,
                              fmi2Boolean) {
  return new Model;
}
void fmi2FreeInstance(fmi2Component component) {
  delete static_cast<Model*>(component);
}
fmi2Status fmi2SetDebugLogging(fmi2Component, fmi2Boolean, size_t, const fmi2String[]) {
  return fmi2OK;
}
fmi2Status fmi2SetupExperiment(fmi2Component, fmi2Boolean, fmi2Real, fmi2Real, fmi2Boolean, fmi2Real) {
  return fmi2OK;
}
fmi2Status fmi2EnterInitializationMode(fmi2Component) {
  return fmi2OK;
}
fmi2Status fmi2ExitInitializationMode(fmi2Component) {
  return fmi2OK;
}
fmi2Status fmi2Terminate(fmi2Component) {
  return fmi2OK;
}
fmi2Status fmi2Reset(fmi2Component) {
  return fmi2OK;
}
fmi2Status fmi2GetReal(fmi2Component, const fmi2ValueReference[], size_t, fmi2Real[]) {
  return fmi2OK;
}
fmi2Status fmi2SetReal(fmi2Component, const fmi2ValueReference[], size_t, const fmi2Real[]) {
  return fmi2OK;
}
fmi2Status fmi2GetInteger(fmi2Component component, const fmi2ValueReference vr[], size_t n, fmi2Integer values[]) {
  const auto& self = *static_cast<const Model*>(component);
  for (size_t i = 0; i < n; ++i) {
    const std::uint32_t part = vr[i] == 50 ? static_cast<std::uint32_t>(self.seen) : self.Part(vr[i] - 3);
    std::memcpy(&values[i], &part, sizeof part);
  }
  return fmi2OK;
}
fmi2Status fmi2SetInteger(fmi2Component component, const fmi2ValueReference vr[], size_t n,
                          const fmi2Integer values[]) {
  auto& self = *static_cast<Model*>(component);
  for (size_t i = 0; i < n; ++i) {
    if (vr[i] <= 2) self.in[vr[i]] = values[i];
    if (vr[i] == 41) self.Fill(static_cast<std::size_t>(values[i]));
    if (vr[i] != 40) continue;
    self.fault = values[i];
    if (self.fault == 3) self.buffers[0][3] = self.buffers[1][3] = 0xFF;  // it announces more than there is
  }
  return fmi2OK;
}
fmi2Status fmi2DoStep(fmi2Component component, fmi2Real, fmi2Real, fmi2Boolean) {
  auto& self = *static_cast<Model*>(component);
  ++self.step;
  self.buffers[self.step % 2].back() = static_cast<unsigned char>(self.step);
  std::uint32_t low, high;
  std::memcpy(&low, &self.in[0], sizeof low);
  std::memcpy(&high, &self.in[1], sizeof high);
  const auto* message = reinterpret_cast<const unsigned char*>(std::uint64_t{high} << 32 | low);
  self.seen = self.in[2];
  if (message != nullptr && self.in[2] > 0 && message[0] == 0xEE) self.seen = -1;
  return self.HasEnded() ? fmi2Discard : fmi2OK;
}
fmi2Status fmi2GetBooleanStatus(fmi2Component component, const fmi2StatusKind kind, fmi2Boolean* value) {
  if (kind != fmi2Terminated) return fmi2Discard;
  *value = static_cast<const Model*>(component)->HasEnded() ? fmi2True : fmi2False;
  return fmi2OK;
}
fmi2Status fmi2CancelStep(fmi2Component) {
  return fmi2Error;
}

}  // extern "C"
