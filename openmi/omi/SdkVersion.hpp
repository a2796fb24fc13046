#pragma once

namespace openmi {

/// The version of this SDK, as `project(... VERSION ...)` has it (a test compares the two).
inline constexpr char kSdkVersion[] = "0.1.0";

}  // namespace openmi
