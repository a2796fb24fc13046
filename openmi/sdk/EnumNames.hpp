#pragma once

#include <array>
#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace openmi {

/// The names of the values of an enumeration in files, arguments and messages, in the order in which users see them.
///
/// Example: `constexpr EnumNames<RunMode> kRunModes{"pull", "step"};`. There are at most 16 names.
template <class E>
class EnumNames {
 public:
  /// \param names  in the order of the enumerators, which count from 0
  constexpr EnumNames(std::initializer_list<const char*> names) {
    for (const char* name : names) Add(name, static_cast<E>(count_));
  }
  /// \param names  in any order; a value may have several names
  constexpr EnumNames(std::initializer_list<std::pair<const char*, E>> names) {
    for (const auto& [name, value] : names) Add(name, value);
  }

  /// The first name of `value`; "" when it has none.
  constexpr const char* NameOf(E value) const {
    for (std::size_t i = 0; i < count_; ++i) {
      if (entries_[i].second == value) return entries_[i].first.data();
    }
    return "";
  }
  /// The value with this name; nothing when there is none.
  constexpr std::optional<E> Find(std::string_view name) const {
    for (std::size_t i = 0; i < count_; ++i) {
      if (entries_[i].first == name) return entries_[i].second;
    }
    return std::nullopt;
  }
  /// All names, after those in `names`.
  std::vector<std::string> List(std::vector<std::string> names = {}) const {
    for (std::size_t i = 0; i < count_; ++i) names.emplace_back(entries_[i].first);
    return names;
  }

 private:
  constexpr void Add(const char* name, E value) { entries_.at(count_++) = {name, value}; }
  std::array<std::pair<std::string_view, E>, 16> entries_{};
  std::size_t count_ = 0;
};

}  // namespace openmi
