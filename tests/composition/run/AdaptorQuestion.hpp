#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "adaptors/StandardAdaptors.hpp"
#include "adaptors/base/AdaptorOffer.hpp"
#include "tests/composition/run/RunFixture.hpp"

namespace openmi::testing {

inline constexpr const char* kLibrary = OPENMI_BINARY_DIR "/lib/openmi2/libopenmi-components.so";
inline constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

inline std::string Ready(const std::string& id, const std::string& type, const std::string& arguments) {
  return fmt::format(R"(<Component Id="{}" Type="openmi.{}" Assembly="{}">{}</Component>)", id, type, kLibrary,
                     arguments);
}

/// A composition of a series and a recorder with adaptors between them.
struct Question {
  std::string source;    ///< arguments of the series
  std::string target;    ///< arguments of the recorder
  std::string adaptors;  ///< of the link
  std::string from = "2020-01-01T00:00Z";
  std::string to = "2020-01-01T02:00Z";
};

inline std::string Body(const Question& question, const ScratchFolder& folder) {
  return Ready("s", "CsvSeries",
               ArgumentXml("file", folder / "s.csv") + ArgumentXml("utc-offset", "UTC") + question.source) +
         Ready("r", "Recorder",
               ArgumentXml("items", "q") + ArgumentXml("file", folder / "r.csv") + ArgumentXml("overwrite", "true") +
                   question.target) +
         LinkXml("s.q", "r.q", question.adaptors) +
         fmt::format(R"(<Run From="{}" To="{}"/>)", question.from, question.to);
}

/// The rows that the recorder wrote, or the problems in words.
inline std::vector<std::vector<double>> RowsOf(const Question& question, const ScratchFolder& folder,
                                               std::string& problems) {
  std::filesystem::remove(folder / "r.csv");
  Made made(Body(question, folder));
  problems = made.Text();
  if (!problems.empty()) return {};
  problems = ErrorsOf(made.Run());
  std::vector<std::vector<double>> rows;
  std::istringstream lines(folder.Read("r.csv"));
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line)) {
    std::istringstream cells(line.substr(line.find(',') + 1));
    rows.emplace_back();
    for (std::string cell; std::getline(cells, cell, ',');)
      rows.back().push_back(cell == "NaN" ? kNaN : std::stod(cell));
  }
  return rows;
}

inline void ExpectRows(const Question& question, const ScratchFolder& folder,
                       const std::vector<std::vector<double>>& expected, const std::string& what) {
  std::string problems;
  const std::vector<std::vector<double>> rows = RowsOf(question, folder, problems);
  EXPECT_EQ(problems, "") << what;
  ASSERT_GE(rows.size(), expected.size()) << what;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    ASSERT_EQ(rows[i].size(), expected[i].size()) << what;
    for (std::size_t k = 0; k < rows[i].size(); ++k) {
      if (std::isnan(expected[i][k])) {
        EXPECT_TRUE(std::isnan(rows[i][k])) << what << ", row " << i << ", element " << k << ": " << rows[i][k];
      } else {
        EXPECT_NEAR(rows[i][k], expected[i][k], 1e-6 * std::max(1.0, std::abs(expected[i][k])))
            << what << ", row " << i << ", element " << k;
      }
    }
  }
}

/// The ids that the factory offers for the two items of a composition.
inline std::set<std::string> Offered(const Made& made) {
  const auto& instances = made.composition->Instances();
  StandardAdaptors factory;
  std::set<std::string> offered;
  for (const IIdentifiable* id : factory.GetAvailableAdaptedOutputIds(*instances[0].Component().Outputs()[0],
                                                                      instances[1].Component().Inputs()[0])) {
    offered.insert(id->Id());
  }
  return offered;
}

/// The ids of the adaptors of places.
inline std::set<std::string> SpaceIds() {
  std::set<std::string> ids;
  for (const AdaptorOffer& offer : SpaceOffers()) ids.insert(offer.id.Id());
  return ids;
}

}  // namespace openmi::testing
