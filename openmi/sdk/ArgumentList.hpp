#pragma once

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "openmi/sdk/Argument.hpp"

namespace openmi {

/// The arguments of one component or adapted output, in the order they were declared.
class ArgumentList {
 public:
  /// \throws ArgumentError  the id is taken
  template <class T>
  Argument<T> Add(std::string id, const ArgumentOptions<T>& options) {
    return Argument<T>(Take(std::make_unique<ArgumentItem>(std::move(id), options)));
  }

  std::span<IArgument* const> Items() const { return list_; }
  /// The argument with that id; null if there is none.
  ArgumentItem* Find(const std::string& id) const;
  /// Who messages name beside the arguments.
  void SetOwner(const std::string& owner);
  /// \throws ArgumentError  an argument that is not optional has no value
  void RequireValues() const;

 private:
  ArgumentItem& Take(std::unique_ptr<ArgumentItem> item);
  std::vector<std::unique_ptr<ArgumentItem>> items_;
  std::vector<IArgument*> list_;
  std::string owner_;
};

}  // namespace openmi
