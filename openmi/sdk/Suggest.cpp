#include "openmi/sdk/Suggest.hpp"

#include <algorithm>
#include <numeric>
#include <unordered_set>
#include <vector>

namespace openmi {

namespace {

constexpr std::size_t kListed = 10;
// Longer names are not typing mistakes. They are not compared, because the cost of the distance is quadratic.
constexpr std::size_t kLongestMeasured = 256;

char Folded(char c) {
  if (c >= 'A' && c <= 'Z') return static_cast<char>(c - 'A' + 'a');
  return c == '_' ? '-' : c;
}

}  // namespace

std::size_t SpellingDistance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> now(b.size() + 1);
  std::iota(last.begin(), last.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    now[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = last[j - 1] + (Folded(a[i - 1]) == Folded(b[j - 1]) ? 0U : 1U);
      now[j] = std::min({last[j] + 1, now[j - 1] + 1, replaced});
      if (i > 1 && j > 1 && Folded(a[i - 1]) == Folded(b[j - 2]) && Folded(a[i - 2]) == Folded(b[j - 1])) {
        now[j] = std::min(now[j], before[j - 2] + 1);
      }
    }
    before.swap(last);
    last.swap(now);
  }
  return last[b.size()];
}

std::string Nearest(std::string_view name, std::span<const std::string> candidates) {
  if (name.size() > kLongestMeasured) return {};
  const std::string* nearest = nullptr;
  std::size_t least = 0;
  for (const std::string& candidate : candidates) {
    if (candidate.size() > kLongestMeasured) continue;
    const std::size_t longer = std::max(name.size(), candidate.size());
    const std::size_t allowed = longer / 3;
    // The difference in length is a lower bound of the distance: it excludes most candidates.
    if (longer - std::min(name.size(), candidate.size()) > allowed) continue;
    const std::size_t distance = SpellingDistance(name, candidate);
    if (distance <= allowed && (nearest == nullptr || distance < least)) {
      nearest = &candidate;
      least = distance;
    }
  }
  return nearest == nullptr ? std::string() : *nearest;
}

std::string Suggest(std::string_view name, std::span<const std::string> candidates) {
  if (candidates.empty()) return "there are none";
  if (const std::string nearest = Nearest(name, candidates); !nearest.empty()) return "did you mean '" + nearest + "'?";
  std::unordered_set<std::string_view> seen;
  std::vector<std::string_view> different;
  for (const std::string& candidate : candidates) {
    if (seen.insert(candidate).second) different.push_back(candidate);
  }
  std::string text = "there are: ";
  const std::size_t listed = std::min(different.size(), kListed);
  for (std::size_t i = 0; i < listed; ++i) text.append(i == 0 ? "" : ", ").append(different[i]);
  if (different.size() > listed) text += " and " + std::to_string(different.size() - listed) + " more";
  return text;
}

}  // namespace openmi
