#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "openmi/sdk/ArgumentOptions.hpp"
#include "openmi/sdk/Described.hpp"
#include "openmi/sdk/IArgumentMeaning.hpp"
#include "openmi/standard/IArgument.hpp"

namespace openmi {

/// An argument of type boolean, integer, double or string.
///
/// It has a default, checks values against its range and its possible values, and reads values from text in any locale.
///
/// An integer that is given to a double argument becomes a double; nothing else is converted. An empty Value sets the
/// default again. In a string argument without a default the empty text means no value. After an exception the argument
/// keeps its value.
class ArgumentItem : public IdentifiedAs<IArgument>, public IArgumentMeaning {
 public:
  /// Declares an argument.
  /// \throws ArgumentError  the id is empty, or the default or a possible value is outside the range of the options
  /// \throws UnitError      the unit cannot be read
  ArgumentItem(std::string id, const ArgumentOptions<bool>& options);
  ArgumentItem(std::string id, const ArgumentOptions<int>& options);
  ArgumentItem(std::string id, const ArgumentOptions<std::int64_t>& options);
  ArgumentItem(std::string id, const ArgumentOptions<double>& options);
  ArgumentItem(std::string id, const ArgumentOptions<std::string>& options);
  // Not copyable: handles and spans point into the object.
  ArgumentItem(const ArgumentItem&) = delete;
  ArgumentItem& operator=(const ArgumentItem&) = delete;

  openmi::Value DefaultValue() const override { return default_; }
  bool IsOptional() const override { return optional_; }
  bool IsReadOnly() const override { return read_only_; }
  std::optional<std::span<const openmi::Value>> PossibleValues() const override;
  openmi::Value Value() const override { return set_ ? value_ : default_; }
  void SetValue(const openmi::Value& value) override;

  /// The value in the argument's own unit, as the shortest text that reads back to the same value; empty when there is
  /// none.
  /// \note  Gives a secret as plain text. To show a value to people, use `DisplayText()`.
  std::string ValueAsString() const override;
  /// Reads booleans ("true", "false", "1", "0", "yes", "no", "on", "off"), numbers with a decimal point, and texts as
  /// they are.
  ///
  /// A number may have a unit when the argument has one: "2 d" sets 48 where the unit is "h". An empty text sets the
  /// default again, except in a string argument with a default: there it sets the empty text.
  void SetValueAsString(const std::string& text) override;
  openmi::ValueType ValueType() const override { return {kind_, nullptr}; }

  /// Sets the value on behalf of the component, also when the argument is read-only.
  /// \throws ArgumentError  as `SetValue`, except for read-only
  void Assign(const openmi::Value& value);
  /// Replaces the possible values. The current value is not checked again.
  /// \param values  no list: any value is possible; an empty list: no value can be set now
  /// \throws ArgumentError  a possible value has another type
  void SetPossibleValues(std::optional<std::vector<openmi::Value>> values);
  /// Sets whether users may change the value. `Assign` is still allowed.
  void SetReadOnly(bool read_only) { read_only_ = read_only; }

  /// Whether a value was set. The default does not count.
  bool IsSet() const { return set_; }
  /// Whether there is a value, either set or the default.
  bool HasValue() const { return !(set_ ? value_ : default_).IsEmpty(); }
  /// The unit as declared; empty when there is none.
  const std::string& Unit() const { return TheLimits().unit; }
  ArgumentMeaning Meaning() const override;
  bool IsSecret() const { return meaning_ == ArgumentMeaning::Secret; }
  /// The value as people may see it: "********" for a secret that has a value, else `ValueAsString()`.
  std::string DisplayText() const;
  const openmi::Value& Minimum() const { return TheLimits().minimum; }  ///< empty: none
  const openmi::Value& Maximum() const { return TheLimits().maximum; }  ///< empty: none

  /// Sets the component or adapted output that messages name together with the argument.
  void SetOwner(std::string component_id) { owner_ = std::move(component_id); }
  const std::string& Owner() const { return owner_; }

  /// Throws the error for a value that is needed and missing.
  /// \throws ArgumentError  always; the message asks for a value
  [[noreturn]] void ThrowMissing() const;

  std::function<void()> changed;  ///< called after each change of the value; may be empty

 private:
  /// The restrictions of the value.
  struct Limits {
    std::string unit;
    openmi::Value minimum;
    openmi::Value maximum;
    std::optional<std::vector<openmi::Value>> possible;
  };
  const Limits& TheLimits() const;
  Limits& EditLimits();
  template <class T>
  void Take(const ArgumentOptions<T>& options);
  /// The value as this argument stores it.
  /// \throws ArgumentError  the value is not allowed
  openmi::Value Checked(const openmi::Value& value) const;
  openmi::Value Typed(const openmi::Value& value) const;
  openmi::Value Parsed(std::string_view text) const;
  double ParsedNumber(std::string_view text) const;
  void RefuseIfReadOnly() const;
  void Store(openmi::Value value, bool set);
  std::string TextOf(const openmi::Value& value) const;
  std::string Expectation() const;
  [[noreturn]] void Throw(const std::string& found, const std::string& remedy) const;

  ValueKind kind_;
  std::string owner_;
  openmi::Value default_;
  openmi::Value value_;
  std::unique_ptr<Limits> limits_;  // null: no restrictions, as for most texts
  bool optional_ = false;
  bool read_only_ = false;
  ArgumentMeaning meaning_ = ArgumentMeaning::Unstated;
  bool set_ = false;
};

/// What the value of an argument means.
///
/// The argument states it through IArgumentMeaning. Other arguments are `Unstated` when they are texts without possible
/// values, else `Plain`.
ArgumentMeaning MeaningOf(const IArgument& argument);
/// Whether an argument holds a secret. Secrets must not be shown, logged or written.
bool IsSecret(const IArgument& argument);

/// The current value as people may see it: masked for secrets, else `ValueAsString()`.
std::string DisplayText(const IArgument& argument);

}  // namespace openmi
