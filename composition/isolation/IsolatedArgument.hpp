#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "openmi/sdk/Described.hpp"
#include "openmi/sdk/IArgumentMeaning.hpp"
#include "openmi/standard/IArgument.hpp"
#include "timespace/state/StateReader.hpp"

namespace openmi {

/// Passes the change of an argument on to the component.
class IArgumentHolder {
 public:
  virtual ~IArgumentHolder() = default;
  /// Sets argument `number`.
  /// \param text   the value as text; null: `value` is set
  /// \param value  the value; null: `text` is set
  /// \throws Error  the component's own
  virtual void SetArgument(std::size_t number, const std::string* text, const Value* value) = 0;
};

/// An argument of a component in another process: what was last reported of it, and a way to change it there.
class IsolatedArgument final : public IdentifiedAs<IArgument>, public IArgumentMeaning {
 public:
  IsolatedArgument(std::string id, std::size_t number, IArgumentHolder& holder)
      : IdentifiedAs(std::move(id)), number_(number), holder_(holder) {}

  /// Reads the part of a description that follows the id.
  void Read(StateReader& reader);

  openmi::Value DefaultValue() const override { return default_; }
  bool IsOptional() const override { return optional_; }
  bool IsReadOnly() const override { return read_only_; }
  std::optional<std::span<const openmi::Value>> PossibleValues() const override;
  openmi::Value Value() const override { return value_; }
  void SetValue(const openmi::Value& value) override { holder_.SetArgument(number_, nullptr, &value); }
  std::string ValueAsString() const override { return text_; }
  void SetValueAsString(const std::string& text) override { holder_.SetArgument(number_, &text, nullptr); }
  openmi::ValueType ValueType() const override { return type_; }
  ArgumentMeaning Meaning() const override { return meaning_; }
  /// Whether the component accepts changes of it while it runs.
  bool IsTunable() const { return tunable_; }

 private:
  std::size_t number_;
  IArgumentHolder& holder_;
  std::string text_;
  openmi::ValueType type_;
  openmi::Value value_;
  openmi::Value default_;
  bool optional_ = false;
  bool read_only_ = false;
  ArgumentMeaning meaning_ = ArgumentMeaning::Unstated;
  bool tunable_ = false;
  std::optional<std::vector<openmi::Value>> possible_;
};

/// The arguments of a component or adapted output in another process.
class IsolatedArguments {
 public:
  /// \param holder  borrowed
  explicit IsolatedArguments(IArgumentHolder& holder) : holder_(holder) {}
  std::span<IArgument* const> Items() const { return list_; }
  const std::vector<std::unique_ptr<IsolatedArgument>>& All() const { return arguments_; }
  /// Reads what is reported of all of them. Those that are known stay in place.
  void Read(StateReader& reader);

 private:
  IArgumentHolder& holder_;
  std::vector<std::unique_ptr<IsolatedArgument>> arguments_;
  std::vector<IArgument*> list_;
};

}  // namespace openmi
