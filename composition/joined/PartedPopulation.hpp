#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "composition/joined/JoinedComponent.hpp"
#include "timespace/optional/IUsesThreads.hpp"

namespace openmi {

/// The numbers of rows that a part states.
/// \param text  ranges such as "0-14 17"
/// \param most  rows of the part
/// \throws FormatError  they are no ranges, or more rows
std::vector<std::size_t> RowsOfRanges(std::string_view text, std::size_t most, const Where& place);

/// A population whose rows are in several processes. LoadInParts makes it.
///
/// Its elements are in the order of the rows, so that it does not show how the rows are divided. No part waits for
/// another: an update sends the request to all of them, and then takes the replies, on the thread of the run.
class PartedPopulation : public JoinedComponent, public IUpdatesApart, public IUsesThreads {
 public:
  /// \param pieces  populations, each with the argument `member-rows`
  /// \param groups  in which they are
  PartedPopulation(std::unique_ptr<JoinedThreads> threads, std::vector<LoadedComponent> pieces,
                   std::vector<std::string> groups);

  /// Those of the population: that of a part that says which one it is, is empty.
  std::span<IArgument* const> Arguments() const override;
  bool BeginUpdate() override;
  void EndUpdate() override;
  void AddProcesses(std::vector<IsolatedProcess*>& processes) const override;
  bool IsPulledOnly() const override { return false; }
  /// Threads of each of the processes.
  void SetThreads(std::size_t threads) override;

 protected:
  void MakeItems() override;
  JoinedElements Join(std::span<const ISpatialDefinition* const> each, std::vector<std::size_t> pieces,
                      const Where& place) const override {
    return pieces.size() == rows_.size() ? JoinRows(each, rows_, place)
                                         : JoinElements(each, std::move(pieces), kPartNames, place);
  }
  void UpdatePieces() override;
  std::string NameOf(std::size_t piece) const override;

 private:
  void SendRequests();

  std::vector<std::string> groups_;
  std::vector<std::vector<std::size_t>> rows_;  // of each part
  bool is_begun_ = false;                       // requests were sent, and the replies not taken
  std::vector<bool> is_asked_;                  // to which of the parts
  mutable std::vector<IArgument*> shown_;
};

}  // namespace openmi
