#include "composition/conformance/ArgumentChecks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "composition/conformance/IdentityChecks.hpp"

namespace openmi::conformance {
namespace {

constexpr const char* kArguments = "7.1";
constexpr std::size_t kPossible = 50;  // possible values tried of one argument

bool Same(const Value& a, const Value& b) {
  const auto* x = a.As<double>();
  const auto* y = b.As<double>();
  if (x != nullptr && y != nullptr && std::isnan(*x) && std::isnan(*y)) return true;
  return a == b;
}

/// A value of the argument's type that is not in `possible`; nothing if none is found.
std::optional<Value> Outside(const ValueType& type, std::span<const Value> possible) {
  std::vector<Value> candidates;
  if (type.kind == ValueKind::Double) candidates = {-98765.4321, 1.2345e-7, 9.87e12};
  if (type.kind == ValueKind::Integer) candidates = {-98765, 4321, 77777777};
  if (type.kind == ValueKind::String) candidates = {"not a possible value", "nor is this"};
  if (type.kind == ValueKind::Boolean) candidates = {true, false};
  for (const Value& candidate : candidates) {
    if (std::ranges::find(possible, candidate) == possible.end()) return candidate;
  }
  return std::nullopt;
}

class ArgumentCheck {
 public:
  ArgumentCheck(Findings& findings, IArgument& argument, const std::string& whose)
      : findings_(findings), argument_(argument), who_(fmt::format("argument '{}' of {}", argument.Id(), whose)) {}

  void Run() {
    Types();
    if (argument_.IsReadOnly()) {
      ReadOnly();
      return;
    }
    const Value before = argument_.Value();
    Text(before);
    Possible(before);
    if (!Same(argument_.Value(), before)) {
      findings_.Try(kArguments, "giving " + who_ + " its own value back", [&] { argument_.SetValue(before); });
    }
  }

 private:
  void Types() {
    const ValueType type = argument_.ValueType();
    const auto fits = [&](const Value& value, const char* what) {
      findings_.Expect(kArguments, value.IsEmpty() || value.Kind() == type.kind, [&] {
        return fmt::format("{}: expected a {} of type {}, as ValueType says, found a {}", who_, what, type.Name(),
                           NameOf(value.Kind()));
      });
    };
    fits(argument_.Value(), "value");
    fits(argument_.DefaultValue(), "default");
    if (const auto possible = argument_.PossibleValues()) {
      for (const Value& value : *possible) fits(value, "possible value");
    }
  }

  void ReadOnly() {
    const Value before = argument_.Value();
    // A different value: a component may accept the present value again.
    const std::optional<Value> other = Outside(argument_.ValueType(), std::span(&before, 1));
    if (!other) return;
    findings_.MustThrow(kArguments, "setting the read-only " + who_, [&] { argument_.SetValue(*other); });
    findings_.Expect(kArguments, Same(argument_.Value(), before), [&] {
      return who_ + ": expected the value of a read-only argument to stay, found that it changed";
    });
  }

  void Text(const Value& before) {
    if (before.IsEmpty() || before.Kind() == ValueKind::Object) return;
    if (const auto possible = argument_.PossibleValues(); possible && possible->empty()) return;
    findings_.Try(kArguments, "reading back the text of " + who_, [&] {
      const std::string text = argument_.ValueAsString();
      argument_.SetValueAsString(text);
      findings_.Expect(kArguments, Same(argument_.Value(), before), [&] {
        return fmt::format("{}: expected its own text '{}' to be read back to the same value, found '{}'", who_, text,
                           argument_.ValueAsString());
      });
    });
  }

  void Possible(const Value& before) {
    const auto list = argument_.PossibleValues();
    if (!list) return;
    const std::vector<Value> possible(list->begin(), list->end());
    if (possible.empty()) {
      if (const std::optional<Value> value = Outside(argument_.ValueType(), {})) {
        findings_.MustThrow(kArguments, "setting " + who_ + ", of which no value is possible now",
                            [&] { argument_.SetValue(*value); });
      }
      return;
    }
    findings_.Expect(kArguments, before.IsEmpty() || std::ranges::find(possible, before) != possible.end(), [&] {
      return fmt::format("{}: expected one of its possible values, found '{}'", who_, argument_.ValueAsString());
    });
    for (const Value& value : std::span(possible).first(std::min(possible.size(), kPossible))) {
      findings_.Try(kArguments, "setting a possible value of " + who_, [&] {
        argument_.SetValue(value);
        findings_.Expect(kArguments, Same(argument_.Value(), value), [&] {
          return fmt::format("{}: expected the possible value that was set, found '{}'", who_,
                             argument_.ValueAsString());
        });
      });
    }
    if (const std::optional<Value> outside = Outside(argument_.ValueType(), possible)) {
      findings_.MustThrow(kArguments, "setting " + who_ + " to none of its possible values",
                          [&] { argument_.SetValue(*outside); });
    }
  }

  Findings& findings_;
  IArgument& argument_;
  std::string who_;
};

}  // namespace

void CheckArguments(Findings& findings, std::span<IArgument* const> arguments, const std::string& whose) {
  const std::vector<IArgument*> list(arguments.begin(), arguments.end());
  IdList ids(findings, "argument", whose);
  for (IArgument* argument : list) {
    if (!findings.Expect(kArguments, argument != nullptr,
                         [&] { return "expected arguments of " + whose + ", found a null among them"; })) {
      continue;
    }
    ids.Add(*argument);
    const std::string who = fmt::format("argument '{}' of {}", argument->Id(), whose);
    CheckDescribable(findings, *argument, who);
    findings.Try(kArguments, "looking at " + who, [&] { ArgumentCheck(findings, *argument, whose).Run(); });
  }
}

}  // namespace openmi::conformance
