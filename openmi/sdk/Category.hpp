#pragma once

#include <string>

#include "openmi/sdk/Described.hpp"
#include "openmi/standard/ICategory.hpp"

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

}  // namespace openmi
