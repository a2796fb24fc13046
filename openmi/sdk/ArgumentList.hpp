#pragma once

#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "openmi/sdk/Argument.hpp"

namespace openmi {

/// The arguments of one component or adapted output, in the order of their declaration.
class ArgumentList {
 public:
  /// Declares an argument.
  /// \throws ArgumentError  the id is already in use, or as ArgumentItem
  template <class T>
  Argument<T> Add(std::string id, const ArgumentOptions<T>& options) {
    if constexpr (std::is_enum_v<T>) {
      return Argument<T>(Add<std::string>(std::move(id), options.AsText()).Item(), options.names);
    } else {
      return Argument<T>(Take(std::make_unique<ArgumentItem>(std::move(id), options)));
    }
  }

  /// Declares an argument of text that may have no value unless it has a default.
  Argument<std::string> AddText(std::string id, ArgumentOptions<std::string> options) {
    options.optional = !options.value.has_value();
    return Add<std::string>(std::move(id), options);
  }
  /// The same for a text that names no file, host or code.
  Argument<std::string> AddPlain(std::string id, ArgumentOptions<std::string> options) {
    options.meaning = ArgumentMeaning::Plain;
    return AddText(std::move(id), std::move(options));
  }

  /// All arguments, in the order of their declaration.
  std::span<IArgument* const> Items() const { return list_; }
  /// The argument with this id; null when there is none.
  ArgumentItem* Find(const std::string& id) const;
  /// Sets the name that messages give together with the arguments.
  void SetOwner(const std::string& owner);
  /// Checks that all arguments that need a value have one.
  /// \throws ArgumentError  an argument that is not optional has no value
  void RequireValues() const;

 private:
  ArgumentItem& Take(std::unique_ptr<ArgumentItem> item);
  std::vector<std::unique_ptr<ArgumentItem>> items_;
  std::vector<IArgument*> list_;
  std::string owner_;
};

}  // namespace openmi
