#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "study/run/Study.hpp"

namespace openmi {

/// What tables say of one member.
struct MemberRow {
  std::uint64_t member = 0;           ///< from 0
  std::optional<MemberEnd> end = {};  ///< nothing: it was not run
  int attempts = 0;
  double seconds = 0.0;
  std::string problem = {};
  MemberValues values = {};
  std::vector<double> objectives = {};   ///< NaN where there is none; shape [objectives]
  std::vector<double> persistence = {};  ///< shape [objectives]
  double cost = 0.0;                     ///< NaN if there is none
  std::size_t missing = 0;               ///< values of observed series that are missing

  bool IsDone() const { return end == MemberEnd::Done; }
};

/// All members of a study, without their rows.
class StudyTable {
 public:
  /// \param journal  borrowed during the call
  StudyTable(const Study& study, const StudyJournalReader& journal);

  const std::vector<MemberRow>& Rows() const { return rows_; }
  /// Whether there is a cost: an objective has a weight.
  bool HasCost() const { return has_cost_; }
  /// The member with the lowest cost; null if there is none.
  const MemberRow* Best() const;
  std::size_t CountOf(MemberEnd end) const;
  std::size_t NotRun() const;
  /// The values of a Vary as numbers; nothing if one is no number.
  std::optional<std::vector<double>> Numbers(std::size_t vary) const;

  /// As CSV: number, end, values, objectives, cost, missing values, problem; a line for each member.
  std::string Csv(const StudyFile& study) const;

 private:
  std::vector<MemberRow> rows_;
  bool has_cost_ = false;
};

}  // namespace openmi
