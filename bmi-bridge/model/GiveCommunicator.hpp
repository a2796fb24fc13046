#pragma once

#include "bmi-bridge/model/Library.hpp"
#include "bmi-bridge/model/Model.hpp"

namespace openmi::bmi {

/// The input by which models take a communicator, before they are initialized. It is no item.
///
/// Source: SCHISM's BMI, and the forcings engine of NextGen.
inline constexpr char kCommunicatorVariable[] = "bmi_mpi_comm_handle";

/// Gives a model, which is not initialized yet, the communicator of its ranks: by the function `initialize_mpi` of the
/// extended model interface (MODFLOW 6) if the library has it, else by the input kCommunicatorVariable.
/// \param handle  as Fortran has it
/// \throws ModelError  the model takes none
void GiveCommunicator(const Library& library, Model& model, int handle);

}  // namespace openmi::bmi
