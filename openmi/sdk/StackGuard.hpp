#pragma once

namespace openmi {

/// Throws before a chain of `GetValues` calls exhausts the stack of the calling thread.
///
/// Keeps 512 kB of the stack free (2 MB under a sanitizer), but at most a quarter of it. Costs about a nanosecond.
/// \throws DepthError  less than that is free
void GuardStack();

}  // namespace openmi
