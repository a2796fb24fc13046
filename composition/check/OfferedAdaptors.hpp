#pragma once

#include <string>

#include "composition/link/Composition.hpp"

namespace openmi {

/// Lists the adaptors that a link between two items could use, as JSON.
///
/// Gives both sides (`from`, `to`), whether their units convert and what to do if they do not, and every adapted output
/// that a known factory offers for the output (`adaptors`). An entry has id, purpose, factory, arguments, and whether
/// the adaptor fits between the two as it is, else why not.
/// \param composition  loaded; adaptors are tried on its proxy of the output, as in a run, and removed again
/// \returns JSON; empty if one of the components does not exist
/// \throws RangeError  no such component or item; suggests similar names
std::string OfferedAdaptors(Composition& composition, const ItemSpec& from, const ItemSpec& to);

}  // namespace openmi
