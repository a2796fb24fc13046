#pragma once

#include <gdal_priv.h>

#include <mutex>
#include <string>

namespace openmi {

/// Keeps the messages of GDAL from the terminal; the last one is part of ours.
class QuietGdal {
 public:
  QuietGdal() { CPLPushErrorHandler(CPLQuietErrorHandler); }
  ~QuietGdal() { CPLPopErrorHandler(); }
  QuietGdal(const QuietGdal&) = delete;
  QuietGdal& operator=(const QuietGdal&) = delete;
};

/// Makes the drivers of GDAL known, once.
inline void RegisterGdal() {
  static std::once_flag once;
  std::call_once(once, [] { GDALAllRegister(); });
}

/// What GDAL said last.
inline std::string GdalMessage() {
  const std::string text = CPLGetLastErrorMsg();
  return text.empty() ? "no reason" : text;
}

}  // namespace openmi
