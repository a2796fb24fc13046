#pragma once

#include <functional>
#include <memory>

#include "composition/conformance/Findings.hpp"
#include "openmi/standard/IBaseInput.hpp"
#include "openmi/standard/IBaseOutput.hpp"
#include "timespace/times/Stamp.hpp"

namespace openmi::conformance {

/// A provider that answers every request of one input with constant values of the right shape.
class Feed {
 public:
  using CoreValues = std::function<std::unique_ptr<IBaseValueSet>(const IBaseInput&)>;

  /// \param findings  receives what is wrong with the requests (5.1, 5.2, 9.6); may be null
  Feed(IBaseInput& input, Findings* findings, const CoreValues& core_values);
  Feed(Feed&&) = default;
  Feed& operator=(Feed&&) = default;

  /// Link makes this feed the provider of the input; Unlink removes it.
  void Link();
  void Unlink();

  /// The end of the latest time requested; the far past before the first request.
  Stamp LatestAsked() const { return *latest_; }
  /// The output that provides the values.
  IBaseOutput& Output() { return *output_; }

 private:
  IBaseInput* input_;
  std::unique_ptr<Stamp> latest_;  // on the heap: the output refers to it, also after this feed is moved
  std::unique_ptr<IBaseOutput> output_;
  bool linked_ = false;
};

}  // namespace openmi::conformance
