#pragma once

#include <cstdint>
#include <string>

#include "composition/channel/Greeting.hpp"
#include "fmi-bridge/export/VariableKind.hpp"
#include "openmi/omi/SdkVersion.hpp"

/// \file
/// The requests between the library of an exported FMU and its process, as messages of the worker protocol
/// (docs/isolation.md).
///
/// Each message starts with the request; its values are listed here.

namespace openmi::fmu {

/// Requests of the library to the process.
enum class FmuRequest : std::int64_t {
  Describe,      ///< the first request; the reply is as FmuHost::Describe writes it
  Evaluate,      ///< start, whether there is a stop, stop, texts: computes outputs at the start; reply: changed texts
  Step,          ///< start time and length, in seconds from the start of the composition; reply: changed texts
  Terminate,     ///< finishes the components; outputs stay
  Reset,         ///< returns to the state after Describe; reply: texts
  SaveState,     ///< a note; reply: the number of the new state
  RestoreState,  ///< number; reply: the note
  FreeState,     ///< number
  StateToBytes,  ///< number; reply: its bytes
  BytesToState   ///< bytes; reply: the number of the new state
};

/// Requests of the process to the library, while the library waits.
enum class ImporterRequest : std::int64_t {
  Log  ///< outcome and text of each message, until the end of the request
};

/// Capabilities of an FMU, as bits.
inline constexpr std::int64_t kKeepsState = 1;
/// The start uses data that cannot be read again (a stream).
///
/// The outputs at the start are computed when Initialization Mode is entered, and again only if a parameter changes.
inline constexpr std::int64_t kBeginsOnce = 2;

/// The outcome of a request, and the severity of a message; with the numbers of the statuses of FMI.
enum class Outcome : std::uint32_t { Ok, Warning, Discard, Error, Fatal };

/// One variable as the library of the FMU knows it.
///
/// Element number n of an array has the value reference `reference` + n and the slot `first` + n.
struct VariableEntry {
  std::uint32_t reference = 0;
  std::uint32_t first = 0;
  std::uint32_t count = 1;
  exported::VariableType type = exported::VariableType::Float64;
  exported::VariableRole role = exported::VariableRole::Output;
};

/// The first message of the process.
inline std::string FmuGreeting() {
  return GreetingText("openmi-fmu-host", std::string("openmi ") + kSdkVersion);
}

}  // namespace openmi::fmu
