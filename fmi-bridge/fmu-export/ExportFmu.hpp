#pragma once

#include "fmi-bridge/outward/ExportInterface.hpp"
#include "fmi-bridge/outward/ExportOptions.hpp"
#include "openmi/sdk/Problem.hpp"

namespace openmi::fmu {

/// Makes an FMU for co-simulation of an OMI file or a composition, with the runtime and everything the components need
/// inside.
///
/// The same model gives the same bytes where the environment variable SOURCE_DATE_EPOCH is set (seconds since 1970).
/// \param problems  receives notes, and what the check of the composition found
/// \returns what the FMU offers
/// \throws FileError, FormatError, ArgumentError, LoadError  nothing is written then
outward::ExportInterface ExportFmu(const outward::ExportOptions& options, Problems& problems);

}  // namespace openmi::fmu
