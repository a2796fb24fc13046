#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "openmi/sdk/EnumNames.hpp"
#include "openmi/sdk/Problem.hpp"
#include "timespace/times/Stamp.hpp"

namespace openmi::fmi {

/// Handles missing values for inputs of an FMU, which has no missing values: refuses them, or counts and reports them.
class MissingInputs {
 public:
  enum class Manner : std::uint8_t {
    Refuse,  ///< the step fails
    Hold,    ///< the FMU keeps the previous value
    Pass     ///< the FMU gets not-a-number
  };
  static constexpr EnumNames<Manner> kManners{"refuse", "hold", "pass"};
  /// Resets the counts.
  void Begin(Manner manner);
  Manner ItsManner() const { return manner_; }

  /// Whether a row has missing values.
  static bool IsIn(std::span<const double> row);
  /// Counts the missing values in the row of an input at a time.
  /// \throws RangeError  the row has missing values and `Manner` is Refuse
  void Note(const std::string& input, std::span<const double> row, Stamp time);
  /// Adds a warning for each input that received missing values.
  void AddRemarks(Problems& remarks) const;

 private:
  struct Count {
    std::int64_t values = 0;
    Stamp first;
  };
  Manner manner_ = Manner::Refuse;
  std::map<std::string, Count> counts_;
};

}  // namespace openmi::fmi
