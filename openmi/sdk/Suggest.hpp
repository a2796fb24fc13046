#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace openmi {

/// The number of edits that turn `a` into `b` (optimal string alignment).
///
/// An edit inserts, deletes or replaces one character, or swaps two neighbours. Upper and lower case of ASCII letters
/// count as equal, and so do '-' and '_'.
///
/// Source: Damerau, F. J. (1964), Communications of the ACM 7(3), 171-176, in the restricted form.
std::size_t SpellingDistance(std::string_view a, std::string_view b);

/// The candidate with the smallest spelling distance to `name`; empty when none is similar.
///
/// A candidate is similar when not more than about a third of the letters differ. Of equally similar candidates the
/// first is returned.
std::string Nearest(std::string_view name, std::span<const std::string> candidates);

/// A remedy for an unknown `name`.
///
/// When a candidate is similar: "did you mean 'x'?". Otherwise "there are: a, b, c" with the first ten and the number
/// of the others. Without candidates: "there are none".
std::string Suggest(std::string_view name, std::span<const std::string> candidates);

}  // namespace openmi
