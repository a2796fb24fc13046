#pragma once

namespace openmi {

/// An argument that may hold a secret.
class ISecret {
 public:
  virtual ~ISecret() = default;
  /// Whether its value must not be shown, logged or written.
  virtual bool IsSecret() const = 0;
};

}  // namespace openmi
