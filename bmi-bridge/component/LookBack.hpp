#pragma once

#include <span>

#include "timespace/NumericOutput.hpp"

namespace openmi::bmi {

/// Whether the rows of these outputs may be views of memory that the next step writes over: nobody but one component
/// takes them, straight (through nothing but the stand-ins of a composition), each at the ends of its own steps. Then
/// nobody holds a row, or comes back to it, when that component asks for the next one.
///
/// An adaptor may look back, a second component may still hold what the first has done with, and what is not of this
/// SDK does not tell.
bool NobodyLooksBack(std::span<NumericOutput* const> outputs);

/// A number that changes when consumers or adapted outputs come or go: whether NobodyLooksBack has to be asked again.
std::size_t TakersOf(std::span<NumericOutput* const> outputs);

}  // namespace openmi::bmi
