#pragma once

#include "composition/results/ResultRows.hpp"

namespace openmi {

/// Sorts rows by their end; of two at the same time the later one in the list stays.
void OrderRows(ResultRows& rows);

}  // namespace openmi
