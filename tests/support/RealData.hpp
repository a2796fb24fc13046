#pragma once

#include <cstdlib>
#include <filesystem>

/// The folder with real data: the one that OPENMI_TEST_DATA names, or tests/data, which holds of each file what the
/// tests read (tests/data/README.md).
inline std::filesystem::path RealData() {
  const char* folder = std::getenv("OPENMI_TEST_DATA");
  return folder == nullptr ? std::filesystem::path(OPENMI_SOURCE_DIR) / "tests/data" : std::filesystem::path(folder);
}
