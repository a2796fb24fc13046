#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "openmi/sdk/Described.hpp"
#include "openmi/standard/ICategory.hpp"
#include "openmi/standard/IQuality.hpp"

namespace openmi {

/// One of the values that a quality can have.
class Category final : public DescribedAs<ICategory> {
 public:
  /// \param value    not empty
  /// \param caption  empty: the text of the value
  /// \throws TypeError  `value` is empty
  explicit Category(openmi::Value value, const std::string& caption = {}, const std::string& description = {});

  openmi::Value Value() const override { return value_; }

 private:
  openmi::Value value_;
};

/// Categories instead of numbers.
///
/// The values are strings, as the text of the standard says. `IndexOf()` also accepts ICategory objects, as in the
/// official binaries. Copies share the list of categories, which never changes.
class Quality final : public DescribedAs<IQuality> {
 public:
  /// \param categories  when `ordered`: from first (lowest) to last
  /// \throws FormatError  two categories have the same value
  Quality(const std::string& caption, std::vector<Category> categories, bool ordered);

  std::span<const ICategory* const> Categories() const override;
  bool IsOrdered() const override { return ordered_; }
  /// The empty text.
  Value MissingDataValue() const override { return std::string(); }
  openmi::ValueType ValueType() const override { return {ValueKind::String, nullptr}; }

  /// The index of the category that `value` names; no value when it names none, or is the missing value.
  ///
  /// `value` equals the category's `Value()`, or is an object from `Value::Of<ICategory>()` (or
  /// `Value::Of<Category>()`) whose `Value()` does.
  std::optional<std::size_t> IndexOf(const Value& value) const;

 private:
  struct List {
    std::vector<Category> categories;
    std::vector<const ICategory*> pointers;
  };
  std::shared_ptr<const List> list_;
  bool ordered_;
};

}  // namespace openmi
