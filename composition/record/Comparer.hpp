#pragma once

#include <string>
#include <utility>
#include <vector>

#include "composition/model/CompositionFile.hpp"
#include "composition/proxy/OutputProxy.hpp"
#include "composition/record/RunRecord.hpp"
#include "openmi/sdk/Unit.hpp"
#include "timespace/standard/ITimeSpaceOutput.hpp"

namespace openmi {

class StateReader;
class StateWriter;

/// Collects the rows of a simulated and an observed item, and pairs them by element and time.
class Comparer {
 public:
  /// \param simulated  the simulated item
  /// \param observed   the observed item; Validate has checked that the units of both convert
  Comparer(const CompareSpec& spec, const ITimeSpaceOutput& simulated, const ITimeSpaceOutput& observed);

  IRowListener& Simulated() { return simulated_; }
  IRowListener& Observed() { return observed_; }
  /// One comparison for each observed element that is also simulated.
  std::vector<RecordedComparison> Compare() const;
  /// Whether an element of one is paired with an element of the other.
  bool HasPairs() const { return !pairs_.empty(); }
  void SaveState(StateWriter& writer) const;
  void LoadState(StateReader& reader);

 private:
  class Side final : public IRowListener {
   public:
    void OnRow(Stamp begin, Days duration, std::span<const double> row) override;
    std::vector<double> times;   // ends of rows
    std::vector<double> values;  // shape [times * width]
    std::size_t width = 0;
    bool is_span = false;
    double missing = 0.0;
  };
  const CompareSpec& spec_;
  Side simulated_;
  Side observed_;
  LinearConversion to_simulated_;
  std::string unit_;
  std::vector<std::pair<std::size_t, std::size_t>> pairs_;  // elements: simulated, observed
  std::vector<std::string> elements_;                       // ids of the observed ones
};

}  // namespace openmi
