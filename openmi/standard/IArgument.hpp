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
  /// The default; empty where there is none.
  virtual openmi::Value DefaultValue() const = 0;

  /// Whether the argument may stay without a value. If not and Value() is empty, one has to be set before use.
  virtual bool IsOptional() const = 0;

  /// Whether the value is shown and cannot be edited.
  virtual bool IsReadOnly() const = 0;

  /// The values allowed. Nothing (the standard's null): any. An empty list: restricted, and nothing is possible now.
  virtual std::optional<std::span<const openmi::Value>> PossibleValues() const = 0;

  /// The current value; the default if none was set.
  virtual openmi::Value Value() const = 0;
  /// \throws ArgumentError  read-only, of another type, or not among PossibleValues()
  virtual void SetValue(const openmi::Value& value) = 0;

  /// The current value as text that SetValueAsString() reads back.
  virtual std::string ValueAsString() const = 0;
  /// \throws ArgumentError  as SetValue, or the text cannot be read as the argument's type
  virtual void SetValueAsString(const std::string& text) = 0;

  /// The type of the value.
  virtual openmi::ValueType ValueType() const = 0;
};

}  // namespace openmi
