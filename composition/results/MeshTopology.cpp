#include "composition/results/MeshTopology.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <unordered_map>
#include <utility>

namespace openmi {
namespace {

using Place = std::pair<double, double>;

struct PlaceHash {
  std::size_t operator()(const Place& place) const {
    return std::hash<double>{}(place.first) * 1099511628211u ^ std::hash<double>{}(place.second);
  }
};

/// Whether each edge of faces is used once in a direction, and some edges in both.
bool FormsFaces(const MeshTopology& mesh) {
  std::vector<std::uint64_t> edges;
  for (std::size_t begin = 0; begin < mesh.nodes.size(); begin += mesh.most) {
    std::size_t count = 0;
    while (count < mesh.most && mesh.nodes[begin + count] >= 0) ++count;
    for (std::size_t k = 0; k < count; ++k) {
      const auto from = static_cast<std::uint64_t>(mesh.nodes[begin + k]);
      const auto to = static_cast<std::uint64_t>(mesh.nodes[begin + (k + 1) % count]);
      edges.push_back(from << 32 | to);
    }
  }
  std::ranges::sort(edges);
  if (std::ranges::adjacent_find(edges) != edges.end()) return false;
  return std::ranges::any_of(
      edges, [&edges](std::uint64_t edge) { return std::ranges::binary_search(edges, edge << 32 | edge >> 32); });
}

}  // namespace

std::optional<MeshTopology> MeshOf(const ElementSet& elements, const ElementSet* nodes) {
  constexpr std::size_t kMostCorners = 12;
  const bool are_faces = elements.ElementType() == ElementType::Polygon;
  if ((!are_faces && elements.ElementType() != ElementType::PolyLine) || elements.HasZ() || elements.HasExtraRings() ||
      elements.ElementCount() < 2 || (nodes != nullptr && nodes->HasZ())) {
    return std::nullopt;
  }
  MeshTopology mesh;
  const auto offsets = elements.VertexOffsets();
  for (std::size_t i = 0; i + 1 < offsets.size(); ++i) mesh.most = std::max(mesh.most, offsets[i + 1] - offsets[i]);
  if (mesh.most > (are_faces ? kMostCorners : 2)) return std::nullopt;

  std::unordered_map<Place, int, PlaceHash> numbers;
  const auto number_of = [&](const Place& place) {
    const auto [at, is_new] = numbers.try_emplace(place, static_cast<int>(mesh.x.size()));
    if (is_new) {
      mesh.x.push_back(place.first);
      mesh.y.push_back(place.second);
    }
    return at->second;
  };
  for (std::size_t i = 0; nodes != nullptr && i < nodes->X().size(); ++i) {
    if (number_of({nodes->X()[i], nodes->Y()[i]}) != static_cast<int>(i)) return std::nullopt;  // a place twice
  }
  const std::size_t given = mesh.x.size();
  for (std::size_t i = 0; i + 1 < offsets.size(); ++i) {
    for (std::size_t v = offsets[i]; v < offsets[i] + mesh.most; ++v) {
      mesh.nodes.push_back(v < offsets[i + 1] ? number_of({elements.X()[v], elements.Y()[v]}) : -1);
    }
  }
  if (nodes != nullptr && mesh.x.size() > given) return std::nullopt;
  const bool is_mesh = are_faces ? FormsFaces(mesh) : nodes != nullptr || mesh.x.size() < elements.X().size();
  return is_mesh ? std::optional(std::move(mesh)) : std::nullopt;
}

}  // namespace openmi
