#pragma once

#include <span>

#include "timespace/NumericOutput.hpp"

namespace openmi::bmi {

/// Whether the rows of these outputs may be views of memory that the next step overwrites.
///
/// This is so if only one component takes the values, directly (through nothing but the proxies of a composition), each
/// at the ends of the consumer's steps. Then no row is held or read again when that component requests the next one.
///
/// It is not so with an adaptor, which may look back, nor with a second component, which may still hold a row that the
/// first has used. A consumer that is not of this SDK gives no such information.
bool NobodyLooksBack(std::span<NumericOutput* const> outputs);

/// A number that changes when consumers or adapted outputs are added or removed; then NobodyLooksBack must be called
/// again.
std::size_t TakersOf(std::span<NumericOutput* const> outputs);

}  // namespace openmi::bmi
