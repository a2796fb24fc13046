#pragma once

#include <functional>
#include <string_view>

namespace openmi {

/// What this process leaves for the one that started it, if it ends before it can answer.
///
/// A bridge calls it where the runtime of its language is about to end the process: with the reason and the place.
/// Without a sink, the text is printed on the standard error.
void LeaveLastWords(std::string_view text);

/// Sets where the texts go, for a process that holds components for another one; empty: to the standard error again.
/// \param sink  may be called from any thread; must not throw
void SetLastWordsSink(std::function<void(std::string_view)> sink);

}  // namespace openmi
