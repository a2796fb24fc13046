#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

/// The folder with the real data, or nothing.
inline std::filesystem::path RealData() {
  const char* folder = std::getenv("OPENMI_TEST_DATA");
  return folder == nullptr ? std::filesystem::path() : std::filesystem::path(folder);
}

inline std::filesystem::path RiverBasin() {
  return std::filesystem::path(OPENMI_SOURCE_DIR) / "examples" / "river-basin";
}

#define SKIP_WITHOUT_REAL_DATA() \
  if (RealData().empty()) GTEST_SKIP() << "OPENMI_TEST_DATA does not name the folder with the real data"
