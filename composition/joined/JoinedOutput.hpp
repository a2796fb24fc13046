#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "composition/joined/JoinedElements.hpp"
#include "timespace/items/NumericInput.hpp"
#include "timespace/items/NumericOutput.hpp"
#include "timespace/state/StateReader.hpp"
#include "timespace/state/StateWriter.hpp"

namespace openmi {

/// An output of a joined component: collects the rows of all pieces.
///
/// An element that several pieces have gets the value of the lowest of them. The pieces are numbered among those that
/// have the output.
class JoinedOutput {
 public:
  /// Joins the elements of pieces.
  using Join = std::function<JoinedElements(std::span<const ISpatialDefinition* const> each,
                                            std::vector<std::size_t> pieces, const Where& place)>;
  /// \param whole   the output that the run links; borrowed
  /// \param pieces  the outputs of the processes that have it; borrowed
  /// \param join    again, when they moved
  JoinedOutput(NumericOutput& whole, std::vector<NumericOutput*> pieces, JoinedElements elements, Join join,
               const PieceNames& names);
  ~JoinedOutput();
  JoinedOutput(const JoinedOutput&) = delete;
  JoinedOutput& operator=(const JoinedOutput&) = delete;

  /// Publishes what all pieces published since the last call. Notifies no one.
  /// \returns whether there is a new row
  /// \throws ModelError  the pieces published rows for different times
  bool Collect();
  NumericOutput& Whole() { return whole_; }
  void Save(StateWriter& writer) const;
  /// \throws FormatError  the bytes are not what Save wrote
  void Load(StateReader& reader);

 private:
  void CollectPlaces();
  std::span<const double> RowOf(std::size_t piece, Stamp end) const;

  NumericOutput& whole_;
  std::vector<NumericOutput*> pieces_;
  JoinedElements elements_;
  Join join_;
  const PieceNames& names_;
  std::vector<const ISpatialDefinition*> where_;        // as joined; to be compared only
  std::vector<std::unique_ptr<NumericInput>> keepers_;  // make the pieces keep rows that are not collected yet
};

}  // namespace openmi
