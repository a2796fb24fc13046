#pragma once

#include <string>

namespace openmi {

/// A component with a picture of its own, which diagrams show in its box.
///
/// Optional interface. A component without it is a box with its name.
class IIcon {
 public:
  virtual ~IIcon() = default;
  /// The bytes of a picture in PNG or SVG; empty: there is none. May be called from the status Initialized on.
  virtual std::string Icon() const = 0;
};

}  // namespace openmi
