#pragma once

#include <string>

#include "bmi-bridge/model/Library.hpp"
#include "bmi-bridge/model/Model.hpp"

namespace openmi::bmi {

/// The input by which models take a communicator, before they are initialized. It is no item.
///
/// Source: SCHISM's BMI, and the forcings engine of NextGen.
inline constexpr char kCommunicatorVariable[] = "bmi_mpi_comm_handle";

/// Initializes a model with the communicator of its ranks. If the library has `initialize_mpi` of the extended model
/// interface (MODFLOW 6), it stands for `initialize`, and the model finds its configuration in the working folder. Else
/// the input kCommunicatorVariable is set before.
/// \param config  a path; empty: none
/// \param handle  as Fortran has it
/// \throws ModelError  the model takes none, or cannot be initialized
void InitializeOnRanks(const Library& library, Model& model, const std::string& config, int handle);

}  // namespace openmi::bmi
