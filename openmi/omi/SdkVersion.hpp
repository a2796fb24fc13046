#pragma once

namespace openmi {

/// The version of this SDK, equal to the one in `project(... VERSION ...)` (a test compares the two).
inline constexpr char kSdkVersion[] = "0.2.0";

}  // namespace openmi
