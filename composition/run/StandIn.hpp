#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "composition/run/IRowListener.hpp"
#include "timespace/AdaptedOutput.hpp"

namespace openmi {

/// The host's own output in front of a component's: everybody else is linked to it and never to the component's item.
///
/// It passes questions on and answers from the component's rows without copying them when the component shows its
/// history; from a foreign component it takes each row over as it is published. Values that are no numbers, or have no
/// times, are the component's own. Listeners hear every row.
class StandIn final : public AdaptedOutput, public IHistoryProvider {
 public:
  /// \param output  the component's item; borrowed. Registers itself there.
  explicit StandIn(ITimeSpaceOutput& output);
  ~StandIn() override;

  void Refresh() override;
  const ITimeSpaceValueSet& GetValues(const IBaseExchangeItem& query_specifier) override;
  const RowHistory* UseHistory() override { return native_ != nullptr ? native_ : &copied_; }
  Advance AdvanceTo(Stamp time) override;

  /// Whether the values are numbers; others are passed on as they are.
  bool IsNumeric() const { return numeric_; }
  void AddListener(IRowListener& listener) { listeners_.push_back(&listener); }
  void RemoveListener(IRowListener& listener) { std::erase(listeners_, &listener); }

 protected:
  void OnInitialize() override;
  void OnRefresh() override;
  void Compute(const IBaseExchangeItem& query, Answer& answer) override;

 private:
  /// Takes the present rows over. \param again  also one that ends when the newest one does: it replaces that one
  void Capture(bool again);
  /// Lets a component whose values cannot be kept here update until it is at `time`.
  void AdvanceInPlace(const IBaseExchangeItem& query);
  void TellListeners();

  const RowHistory* native_ = nullptr;
  RowHistory copied_;
  bool numeric_ = true;
  std::uint64_t told_ = 0;
  std::vector<IRowListener*> listeners_;
};

}  // namespace openmi
