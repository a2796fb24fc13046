#pragma once

#include <cstdint>
#include <string>

#include "composition/channel/Greeting.hpp"
#include "fmi-bridge/outward/VariableKind.hpp"
#include "openmi/omi/SdkVersion.hpp"

/// \file
/// What the library of an exported FMU and the process behind it ask of each other: the messages of the worker protocol
/// (docs/isolation.md) for them. Each letter begins with the request; its values are as said here.

namespace openmi::fmu {

/// Asked of the process.
enum class FmuRequest : std::int64_t {
  Describe,      ///< first of all; the reply is as FmuHost::Describe writes it
  Evaluate,      ///< start, whether there is a stop, stop, texts: brings outputs to the start; reply: changed texts
  Step,          ///< from a time, a step, in seconds from the start of the composition; reply: changed texts
  Terminate,     ///< finishes the components; outputs stay
  Reset,         ///< everything as after Describe; reply: texts
  SaveState,     ///< a note; reply: the number of the new state
  RestoreState,  ///< number; reply: the note
  FreeState,     ///< number
  StateToBytes,  ///< number; reply: its bytes
  BytesToState   ///< bytes; reply: the number of the new state
};

/// Asked of the library, while it waits.
enum class ImporterRequest : std::int64_t {
  Log  ///< outcome and text of each message, to the end
};

/// What an FMU can, as bits.
inline constexpr std::int64_t kKeepsState = 1;
/// The start draws on something that does not come again (a stream): it is made when Initialization Mode is entered,
/// and made anew only where a parameter changes.
inline constexpr std::int64_t kBeginsOnce = 2;

/// How a request ended, and how bad a message is; numbered as the statuses of FMI.
enum class Outcome : std::uint32_t { Ok, Warning, Discard, Error, Fatal };

/// One variable as the library of the FMU knows it. An element of an array has the value reference `reference` + its
/// number, and the slot `first` + its number.
struct VariableEntry {
  std::uint32_t reference = 0;
  std::uint32_t first = 0;
  std::uint32_t count = 1;
  outward::VariableType type = outward::VariableType::Float64;
  outward::VariableRole role = outward::VariableRole::Output;
};

/// What the process says first.
inline std::string FmuGreeting() {
  return GreetingText("openmi-fmu-host", std::string("openmi ") + kSdkVersion);
}

}  // namespace openmi::fmu
