#include "dotnet-bridge/plugin/Argument.hpp"

#include <fmt/format.h>

#include "dotnet-bridge/plugin/Described.hpp"
#include "dotnet-bridge/plugin/Meaning.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Problem.hpp"

namespace openmi::dotnet {
namespace {

class ManagedArgument final : public IdentifiedThing<IArgument> {
 public:
  explicit ManagedArgument(Thing thing)
      : IdentifiedThing(std::move(thing)), type_(TypeOf(TheBorder().ArgumentType(Number()))) {}

  openmi::Value DefaultValue() const override { return TheBorder().ArgumentDefault(Number()); }
  bool IsOptional() const override { return (TheBorder().ArgumentFlags(Number()) & 1) != 0; }
  /// One without a value is not: some components have the OMI file set what users are not to change.
  bool IsReadOnly() const override {
    return (TheBorder().ArgumentFlags(Number()) & 2) != 0 && !TheBorder().ArgumentValue(Number()).IsEmpty();
  }
  std::optional<std::span<const openmi::Value>> PossibleValues() const override {
    choices_ = TheBorder().ArgumentChoices(Number());
    if (!choices_) return std::nullopt;
    return std::span<const openmi::Value>(*choices_);
  }
  openmi::Value Value() const override { return TheBorder().ArgumentValue(Number()); }
  void SetValue(const openmi::Value& value) override {
    Changing("another", [&] { TheBorder().SetArgumentValue(Number(), value); });
  }
  std::string ValueAsString() const override { return TheBorder().ArgumentText(Number()); }
  void SetValueAsString(const std::string& text) override {
    Changing(Quoted(text), [&] { TheBorder().SetArgumentText(Number(), text); });
  }
  openmi::ValueType ValueType() const override { return type_; }

 private:
  // The SDK in C# checks neither, so that a component may compute with a value that it refuses elsewhere.
  template <class Set>
  void Changing(const std::string& value, Set&& set) {
    if (IsReadOnly()) {
      throw ArgumentError({.item = Id()}, "expected an argument that can be set, found one that is read-only");
    }
    try {
      set();
    } catch (const ThrownError& error) {
      throw ArgumentError(
          {.item = Id()},
          fmt::format("expected a value that the component takes, found {}: {}", value, error.Described()),
          error.Remedy());
    }
  }
  openmi::ValueType type_;
  mutable std::optional<std::vector<openmi::Value>> choices_;
};

}  // namespace

Arguments::Arguments(int thing) {
  for (const int argument : TheBorder().Arguments(thing)) {
    owned_.push_back(std::make_unique<ManagedArgument>(Thing(argument)));
    items_.push_back(owned_.back().get());
  }
}

}  // namespace openmi::dotnet
