#pragma once

#include <functional>
#include <memory>

#include "composition/conformance/Findings.hpp"
#include "openmi/standard/IBaseInput.hpp"
#include "openmi/standard/IBaseOutput.hpp"
#include "timespace/Stamp.hpp"

namespace openmi::conformance {

/// A provider that answers any question of one input with constant values of the right shape.
class Feed {
 public:
  using CoreValues = std::function<std::unique_ptr<IBaseValueSet>(const IBaseInput&)>;

  /// \param findings  told what is wrong with the questions (5.1, 5.2, 9.6); null: nobody is
  Feed(IBaseInput& input, Findings* findings, const CoreValues& core_values);
  Feed(Feed&&) = default;
  Feed& operator=(Feed&&) = default;

  /// Becomes the provider of the input, or ends to be it.
  void Link();
  void Unlink();

  /// The end of the latest time asked for; the far past before the first question.
  Stamp LatestAsked() const { return *latest_; }
  IBaseOutput& Output() { return *output_; }

 private:
  IBaseInput* input_;
  std::unique_ptr<Stamp> latest_;  // where the output, which knows it, stays when this moves
  std::unique_ptr<IBaseOutput> output_;
  bool linked_ = false;
};

}  // namespace openmi::conformance
