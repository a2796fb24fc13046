#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "openmi/sdk/Category.hpp"
#include "openmi/sdk/Described.hpp"
#include "openmi/standard/IQuality.hpp"

namespace openmi {

/// Categories instead of numbers. Values are strings, as the text of the standard says; ICategory objects, as the
/// official binaries say, are understood by IndexOf(). Copies share the list of categories, which never changes.
class Quality final : public DescribedAs<IQuality> {
 public:
  /// \param categories  in their order, from first (lowest) to last, where `ordered`
  /// \throws FormatError  two categories have the same value
  Quality(const std::string& caption, std::vector<Category> categories, bool ordered);

  std::span<const ICategory* const> Categories() const override;
  bool IsOrdered() const override { return ordered_; }
  /// The empty text.
  Value MissingDataValue() const override { return std::string(); }
  openmi::ValueType ValueType() const override { return {ValueKind::String, nullptr}; }

  /// The place of the category that `value` names: equal to its Value(), or an object made by Value::Of<ICategory>()
  /// (or Value::Of<Category>()) whose Value() is. Nothing for any other value, and for the missing one.
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
