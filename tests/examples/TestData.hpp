#pragma once

#include <filesystem>

#include "tests/support/RealData.hpp"

inline std::filesystem::path RiverBasin() {
  return std::filesystem::path(OPENMI_SOURCE_DIR) / "examples" / "river-basin";
}
