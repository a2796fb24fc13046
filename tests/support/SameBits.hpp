#pragma once

#include <cstring>
#include <vector>

namespace openmi {

/// Whether both hold the same values to the last bit; missing ones are alike.
inline bool SameBits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0);
}

}  // namespace openmi
