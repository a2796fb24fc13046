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

/// What every trial of one component starts from.
struct Subject {
  std::function<LoadedComponent()> make;
  ConformanceOptions options;
  /// What the arguments start-time and end-time are set to where they are empty; an empty text sets nothing.
  std::string begin = {};
  std::string end = {};
};

/// "Initialized"; "number 99" for what is none of the fourteen states.
std::string StatusText(LinkableComponentStatus status);
/// Whether it is one of the fourteen.
bool IsStatus(LinkableComponentStatus status);

/// One component of the kind that is checked, with all that the harness has linked to it.
class Trial {
 public:
  /// Makes the component. \throws what its maker throws
  explicit Trial(const Subject& subject);
  ~Trial();
  Trial(const Trial&) = delete;
  Trial& operator=(const Trial&) = delete;

  IBaseLinkableComponent& Component() { return *loaded_.component; }
  LinkableComponentStatus Status() { return Component().Status(); }

  /// Sets start-time and end-time where they are there, can be set and are empty.
  void SetTimes();
  /// Takes the lists of items, which a component need not give any more once it was validated. After Initialize.
  void TakeItems();
  const std::vector<IBaseInput*>& Inputs() const { return inputs_; }
  const std::vector<IBaseOutput*>& Outputs() const { return outputs_; }
  /// Gives every input that has no provider one. \param findings  as Feed
  void FeedInputs(Findings* findings);
  /// SetTimes, Initialize, TakeItems, FeedInputs, without a look at what happens on the way; and Validate and Prepare.
  /// \throws what the component throws
  void Begin();
  void Start();
  /// Updates `count` times, or until the component is neither Updated nor WaitingForData.
  void Update(int count);
  /// Takes away everything the harness has linked, as far as the component lets it.
  void Unlink();
  /// The end of the latest time that an input asked for.
  Stamp LatestAsked() const;
  /// The end of the latest time of all outputs; the far past where there are no times.
  Stamp LatestGiven() const;
  /// What all outputs hold, as one number each.
  std::vector<std::uint64_t> Fingerprints() const;

 private:
  const Subject& subject_;
  std::vector<Feed> feeds_;
  std::vector<Feed> old_feeds_;  // unlinked, but inputs may still hold their values
  std::vector<IBaseInput*> inputs_;
  std::vector<IBaseOutput*> outputs_;
  LoadedComponent loaded_;  // dies first: nothing of it is used afterwards
};

}  // namespace openmi::conformance
