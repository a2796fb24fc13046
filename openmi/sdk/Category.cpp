#include "openmi/sdk/Category.hpp"

#include <utility>

#include "openmi/sdk/Error.hpp"

namespace openmi {

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
