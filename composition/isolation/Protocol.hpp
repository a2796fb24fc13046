#pragma once

#include <cstdint>

namespace openmi {

// The messages between the two processes. Each message starts with the request and the number of the instance that it
// concerns; the rest is as the functions that write and read it define (IsolatedComponent in the engine, ComponentHost
// in the worker).

/// Requests to the process that holds the components.
enum class HostRequest : std::int64_t {
  Load,                 ///< make the component of an OMI file
  Describe,             ///< describe it: optional interfaces, arguments
  SetCaption,           ///< set its caption
  SetArgument,          ///< set the argument of a number: from a text, or to a value
  Initialize,           ///< call Initialize
  Validate,             ///< call Validate
  ExpectRestore,        ///< a state will be restored right after the next Prepare
  Prepare,              ///< call Prepare
  Update,               ///< call Update
  Finish,               ///< call Finish
  Progress,             ///< how far it is, after a call that failed
  Values,               ///< values of an output that are no rows of numbers: the latest, or those at a time
  StateAbility,         ///< what it can do with its states
  KeepState,            ///< keep its state, and give the id of the state
  RestoreState,         ///< go back to a kept state
  ClearState,           ///< drop a kept state
  StateToBytes,         ///< convert a kept state to bytes
  BytesToState,         ///< keep the state of the given bytes
  EnterInitialization,  ///< start to take initial values
  SetInitialNumbers,    ///< for the input of an id
  SetInitialValues,     ///< for the input of an id
  ShowInitialOutputs,   ///< compute its outputs for the present inputs, and send them
  Drop,                 ///< destroy the component
  Remarks,              ///< what it reports at the end of a run
  Icon,                 ///< the bytes of its picture
  SetThreads,           ///< how many threads it may use within a step
  AdaptorIds,           ///< the adapted outputs that a factory of the component offers
  MakeAdaptor,          ///< make one of them
  SetAdaptorArgument,   ///< set the argument of a number, of one that was made
  AdaptedValues,        ///< the values of one that was made, for the times of a question. It carries news like Update
  // Of the worker, without a component:
  FetchRows,   ///< rows that stayed in its memory
  SeeRows,     ///< look into the memory of a worker on the same host, whose open file follows; or into its own
  ExpectRows,  ///< listen for a worker that will send rows
  TakeRows,    ///< take the rows that it sends, or expect it no more
  SendRows     ///< connect to a worker that listens, to send rows there
};

/// Requests to the process that runs the composition.
enum class EngineRequest : std::int64_t {
  Pull,       ///< rows of numbers for an input, into shared memory
  PullBytes,  ///< one value of bytes for an input, into shared memory
  PullValues  ///< other values for an input
};

/// The optional interfaces of a component, as bits.
enum OptionalInterface : std::int64_t {
  kOffersSteps = 1,
  kOffersBalance = 2,
  kOffersStates = 4,
  kOffersStateBytes = 8,
  kOffersResumes = 16,
  kOffersRemarks = 32,
  kOffersStateAbility = 64,
  kOffersThreads = 128,
  kOffersIcon = 256
};

}  // namespace openmi
