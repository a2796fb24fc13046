#pragma once

#include <string>

#include "composition/run/Composition.hpp"

namespace openmi {

/// What could stand on a link between two items, as JSON: both sides (`from`, `to`), whether their units convert and
/// what to do where they do not, and every adapted output that a factory at hand offers on the output (`adaptors`: id,
/// what it does, factory, arguments, and whether it fits between the two as it is, else why not). \param composition
/// loaded; adaptors are tried on its own stand-in of the output, as in a run, and taken off again \returns JSON; empty
/// where one of the components is not there \throws RangeError  no such component or item; suggests near ones
std::string OfferedAdaptors(Composition& composition, const ItemSpec& from, const ItemSpec& to);

}  // namespace openmi
