#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "openmi/sdk/Problem.hpp"
#include "timespace/Stamp.hpp"

namespace openmi::fmi {

/// What becomes of missing values that a provider gives to an input of an FMU, which has no missing values: they are
/// refused, or counted and reported.
class MissingInputs {
 public:
  enum class Manner : std::uint8_t {
    Refuse,  ///< the step fails
    Hold,    ///< the FMU keeps the value that it had last
    Pass     ///< the FMU gets not-a-number
  };
  /// Forgets what was counted.
  void Begin(Manner manner);
  Manner ItsManner() const { return manner_; }

  static bool IsIn(std::span<const double> row);
  /// Counts the missing values of a row that an input got at a time.
  /// \throws RangeError  they are refused
  void Note(const std::string& input, std::span<const double> row, Stamp time);
  /// A warning for each input that got some.
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
