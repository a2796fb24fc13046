#pragma once

#include <functional>
#include <initializer_list>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "composition/conformance/Conformance.hpp"
#include "composition/conformance/Feed.hpp"
#include "composition/conformance/Findings.hpp"
#include "composition/conformance/Probes.hpp"
#include "openmi/standard/LinkableComponentStatus.hpp"

namespace openmi::conformance {

/// What all trials of one component have in common: how to make it, and the options.
struct Subject {
  std::function<LoadedComponent()> make;
  ConformanceOptions options;
  /// Values for the arguments `start-time` and `end-time` if they are empty; an empty text sets nothing.
  std::string begin = {};
  std::string end = {};
};

/// "Initialized"; "number 99" if it is none of the fourteen statuses.
std::string StatusText(LinkableComponentStatus status);
/// Whether it is one of the fourteen statuses.
bool IsStatus(LinkableComponentStatus status);

/// One component under test, with everything that the harness has linked to it.
class Trial {
 public:
  /// Makes the component.
  /// Exceptions of `Subject::make` are passed on.
  explicit Trial(const Subject& subject);
  ~Trial();
  Trial(const Trial&) = delete;
  Trial& operator=(const Trial&) = delete;

  IBaseLinkableComponent& Component() { return *loaded_.component; }
  LinkableComponentStatus Status() { return Component().Status(); }

  /// Sets `start-time` and `end-time` if the component has them, they can be set, and they are empty.
  void SetTimes();
  /// Stores the lists of items, because a component need not give them after Validate. Call it after Initialize.
  void TakeItems();
  const std::vector<IBaseInput*>& Inputs() const { return inputs_; }
  const std::vector<IBaseOutput*>& Outputs() const { return outputs_; }
  /// Gives a provider to every input that has none.
  /// \param findings  as in Feed
  void FeedInputs(Findings* findings);
  /// Calls SetTimes, Initialize, TakeItems, FeedInputs without checks; Start also calls Validate and Prepare.
  /// Exceptions of the component are passed on.
  void Begin();
  void Start();
  /// Updates `count` times, or until the component is neither Updated nor WaitingForData.
  void Update(int count);
  /// Unlinks everything the harness has linked, as far as the component allows it.
  void Unlink();
  /// The end of the latest time that an input requested.
  Stamp LatestAsked() const;
  /// The end of the latest time of all outputs; the far past if there are no times.
  Stamp LatestGiven() const;
  /// The fingerprints of the values of all outputs, one for each output.
  std::vector<std::uint64_t> Fingerprints() const;

 private:
  const Subject& subject_;
  std::vector<Feed> feeds_;
  std::vector<Feed> old_feeds_;  // unlinked, but inputs may still hold their values
  std::vector<IBaseInput*> inputs_;
  std::vector<IBaseOutput*> outputs_;
  LoadedComponent loaded_;  // destroyed first: it is not used afterwards
};

}  // namespace openmi::conformance
