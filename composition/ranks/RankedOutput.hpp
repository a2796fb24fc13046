#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "composition/ranks/JoinedElements.hpp"
#include "timespace/items/NumericInput.hpp"
#include "timespace/items/NumericOutput.hpp"
#include "timespace/state/StateReader.hpp"
#include "timespace/state/StateWriter.hpp"

namespace openmi {

/// An output of a component on several ranks: collects the rows of all ranks.
///
/// An element that several ranks have gets the value of the lowest of them. The ranks are numbered among those that
/// have the output: `part`.
class RankedOutput {
 public:
  /// \param whole   the output that the run links; borrowed
  /// \param pieces  the outputs of the ranks that have it; borrowed
  RankedOutput(NumericOutput& whole, std::vector<NumericOutput*> pieces, JoinedElements elements);
  ~RankedOutput();
  RankedOutput(const RankedOutput&) = delete;
  RankedOutput& operator=(const RankedOutput&) = delete;

  /// Publishes what all ranks published since the last call. Notifies no one.
  /// \returns whether there is a new row
  /// \throws ModelError  the ranks published rows for different times
  bool Collect();
  NumericOutput& Whole() { return whole_; }
  void Save(StateWriter& writer) const;
  /// \throws FormatError  the bytes are not what Save wrote
  void Load(StateReader& reader);

 private:
  void CollectPlaces();
  std::span<const double> RowOf(std::size_t part, Stamp end) const;

  NumericOutput& whole_;
  std::vector<NumericOutput*> pieces_;
  JoinedElements elements_;
  std::vector<const ISpatialDefinition*> parts_;        // as joined; to be compared only
  std::vector<std::unique_ptr<NumericInput>> keepers_;  // make the ranks keep rows that are not collected yet
};

}  // namespace openmi
