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

/// An argument of type boolean, integer, double or string: defaulted, checked against its range and its possible
/// values, and readable from text in any locale.
///
/// An integer given to a double argument becomes a double; nothing else is converted. Setting an empty Value takes the
/// default again. In a string argument without default the empty text is no value. A change that fails leaves the value
/// as it was.
class ArgumentItem : public IdentifiedAs<IArgument>, public IArgumentMeaning {
 public:
  /// \throws ArgumentError  the id is empty, or the default or a possible value breaks the options' own range
  /// \throws UnitError      the unit cannot be read
  ArgumentItem(std::string id, const ArgumentOptions<bool>& options);
  ArgumentItem(std::string id, const ArgumentOptions<int>& options);
  ArgumentItem(std::string id, const ArgumentOptions<std::int64_t>& options);
  ArgumentItem(std::string id, const ArgumentOptions<double>& options);
  ArgumentItem(std::string id, const ArgumentOptions<std::string>& options);
  // Handles and spans point in here.
  ArgumentItem(const ArgumentItem&) = delete;
  ArgumentItem& operator=(const ArgumentItem&) = delete;

  openmi::Value DefaultValue() const override { return default_; }
  bool IsOptional() const override { return optional_; }
  bool IsReadOnly() const override { return read_only_; }
  std::optional<std::span<const openmi::Value>> PossibleValues() const override;
  openmi::Value Value() const override { return set_ ? value_ : default_; }
  void SetValue(const openmi::Value& value) override;

  /// The value in the argument's own unit, shortest text that reads back to the same value; empty where there is none.
  /// The plain text even of a secret: show DisplayText() instead.
  std::string ValueAsString() const override;
  /// Reads booleans ("true", "false", "1", "0", "yes", "no", "on", "off"), numbers with a decimal point, and texts as
  /// they are. A number may carry a unit if the argument has one: "2 d" sets 48 where the unit is "h". An empty text
  /// takes the default again, except where a string argument has a default to be blanked.
  void SetValueAsString(const std::string& text) override;
  openmi::ValueType ValueType() const override { return {kind_, nullptr}; }

  /// Sets the value from the component's side: as SetValue, read-only or not.
  /// \throws ArgumentError  as SetValue, except read-only
  void Assign(const openmi::Value& value);
  /// Replaces the possible values. Nothing: any. An empty list: nothing can be set now. The current value is not
  /// checked again. \throws ArgumentError  one is of another type
  void SetPossibleValues(std::optional<std::vector<openmi::Value>> values);
  void SetReadOnly(bool read_only) { read_only_ = read_only; }

  /// Whether a value was set (the default does not count).
  bool IsSet() const { return set_; }
  /// Whether there is a value, set or default.
  bool HasValue() const { return !(set_ ? value_ : default_).IsEmpty(); }
  /// The unit as declared; empty where there is none.
  const std::string& Unit() const { return TheLimits().unit; }
  ArgumentMeaning Meaning() const override;
  bool IsSecret() const { return meaning_ == ArgumentMeaning::Secret; }
  /// ValueAsString() for people: "********" for a secret that has a value.
  std::string DisplayText() const;
  const openmi::Value& Minimum() const { return TheLimits().minimum; }  ///< empty: none
  const openmi::Value& Maximum() const { return TheLimits().maximum; }  ///< empty: none

  /// The component (or adapted output) that messages name beside the argument.
  void SetOwner(std::string component_id) { owner_ = std::move(component_id); }
  const std::string& Owner() const { return owner_; }

  /// Throws an ArgumentError that asks for a value; for a value that is needed and not there.
  [[noreturn]] void ThrowMissing() const;

  std::function<void()> changed;  ///< called after each change of the value; may be empty

 private:
  /// What restricts the value.
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
  /// The value as this argument holds it, or an ArgumentError.
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
  std::unique_ptr<Limits> limits_;  // null: as most texts, it has none
  bool optional_ = false;
  bool read_only_ = false;
  ArgumentMeaning meaning_ = ArgumentMeaning::Unstated;
  bool set_ = false;
};

/// What an argument stands for, as it says itself (IArgumentMeaning); of others, texts are `Unstated` unless they have
/// possible values, and the rest is `Plain`.
ArgumentMeaning MeaningOf(const IArgument& argument);
/// Whether an argument holds a secret, which must not be shown, logged or written.
bool IsSecret(const IArgument& argument);

/// The current value as people may see it: masked for secrets, else ValueAsString().
std::string DisplayText(const IArgument& argument);

}  // namespace openmi
