#pragma once

#include "composition/results/ResultRows.hpp"

namespace openmi {

/// Sorts rows by their end; of several at the same time the last one in the list is kept.
void OrderRows(ResultRows& rows);

}  // namespace openmi
