#pragma once

#include <cstdint>

namespace openmi {

// What the two processes ask of each other. Each letter begins with the request and the number of the instance it is
// about; the rest is as the functions that write and read it say (IsolatedComponent here, ComponentHost there).

/// Asked of the process that holds the components.
enum class HostRequest : std::int64_t {
  Load,           ///< make the component of an OMI file
  Describe,       ///< what it is: doors, arguments
  SetCaption,     ///
  SetArgument,    ///< by number: as text, or as a value
  Initialize,     ///
  Validate,       ///
  ExpectRestore,  ///< a state will be restored right after the next Prepare
  Prepare,        ///
  Update,         ///
  Finish,         ///
  Progress,       ///< how far it is, after a call that failed
  Values,         ///< of an output whose values are no rows of numbers: the latest, or those at a time
  KeepState,      ///
  RestoreState,   ///
  ClearState,     ///
  StateToBytes,   ///
  BytesToState,   ///
  EnterInitialization,
  SetInitialNumbers,   ///< of the input of an id
  SetInitialValues,    ///< likewise
  ShowInitialOutputs,  ///< and give them back
  Drop,                ///< destroy the component
  Remarks              ///< what it says at the end of a run
};

/// Asked of the process that runs the composition.
enum class EngineRequest : std::int64_t {
  Pull,       ///< rows of numbers for an input, into shared memory
  PullBytes,  ///< one value of bytes for an input, into shared memory
  PullValues  ///< values for an input that are neither
};

/// What a component can do beside the standard's own, as bits.
enum ComponentDoor : std::int64_t {
  kStepsDoor = 1,
  kBalanceDoor = 2,
  kStateDoor = 4,
  kStateBytesDoor = 8,
  kResumesDoor = 16,
  kRemarksDoor = 32
};

}  // namespace openmi
