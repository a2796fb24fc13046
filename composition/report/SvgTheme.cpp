#include "composition/report/SvgTheme.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace openmi {
namespace {

struct Colour {
  std::string_view name;
  std::string_view light;
  std::string_view dark;
};

constexpr std::array<Colour, 31> kColours{{
    {"background", "#f7f6f2", "#11151a"}, {"panel", "#ffffff", "#191f26"},   {"sunken", "#f1efe9", "#151a20"},
    {"ink", "#1b2530", "#e9ecef"},        {"muted", "#5c6875", "#a3adb9"},   {"faint", "#e7e4dc", "#2b343e"},
    {"border", "#d6d2c7", "#3a4551"},     {"accent", "#0a5a78", "#74c7e0"},  {"good", "#0b7a55", "#4fd1a1"},
    {"warn", "#8f5a00", "#f0bd55"},       {"bad", "#b3301c", "#ff8d78"},     {"goodbg", "#e2f3ec", "#14342a"},
    {"warnbg", "#fbf0d9", "#3a2c0f"},     {"badbg", "#fbe6e1", "#43201a"},   {"rain", "#5aa2cf", "#4f93bd"},
    {"warmup", "#ece8dc", "#252c34"},     {"missing", "#d9d6ce", "#3b434d"}, {"chip", "#fdf3dc", "#3a3016"},
    {"chipline", "#c99a2e", "#b48a35"},   {"head", "#e4eef3", "#22323d"},    {"link", "#46637a", "#8fb2c9"},
    {"loop", "#b5460f", "#ff9a66"},       {"seriesa", "#0072b2", "#5ab4f0"}, {"seriesb", "#d55e00", "#ff8f52"},
    {"seriesc", "#00916a", "#3ccfa0"},    {"seriesd", "#a8488a", "#e79ccb"}, {"seriese", "#b98200", "#f2c550"},
    {"seriesf", "#3a9bd4", "#a5dbf7"},    {"seriesg", "#6a4fa3", "#bba8ef"}, {"seriesh", "#7b5a3c", "#cfb493"},
    {"observed", "#1b2530", "#f4f5f6"},
}};

enum class Filling { Properties, Light, Dark };

/// The rules with their colours, in one line.
std::string FillRules(Filling filling) {
  const std::string_view text = EmbeddedReportFile("pictures.css");
  std::string rules;
  rules.reserve(2 * text.size());
  for (std::size_t position = 0; position < text.size(); ++position) {
    if (text[position] != '@') {
      if (text[position] != '\n') rules += text[position];
      continue;
    }
    const std::size_t end = text.find_first_of(";}", position);
    const std::string_view name = text.substr(position + 1, end - position - 1);
    const auto* colour = std::ranges::find(kColours, name, &Colour::name);
    if (filling == Filling::Properties) {
      rules += fmt::format("var(--{})", name);
    } else {
      rules += filling == Filling::Light ? colour->light : colour->dark;
    }
    position = end - 1;
  }
  return rules;
}

std::string Properties(std::string_view Colour::*mode) {
  std::string properties;
  for (const Colour& colour : kColours) {
    properties += fmt::format("--{}:{};", colour.name, colour.*mode);
  }
  return properties;
}

constexpr std::array<Rgb, 9> kScale{{{68, 1, 84},
                                     {71, 44, 122},
                                     {59, 81, 139},
                                     {44, 113, 142},
                                     {33, 144, 141},
                                     {39, 173, 129},
                                     {92, 200, 99},
                                     {170, 220, 50},
                                     {253, 231, 37}}};

}  // namespace

std::string LightColours() {
  return Properties(&Colour::light);
}

std::string DarkColours() {
  return Properties(&Colour::dark);
}

std::string InlineSvgStyle() {
  return FillRules(Filling::Properties);
}

std::string StandaloneSvgStyle() {
  return FillRules(Filling::Light) + "@media (prefers-color-scheme:dark){" + FillRules(Filling::Dark) + "}";
}

Rgb ScaleRgb(double fraction) {
  const double place = std::clamp(std::isfinite(fraction) ? fraction : 0.0, 0.0, 1.0) * (kScale.size() - 1);
  const auto below = std::min(static_cast<std::size_t>(place), kScale.size() - 2);
  const double share = place - static_cast<double>(below);
  const auto blend = [share](unsigned char from, unsigned char to) {
    return static_cast<unsigned char>(std::lround(from + share * (to - from)));
  };
  const Rgb& from = kScale[below];
  const Rgb& to = kScale[below + 1];
  return {blend(from.red, to.red), blend(from.green, to.green), blend(from.blue, to.blue)};
}

std::string ScaleColour(double fraction) {
  const Rgb rgb = ScaleRgb(fraction);
  return fmt::format("#{:02x}{:02x}{:02x}", rgb.red, rgb.green, rgb.blue);
}

std::string LineClass(std::size_t index) {
  return fmt::format("l s{}{}", index % kSeriesColours, index >= kSeriesColours ? " dash" : "");
}

}  // namespace openmi
