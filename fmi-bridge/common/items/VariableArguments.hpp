#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fmi-bridge/common/description/UnitDefinition.hpp"
#include "openmi/sdk/ArgumentList.hpp"

namespace openmi::items {

/// Options of an argument for a scalar with this start value. Limits that the start value breaks do not apply.
/// \param unit  null: none; a name that only the model knows gives no unit either
ArgumentOptions<double> NumberOptions(double start, const described::Limits& limits,
                                      const described::UnitDefinition* unit);
ArgumentOptions<std::int64_t> IntegerOptions(std::int64_t start, const described::Limits& limits);

/// The arguments of a component for the variables of its model. At most 5000 variables get one: more are of no use.
class VariableArguments {
 public:
  struct Entry {
    std::string variable;  ///< its name
    ArgumentItem* item = nullptr;
  };

  /// The id of a new argument for a variable: its name, with `prefix` before it where another argument has that id.
  /// \returns nothing where the variable has an argument, the id is in use, or there are enough arguments
  std::optional<std::string> NewId(const ArgumentList& list, const std::string& variable,
                                   std::string_view prefix) const;
  /// Adds the optional argument of a variable.
  /// \param id  what NewId gave
  template <class Variable, class T>
  void Add(ArgumentList& list, const std::string& id, const Variable& variable, ArgumentOptions<T> options) {
    options.caption = variable.name;
    options.description = variable.description;
    options.optional = true;
    entries_.push_back({variable.name, &list.Add<T>(id, options).Item()});
  }
  std::span<const Entry> Entries() const { return entries_; }
  /// The argument of a variable, or null.
  ArgumentItem* Find(std::string_view variable) const;

 private:
  std::vector<Entry> entries_;
};

}  // namespace openmi::items
