#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "components/population/Network.hpp"
#include "components/population/PieceThreads.hpp"
#include "timespace/items/NumericInput.hpp"
#include "timespace/items/NumericOutput.hpp"
#include "timespace/optional/IMember.hpp"

namespace openmi::population {

/// A link of a population to itself: an output of each row feeds an input of the rows downstream in the same step.
struct Network {
  std::size_t output = 0;  // number of the output
  std::size_t input = 0;
  std::vector<Edge> edges;
};

/// The values of all members, one row for each item, and the members that read and write there.
///
/// A step touches of each member some 170 bytes of its base class, 24 for each input, 72 for each output, and 8 for
/// each value, besides what the member itself uses. All but the values lie together (StepMemory).
class MemberRows {
 public:
  /// \param members  borrowed; all have the same items
  void Begin(std::vector<IMember*> members);
  void Clear() { *this = MemberRows(); }

  std::size_t MemberCount() const { return members_.size(); }
  std::size_t InputWidth(std::size_t input) const { return inputs_[input].width; }
  std::size_t OutputWidth(std::size_t output) const { return outputs_[output].width; }

  /// Adds a network; call it before `Lend`.
  /// \throws ArgumentError  the edges have a cycle; names its rows
  /// \param keys  of the rows, for messages
  void SetNetworks(std::vector<Network> networks, std::span<const std::string> keys);

  /// Lends the rows to the members: all outputs, and the inputs that get values.
  /// \param feeders  for each input the provider that the members see; null: no link feeds it
  void Lend(std::span<NumericOutput* const> feeders);
  /// After the members are prepared.
  /// \returns for each output whether all members have a value at the start
  std::vector<bool> EndStart();
  /// The values that a link gives, to be written before a step; shape [members * width].
  std::span<double> InputRow(std::size_t input) { return inputs_[input].linked; }
  /// The values of the last step; shape [members * width].
  std::span<const double> OutputRow(std::size_t output) const { return outputs_[output].rows[newest_]; }
  /// Lets all members make a step, on several threads if there are any.
  /// \throws what a member throws, with its name: the first one in the order of the steps
  void Step(Stamp to);
  /// \param threads  1: only the calling one
  void SetThreads(std::size_t threads);
  /// Puts the rows of a state in place of the last ones.
  /// \param rows  of each output; empty: there was none yet
  /// \param time  of the rows
  void Restore(std::span<const std::vector<double>> rows, Stamp time);

 private:
  struct Input {
    std::size_t width = 1;
    std::vector<double> linked;  // what a link gives; empty: nothing
    std::vector<double> row;     // what the members read, where a network feeds the input; else `linked` is read
    std::vector<std::size_t> networks;
  };
  struct Output {
    std::size_t width = 1;
    std::vector<double> rows[2];
    bool has_start = false;
  };
  void FindStepPlaces();
  void Fetch(std::size_t place) const;
  void StepPiece(const StepOrder::Piece& piece, Stamp to);
  void Gather(std::size_t place);
  void MakeOrder(std::span<const std::string> keys);

  std::vector<IMember*> members_;
  std::vector<Input> inputs_;
  std::vector<Output> outputs_;
  std::size_t newest_ = 0;  // which of the two rows of the outputs
  std::vector<Network> networks_;
  std::vector<Upstream> upstream_;  // of each network
  std::vector<std::size_t> fed_;    // the inputs that networks feed
  StepOrder order_;
  std::vector<Upstream> in_order_upstream_;  // of each network, by place in the order of the steps
  std::vector<IMember*> in_order_;           // of the steps
  std::ptrdiff_t member_bytes_ = 0;          // that a step uses, from the interface on
  std::ptrdiff_t table_offset_ = 0;          // from the interface to the table of the member's own functions
  std::unique_ptr<PieceThreads> threads_;
};

}  // namespace openmi::population
