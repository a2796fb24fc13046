#include "openmi/sdk/Quality.hpp"

#include <fmt/format.h>

#include <utility>

#include "openmi/sdk/Error.hpp"

namespace openmi {

Quality::Quality(const std::string& caption, std::vector<Category> categories, bool ordered) : ordered_(ordered) {
  SetCaption(caption);
  for (std::size_t i = 0; i < categories.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (categories[i].Value() != categories[j].Value()) continue;
      throw FormatError(
          {.item = caption},
          fmt::format("expected categories of different values, found '{}' twice", categories[i].Caption()),
          "leave one of them out");
    }
  }
  auto list = std::make_shared<List>();
  list->categories = std::move(categories);
  for (const Category& category : list->categories) list->pointers.push_back(&category);
  list_ = std::move(list);
}

std::span<const ICategory* const> Quality::Categories() const {
  return list_->pointers;
}

std::optional<std::size_t> Quality::IndexOf(const Value& value) const {
  const auto index_of_plain = [this](const Value& plain) -> std::optional<std::size_t> {
    for (std::size_t i = 0; i < list_->categories.size(); ++i) {
      if (list_->categories[i].Value() == plain) return i;
    }
    return std::nullopt;
  };
  if (const auto category = value.ObjectAs<ICategory>()) return index_of_plain(category->Value());
  if (const auto category = value.ObjectAs<Category>()) return index_of_plain(category->Value());
  return index_of_plain(value);
}

Category::Category(openmi::Value value, const std::string& caption, const std::string& description)
    : value_(std::move(value)) {
  if (value_.IsEmpty()) {
    throw TypeError({.item = caption}, "expected a value for a category, found none", "give it one, such as its name");
  }
  const std::string* text = value_.As<std::string>();
  SetCaption(caption.empty() && text ? *text : caption);
  SetDescription(description);
}

}  // namespace openmi
