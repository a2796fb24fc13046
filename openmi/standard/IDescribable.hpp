#pragma once

#include <string>

namespace openmi {

/// An object with a caption and a description for people.
///
/// Source: OGC 11-014r3, requirement 2.1 (/req/describable-identifiable/IDescribable), table 1.
class IDescribable {
 public:
  virtual ~IDescribable() = default;

  /// A short label. Never used as a key.
  virtual std::string Caption() const = 0;
  /// Sets the caption.
  virtual void SetCaption(const std::string& caption) = 0;

  /// Further information of any length; may be empty.
  virtual std::string Description() const = 0;
  /// Sets the description.
  virtual void SetDescription(const std::string& description) = 0;
};

}  // namespace openmi
