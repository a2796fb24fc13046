#pragma once

#include <cstddef>
#include <tuple>

#include "fmi-bridge/fmi/wine/Pieces.hpp"

namespace openmi::fmi::wine {

/// A function of the standard: its signature, and how each of its parameters travels. The instance is left out.
template <class Signature, class... Pieces>
struct Shape {
  const char* name;
};

// The functions that instances call (Instance::FunctionsCalled), by version. Their order is part of the protocol. The
// number of a parameter counts the instance, which is parameter 0 of all but those that make one.
#define OPENMI_SHAPE(Name, ...)    \
  Shape<Name##TYPE, __VA_ARGS__> { \
#Name                          \
  }
#define OPENMI_PLAIN_SHAPE(Name) \
  Shape<Name##TYPE> {            \
#Name                        \
  }

inline constexpr std::tuple kShapes1{
    OPENMI_SHAPE(fmiInstantiateSlave, Text, Text, Path, Text, Value, Value, Value, Callback<&Callbacks::functions1>,
                 Value),
    OPENMI_SHAPE(fmiInitializeSlave, Value, Value, Value),
    OPENMI_PLAIN_SHAPE(fmiTerminateSlave),
    OPENMI_PLAIN_SHAPE(fmiResetSlave),
    OPENMI_PLAIN_SHAPE(fmiFreeSlaveInstance),
    OPENMI_SHAPE(fmiGetReal, In<2>, Value, Out<2>),
    OPENMI_SHAPE(fmiGetInteger, In<2>, Value, Out<2>),
    OPENMI_SHAPE(fmiGetBoolean, In<2>, Value, Out<2>),
    OPENMI_SHAPE(fmiGetString, In<2>, Value, TextsOut<2>),
    OPENMI_SHAPE(fmiSetReal, In<2>, Value, In<2>),
    OPENMI_SHAPE(fmiSetInteger, In<2>, Value, In<2>),
    OPENMI_SHAPE(fmiSetBoolean, In<2>, Value, In<2>),
    OPENMI_SHAPE(fmiSetString, In<2>, Value, Texts<2>),
    OPENMI_SHAPE(fmiSetRealInputDerivatives, In<2>, Value, In<2>, In<2>),
    OPENMI_SHAPE(fmiGetRealOutputDerivatives, In<2>, Value, In<2>, Out<2>),
    OPENMI_SHAPE(fmiDoStep, Value, Value, Value),
    OPENMI_SHAPE(fmiGetRealStatus, Value, Both),
};

inline constexpr std::tuple kShapes2{
    OPENMI_SHAPE(fmi2Instantiate, Text, Value, Text, Path, Callback<&Callbacks::functions2>, Value, Value),
    OPENMI_PLAIN_SHAPE(fmi2FreeInstance),
    OPENMI_SHAPE(fmi2SetDebugLogging, Value, Value, Texts<2>),
    OPENMI_SHAPE(fmi2SetupExperiment, Value, Value, Value, Value, Value),
    OPENMI_PLAIN_SHAPE(fmi2EnterInitializationMode),
    OPENMI_PLAIN_SHAPE(fmi2ExitInitializationMode),
    OPENMI_PLAIN_SHAPE(fmi2Terminate),
    OPENMI_PLAIN_SHAPE(fmi2Reset),
    OPENMI_SHAPE(fmi2GetReal, In<2>, Value, Out<2>),
    OPENMI_SHAPE(fmi2GetInteger, In<2>, Value, Out<2>),
    OPENMI_SHAPE(fmi2GetBoolean, In<2>, Value, Out<2>),
    OPENMI_SHAPE(fmi2GetString, In<2>, Value, TextsOut<2>),
    OPENMI_SHAPE(fmi2SetReal, In<2>, Value, In<2>),
    OPENMI_SHAPE(fmi2SetInteger, In<2>, Value, In<2>),
    OPENMI_SHAPE(fmi2SetBoolean, In<2>, Value, In<2>),
    OPENMI_SHAPE(fmi2SetString, In<2>, Value, Texts<2>),
    OPENMI_SHAPE(fmi2GetDirectionalDerivative, In<2>, Value, In<4>, Value, In<4>, Out<2>),
    OPENMI_PLAIN_SHAPE(fmi2EnterEventMode),
    OPENMI_SHAPE(fmi2NewDiscreteStates, Both),
    OPENMI_PLAIN_SHAPE(fmi2EnterContinuousTimeMode),
    OPENMI_SHAPE(fmi2CompletedIntegratorStep, Value, Both, Both),
    OPENMI_SHAPE(fmi2SetTime, Value),
    OPENMI_SHAPE(fmi2SetContinuousStates, In<2>, Value),
    OPENMI_SHAPE(fmi2GetDerivatives, Out<2>, Value),
    OPENMI_SHAPE(fmi2GetEventIndicators, Out<2>, Value),
    OPENMI_SHAPE(fmi2GetContinuousStates, Out<2>, Value),
    OPENMI_SHAPE(fmi2GetNominalsOfContinuousStates, Out<2>, Value),
    OPENMI_SHAPE(fmi2SetRealInputDerivatives, In<2>, Value, In<2>, In<2>),
    OPENMI_SHAPE(fmi2GetRealOutputDerivatives, In<2>, Value, In<2>, Out<2>),
    OPENMI_SHAPE(fmi2DoStep, Value, Value, Value),
    OPENMI_SHAPE(fmi2GetRealStatus, Value, Both),
    OPENMI_SHAPE(fmi2GetBooleanStatus, Value, Both),
    OPENMI_SHAPE(fmi2GetFMUstate, Both),
    OPENMI_SHAPE(fmi2SetFMUstate, Value),
    OPENMI_SHAPE(fmi2FreeFMUstate, Both),
    OPENMI_SHAPE(fmi2SerializedFMUstateSize, Value, Both),
    OPENMI_SHAPE(fmi2SerializeFMUstate, Value, Out<3>, Value),
    OPENMI_SHAPE(fmi2DeSerializeFMUstate, In<2>, Value, Both),
};

#define OPENMI_NUMBER_SHAPES(Type) \
  OPENMI_SHAPE(fmi3Get##Type, In<2>, Value, Out<4>, Value), OPENMI_SHAPE(fmi3Set##Type, In<2>, Value, In<4>, Value)

inline constexpr std::tuple kShapes3{
    OPENMI_SHAPE(fmi3InstantiateModelExchange, Text, Text, Path, Value, Value, Callback<&Callbacks::environment3>,
                 Callback<&Callbacks::log3>),
    OPENMI_SHAPE(fmi3InstantiateCoSimulation, Text, Text, Path, Value, Value, Value, Value, In<8>, Value,
                 Callback<&Callbacks::environment3>, Callback<&Callbacks::log3>, Callback<&Callbacks::moment3>),
    OPENMI_SHAPE(fmi3InstantiateScheduledExecution, Text, Text, Path, Value, Value, Callback<&Callbacks::environment3>,
                 Callback<&Callbacks::log3>, Callback<&Callbacks::clocks3>, Callback<&Callbacks::lock3>,
                 Callback<&Callbacks::unlock3>),
    OPENMI_PLAIN_SHAPE(fmi3FreeInstance),
    OPENMI_SHAPE(fmi3SetDebugLogging, Value, Value, Texts<2>),
    OPENMI_SHAPE(fmi3EnterInitializationMode, Value, Value, Value, Value, Value),
    OPENMI_PLAIN_SHAPE(fmi3ExitInitializationMode),
    OPENMI_PLAIN_SHAPE(fmi3EnterEventMode),
    OPENMI_PLAIN_SHAPE(fmi3Terminate),
    OPENMI_PLAIN_SHAPE(fmi3Reset),
    OPENMI_NUMBER_SHAPES(Float32),
    OPENMI_NUMBER_SHAPES(Float64),
    OPENMI_NUMBER_SHAPES(Int8),
    OPENMI_NUMBER_SHAPES(UInt8),
    OPENMI_NUMBER_SHAPES(Int16),
    OPENMI_NUMBER_SHAPES(UInt16),
    OPENMI_NUMBER_SHAPES(Int32),
    OPENMI_NUMBER_SHAPES(UInt32),
    OPENMI_NUMBER_SHAPES(Int64),
    OPENMI_NUMBER_SHAPES(UInt64),
    OPENMI_NUMBER_SHAPES(Boolean),
    OPENMI_SHAPE(fmi3GetString, In<2>, Value, TextsOut<4>, Value),
    OPENMI_SHAPE(fmi3SetString, In<2>, Value, Texts<4>, Value),
    OPENMI_SHAPE(fmi3GetBinary, In<2>, Value, Out<5>, BlobsOut<3, 5>, Value),
    OPENMI_SHAPE(fmi3SetBinary, In<2>, Value, In<5>, Blobs<3, 5>, Value),
    OPENMI_SHAPE(fmi3GetClock, In<2>, Value, Out<2>),
    OPENMI_SHAPE(fmi3SetClock, In<2>, Value, In<2>),
    OPENMI_SHAPE(fmi3GetFMUState, Both),
    OPENMI_SHAPE(fmi3SetFMUState, Value),
    OPENMI_SHAPE(fmi3FreeFMUState, Both),
    OPENMI_SHAPE(fmi3SerializedFMUStateSize, Value, Both),
    OPENMI_SHAPE(fmi3SerializeFMUState, Value, Out<3>, Value),
    OPENMI_SHAPE(fmi3DeserializeFMUState, In<2>, Value, Both),
    OPENMI_SHAPE(fmi3GetDirectionalDerivative, In<2>, Value, In<4>, Value, In<6>, Value, Out<8>, Value),
    OPENMI_PLAIN_SHAPE(fmi3EnterConfigurationMode),
    OPENMI_PLAIN_SHAPE(fmi3ExitConfigurationMode),
    OPENMI_SHAPE(fmi3GetIntervalDecimal, In<2>, Value, Out<2>, Out<2>),
    OPENMI_SHAPE(fmi3GetIntervalFraction, In<2>, Value, Out<2>, Out<2>, Out<2>),
    OPENMI_SHAPE(fmi3GetShiftDecimal, In<2>, Value, Out<2>),
    OPENMI_SHAPE(fmi3GetShiftFraction, In<2>, Value, Out<2>, Out<2>),
    OPENMI_SHAPE(fmi3SetIntervalDecimal, In<2>, Value, In<2>),
    OPENMI_SHAPE(fmi3SetIntervalFraction, In<2>, Value, In<2>, In<2>),
    OPENMI_SHAPE(fmi3UpdateDiscreteStates, Both, Both, Both, Both, Both, Both),
    OPENMI_PLAIN_SHAPE(fmi3EnterContinuousTimeMode),
    OPENMI_SHAPE(fmi3CompletedIntegratorStep, Value, Both, Both),
    OPENMI_SHAPE(fmi3SetTime, Value),
    OPENMI_SHAPE(fmi3SetContinuousStates, In<2>, Value),
    OPENMI_SHAPE(fmi3GetContinuousStateDerivatives, Out<2>, Value),
    OPENMI_SHAPE(fmi3GetEventIndicators, Out<2>, Value),
    OPENMI_SHAPE(fmi3GetContinuousStates, Out<2>, Value),
    OPENMI_SHAPE(fmi3GetNominalsOfContinuousStates, Out<2>, Value),
    OPENMI_SHAPE(fmi3GetNumberOfEventIndicators, Both),
    OPENMI_SHAPE(fmi3GetNumberOfContinuousStates, Both),
    OPENMI_PLAIN_SHAPE(fmi3EnterStepMode),
    OPENMI_SHAPE(fmi3GetOutputDerivatives, In<2>, Value, In<2>, Out<5>, Value),
    OPENMI_SHAPE(fmi3DoStep, Value, Value, Value, Both, Both, Both, Both),
    OPENMI_SHAPE(fmi3ActivateModelPartition, Value, Value),
};

#undef OPENMI_NUMBER_SHAPES
#undef OPENMI_PLAIN_SHAPE
#undef OPENMI_SHAPE

}  // namespace openmi::fmi::wine
