#pragma once

#include <optional>
#include <span>
#include <string>

#include "openmi/standard/IIdentifiable.hpp"
#include "openmi/standard/Value.hpp"

namespace openmi {

/// A setting of a component or an adapted output.
///
/// Source: OGC 11-014r3, requirement 7.1 (/req/argument/IArgument), table 19.
class IArgument : public virtual IIdentifiable {
 public:
  /// The default value; empty when the argument has none.
  virtual openmi::Value DefaultValue() const = 0;

  /// Whether the argument may have no value.
  ///
  /// When this is false and `Value()` is empty, a value must be set before the argument is used.
  virtual bool IsOptional() const = 0;

  /// Whether users can see the value but not change it.
  virtual bool IsReadOnly() const = 0;

  /// The allowed values.
  ///
  /// No list (the standard's null) allows any value. An empty list means that no value is possible now.
  virtual std::optional<std::span<const openmi::Value>> PossibleValues() const = 0;

  /// The current value; the default when no value was set.
  virtual openmi::Value Value() const = 0;
  /// Sets the value.
  /// \throws ArgumentError  the argument is read-only, or the value has another type or is not in `PossibleValues()`
  virtual void SetValue(const openmi::Value& value) = 0;

  /// The current value as text that `SetValueAsString` reads back.
  virtual std::string ValueAsString() const = 0;
  /// Sets the value from text.
  /// \throws ArgumentError  as `SetValue`, or the text is not a value of the argument's type
  virtual void SetValueAsString(const std::string& text) = 0;

  /// The type of the value.
  virtual openmi::ValueType ValueType() const = 0;
};

}  // namespace openmi
