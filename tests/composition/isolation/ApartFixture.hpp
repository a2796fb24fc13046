#pragma once

#include <string>
#include <vector>

#include "composition/record/RunRecord.hpp"
#include "openmi/omi/OmiFile.hpp"

/// Components of isolated_components in processes of their own.
namespace openmi::testing {

inline const std::string kLibrary = OPENMI_BINARY_DIR "/tests/isolation-plugins/libisolated_components.so";

inline std::string Apart(const std::string& id, const std::string& type, const std::string& how,
                         const std::string& arguments = {}) {
  return "<Component Id=\"" + id + "\" Type=\"test." + type + "\" Assembly=\"" + kLibrary + "\" " + how + ">" +
         arguments + "</Component>\n";
}

inline OmiFile Omi(const std::string& type) {
  OmiFile omi;
  omi.path = "test.omi";
  omi.type = "test." + type;
  omi.assembly = kLibrary;
  return omi;
}

inline std::vector<std::vector<double>> SeriesOf(const RunRecord& record) {
  std::vector<std::vector<double>> all;
  for (const RecordedSeries& series : record.series) {
    all.push_back(series.times);
    all.push_back(series.values);
  }
  return all;
}

}  // namespace openmi::testing
