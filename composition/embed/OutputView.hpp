#pragma once

#include <span>

#include "composition/proxy/OutputProxy.hpp"
#include "timespace/values/NumberRows.hpp"

namespace openmi {

/// The newest row of an output.
struct LatestRow {
  Stamp begin = kFarPast;          ///< UTC; the far past if the output has no times, or no row yet
  Days duration{};                 ///< 0: an instant
  std::span<const double> values;  ///< shape [elements]; empty before the first row. Valid until the run continues
};

/// Repeated access to the newest row of one output. The output is looked up once; then each read needs no search, no
/// copy and no allocation. It stays valid while the component's family leaves and comes back.
class OutputView {
 public:
  /// \param output  the proxy of the output in the composition (RunDesk::ProxyOf); borrowed
  /// \throws TypeError  its values are no numbers
  explicit OutputView(OutputProxy& output);

  /// The newest row. To be called between two passes.
  LatestRow Latest();
  const OutputProxy& Output() const { return *output_; }

 private:
  OutputProxy* output_;
  NumberRows rows_;
};

}  // namespace openmi
