#pragma once

#include "openmi/standard/IBaseOutput.hpp"

namespace openmi {

/// An output of the engine that delivers the values of another one unchanged: a proxy at either end of a link.
///
/// Optional interface. A component that finds it at the provider of its input sees through it whose values it gets.
class IProxy {
 public:
  virtual ~IProxy() = default;
  /// The output behind this one, which may be a proxy as well. It changes when its component leaves the run.
  virtual const IBaseOutput& Behind() const = 0;
};

/// Looks behind all proxies.
/// \param output  the provider of an input, for example; null: there is none
/// \returns the first output that is no proxy: `output` itself, an adaptor of its link, or the output of a component
inline const IBaseOutput* BehindProxies(const IBaseOutput* output) {
  while (const auto* proxy = dynamic_cast<const IProxy*>(output)) output = &proxy->Behind();
  return output;
}

}  // namespace openmi
