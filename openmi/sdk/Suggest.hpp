#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace openmi {

/// Number of single-character insertions, deletions, replacements and swaps of neighbours that turn `a` into `b`
/// (optimal string alignment). Upper and lower case of ASCII letters count as equal, and so do '-' and '_'.
///
/// Source: Damerau, F. J. (1964), Communications of the ACM 7(3), 171-176, in the restricted form.
std::size_t SpellingDistance(std::string_view a, std::string_view b);

/// The candidate nearest to `name`, or an empty text when none is near enough to be meant (more than about a third of
/// the letters differ). Among equally near ones the first wins.
std::string Nearest(std::string_view name, std::span<const std::string> candidates);

/// A remedy for an unknown `name`: "did you mean 'x'?", else "there are: a, b, c" (the first ten, then how many more),
/// else, when there are no candidates, "there are none".
std::string Suggest(std::string_view name, std::span<const std::string> candidates);

}  // namespace openmi
