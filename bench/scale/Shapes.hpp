#pragma once

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

/// Generated compositions of any size.
namespace scale {

enum class Shape {
  Chain,  ///< each draws on the one before
  Tree,   ///< each draws on two others; the root is asked
  Comb    ///< a chain whose every member draws on a tooth of its own besides
};

inline const char* Name(Shape shape) {
  return shape == Shape::Chain ? "chain" : shape == Shape::Tree ? "tree" : "comb";
}

/// Provider and consumer, by number, of each link; the last of `count` components is asked.
inline std::vector<std::pair<std::size_t, std::size_t>> Links(Shape shape, std::size_t count) {
  std::vector<std::pair<std::size_t, std::size_t>> links;
  switch (shape) {
    case Shape::Chain:
      for (std::size_t i = 1; i < count; ++i) links.emplace_back(i - 1, i);
      break;
    case Shape::Tree:  // a heap, its root last
      for (std::size_t i = 1; i < count; ++i) links.emplace_back(count - 1 - i, count - 1 - (i - 1) / 2);
      break;
    case Shape::Comb:  // even ones are teeth, odd ones the spine
      for (std::size_t i = 1; i < count; i += 2) {
        links.emplace_back(i - 1, i);
        if (i >= 3) links.emplace_back(i - 2, i);
      }
      break;
  }
  return links;
}

/// Writes `components` OMI files and the composition.
/// \param count  even
/// \returns the path of the composition
inline std::filesystem::path Write(Shape shape, std::size_t count, const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  std::string text =
      fmt::format("<Composition xmlns=\"urn:openmi2:composition:1\" Id=\"{}-{}\">\n", Name(shape), count);
  for (std::size_t i = 0; i < count; ++i) {
    std::ofstream(folder / fmt::format("n{}.omi", i))
        << "<LinkableComponent xmlns=\"http://www.openmi.org/v2_0\" Type=\"ScaleNode\" "
           "Assembly=\"bench_scale_components\"><Arguments><Argument Key=\"time-step\" Value=\"PT1H\"/></Arguments>"
           "</LinkableComponent>\n";
    text += fmt::format("  <Component Id=\"n{0}\" Omi=\"n{0}.omi\"/>\n", i);
  }
  std::vector<int> taken(count, 0);
  for (const auto& [from, to] : Links(shape, count)) {
    text += fmt::format("  <Link From=\"n{}.level\" To=\"n{}.{}\"/>\n", from, to, "abc"[taken[to]++]);
  }
  text += fmt::format("  <Run From=\"2000-01-01T00:00Z\" To=\"2100-01-01T00:00Z\" Trigger=\"n{}\"/>\n</Composition>\n",
                      count - 1);
  const std::filesystem::path path = folder / fmt::format("{}-{}.xml", Name(shape), count);
  std::ofstream(path) << text;
  return path;
}

/// What the populations and the large trees are made of.
struct Kind {
  const char* type;                   ///< in bench_scale_components
  const char* output;                 ///< which feeds the member below
  std::array<const char*, 2> inputs;  ///< for two members above; the network of a population feeds the first one
};
inline constexpr Kind kNode{"ScaleNode", "level", {"a", "b"}};
inline constexpr Kind kReservoir{"ScaleReservoir", "outflow", {"inflow", "second"}};

/// Writes a tree as one population, whose network links each member to the one below it.
/// \returns the path of the composition
inline std::filesystem::path WritePopulation(const Kind& kind, std::size_t count, const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "member.omi") << fmt::format(
      "<LinkableComponent xmlns=\"http://www.openmi.org/v2_0\" Type=\"{}\" Assembly=\"bench_scale_components\"/>\n",
      kind.type);
  std::ofstream table(folder / "members.csv");
  table << "id,below\n";
  for (std::size_t i = 0; i < count; ++i) {
    table << (i == 0 ? std::string("n0,\n") : fmt::format("n{},n{}\n", i, (i - 1) / 2));
  }
  const std::filesystem::path path = folder / fmt::format("population-{}.xml", count);
  std::ofstream(path) << fmt::format(
      "<Composition xmlns=\"urn:openmi2:composition:1\" Id=\"population-{}\">\n"
      "  <Population Id=\"members\" Omi=\"member.omi\" Of=\"members.csv\" Key=\"id\">"
      "<Network From=\"{}\" To=\"{}\" Column=\"below\"/></Population>\n"
      "  <Run From=\"2000-01-01T00:00Z\" To=\"2100-01-01T00:00Z\"/>\n</Composition>\n",
      count, kind.output, kind.inputs[0]);
  return path;
}

/// Writes the same tree as components of their own, all of one OMI file. The root, which is asked, is the last one.
/// \returns the path of the composition
inline std::filesystem::path WriteTree(const Kind& kind, std::size_t count, const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "member.omi") << fmt::format(
      "<LinkableComponent xmlns=\"http://www.openmi.org/v2_0\" Type=\"{}\" Assembly=\"bench_scale_components\"/>\n",
      kind.type);
  const std::filesystem::path path = folder / fmt::format("components-{}.xml", count);
  std::ofstream text(path);
  text << fmt::format("<Composition xmlns=\"urn:openmi2:composition:1\" Id=\"components-{}\">\n", count);
  for (std::size_t i = 0; i < count; ++i) text << fmt::format("  <Component Id=\"n{}\" Omi=\"member.omi\"/>\n", i);
  for (std::size_t i = 1; i < count; ++i) {
    text << fmt::format("  <Link From=\"n{}.{}\" To=\"n{}.{}\"/>\n", i, kind.output, (i - 1) / 2,
                        kind.inputs[(i - 1) % 2]);
  }
  text << "  <Run From=\"2000-01-01T00:00Z\" To=\"2100-01-01T00:00Z\" Trigger=\"n0\"/>\n</Composition>\n";
  return path;
}

}  // namespace scale
