#pragma once

namespace openmi::testing {

/// How often this program has asked for memory with `new` so far.
long AllocationCount();

}  // namespace openmi::testing
