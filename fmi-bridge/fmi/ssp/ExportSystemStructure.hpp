#pragma once

#include <filesystem>

#include "composition/model/CompositionFile.hpp"
#include "fmi-bridge/fmi/ssp/SspDocument.hpp"
#include "openmi/sdk/Problem.hpp"

namespace openmi::ssp {

/// Writes a composition of FMUs as a package (.ssp) of a version of SSP.
///
/// The FMUs are copied into `resources`. Start values become `parameters.ssv`. Variables of the composition with a
/// default (`${name:default}`) become `variables.ssv`, and `variables.ssm` maps them to the FMUs that use them. Links
/// become connections with the transformation that their adaptors make; openmi.Gather becomes indices (2.0). Observed
/// outputs with an id are outputs of the system. Steps and solver settings are annotations: steps in the form of the
/// Open Simulation Platform, the rest in our own. The same composition gives the same bytes.
///
/// ImportSystemStructure reads the same composition from the package. Time 0 is the epoch of the components, or the
/// start of their own time.
/// \param file      paths in it are absolute, or relative to its folder
/// \param problems  receives an error for all that SSP cannot express and that results depend on (components that are
///   no FMUs, adaptors, populations); then nothing is written. A note for the rest (comparisons, isolation, iteration)
/// \throws FileError    an FMU cannot be read, or the package cannot be written
/// \throws FormatError  an FMU is damaged
void ExportComposition(const CompositionFile& file, SspVersion version, const std::filesystem::path& package,
                       Problems& problems);

/// Writes a package or a description again, in another version of SSP, with all it contains: parameter sets, mappings,
/// dictionaries, geometry, annotations.
///
/// Of a description (.ssd), the files that it names are packed: at their places, or in `resources` if they come from
/// other folders. What the older version does not have and no result
/// depends on (meta data, signatures) is left out with a warning.
/// \param problems  receives an error for what the older version cannot express (indices, arrays, clocks, types of
///   other widths); then nothing is written
/// \param within    as SystemOptions::within
/// \throws FileError    a file cannot be read or written
/// \throws FormatError  the package is damaged, or a document is not one of SSP 1.0 or 2.0
void RewriteSystemStructure(const std::filesystem::path& source, SspVersion version,
                            const std::filesystem::path& package, Problems& problems,
                            const std::filesystem::path& within = {});

}  // namespace openmi::ssp
