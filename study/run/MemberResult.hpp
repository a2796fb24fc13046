#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "composition/results/ResultSeries.hpp"
#include "openmi/sdk/EnumNames.hpp"
#include "study/model/Member.hpp"
#include "timespace/state/StateReader.hpp"
#include "timespace/state/StateWriter.hpp"

namespace openmi {

struct RunRecord;

/// How a member ended.
enum class MemberEnd {
  Done,
  Refused,   ///< its composition has errors: nothing was computed
  Failed,    ///< a component reported a failure, or called exit
  NoNumber,  ///< it ran to its end, and an objective or a whole observed series is no number
  Died,      ///< its process ended: a crash, too much memory, killed
  Late       ///< it exceeded the time limit, and its process was ended
};
inline constexpr EnumNames<MemberEnd> kMemberEnds{"done", "refused", "failed", "no-number", "died", "late"};

/// What an observed series is and when its rows are: the same for most members, so it is kept once.
struct SeriesShape {
  ResultSeries series;
  std::vector<double> begins;  ///< Modified Julian Day, UTC
  std::vector<double> times;   ///< Modified Julian Day, UTC: ends of rows

  /// The bytes of all of it, from which `FromBytes` makes the same again.
  std::string ToBytes() const;
  /// \throws FormatError  the bytes are not those of a shape
  static SeriesShape FromBytes(std::string_view bytes);
};

/// A number of the bytes that distinguishes them from others.
std::uint64_t HashOf(std::string_view bytes);

/// The rows of one observed series.
struct MemberSeries {
  std::uint64_t shape = 0;     ///< hash of its shape
  std::vector<double> values;  ///< row by row, NaN where missing; shape [times * width]
};

/// What a Compare of the composition compares with: the same for all members.
struct Observation {
  std::string compare;  ///< id
  std::string item;     ///< the simulated one
  std::string element;
  std::string unit;
  std::vector<double> times;   ///< Modified Julian Day, UTC
  std::vector<double> values;  ///< NaN where missing
};

/// What became of one member.
struct MemberResult {
  std::uint64_t member = 0;  ///< from 0
  int attempts = 1;
  MemberEnd end = MemberEnd::Done;
  std::string problem = {};  ///< empty if it is done
  double seconds = 0.0;      ///< wall-clock time
  MemberValues values = {};
  std::vector<double> objectives = {};   ///< shape [objectives of the study]; NaN where there is none
  std::vector<double> persistence = {};  ///< Nash-Sutcliffe efficiency of persistence on the same pairs; NaN where none
  std::vector<MemberSeries> series = {};

  void Save(StateWriter& writer) const;
  /// \throws FormatError
  void Load(StateReader& reader);
};

/// The cost of a calibration: the weighted sum of the costs of the objectives. NaN if one that counts is missing.
double CostOf(const StudyFile& study, const std::vector<double>& objectives);

/// Computes the objectives of a study for one run; the warm-up does not count unless a window says otherwise.
/// \param run          of the composition; with From and To
/// \param persistence  receives, for each objective that is an NSE, that of persistence (24 h) on the same pairs; NaN
///   for others
/// \returns NaN where an objective cannot be computed; shape [study.objectives]
std::vector<double> ComputeObjectives(const StudyFile& study, const RunSpec& run, const RunRecord& record,
                                      std::vector<double>& persistence);

/// The observed sides of all comparisons of a run.
std::vector<Observation> ObservationsOf(const RunRecord& record);

void SaveTexts(StateWriter& writer, const std::vector<std::string>& texts);
std::vector<std::string> LoadTexts(StateReader& reader);
void SaveObservations(StateWriter& writer, const std::vector<Observation>& observations);
std::vector<Observation> LoadObservations(StateReader& reader);

}  // namespace openmi
