#pragma once

#include "fmi-bridge/export/ExportInterface.hpp"
#include "fmi-bridge/export/ExportOptions.hpp"
#include "openmi/sdk/Problem.hpp"

namespace openmi::fmu {

/// Makes an FMU for co-simulation from an OMI file or a composition, including the runtime and everything the
/// components need.
///
/// The same model gives the same bytes if the environment variable SOURCE_DATE_EPOCH is set (seconds since 1970).
/// \param problems  receives notes, and the problems that the check of the composition found
/// \returns the interface of the FMU
/// \throws FileError      a file cannot be read, copied or written
/// \throws FormatError    the source is not well-formed, or has no Run element
/// \throws ArgumentError  an option or a chosen variable is wrong
/// \throws LoadError      a library cannot be loaded or found
exported::ExportInterface ExportFmu(const exported::ExportOptions& options, Problems& problems);

}  // namespace openmi::fmu
