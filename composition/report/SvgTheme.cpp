#include "composition/report/SvgTheme.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

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

constexpr std::string_view kRules =
    "svg.om{font-family:Inter,'Segoe UI','Helvetica Neue',Roboto,'Noto Sans','Liberation Sans','DejaVu Sans Condensed',"
    "Arial,sans-serif;font-size:11px;font-variant-numeric:tabular-nums}"
    "svg.om .bg{fill:@panel}"
    "svg.om text{fill:@ink}"
    "svg.om .m{fill:@muted}"
    "svg.om .big{font-size:13px;font-weight:600}"
    "svg.om .b{font-weight:600}"
    "svg.om .small{font-size:10px}"
    "svg.om .i{font-style:italic}"
    "svg.om .grid{stroke:@faint;stroke-width:1}"
    "svg.om .axis{stroke:@border;stroke-width:1}"
    "svg.om .zero{stroke:@muted;stroke-width:1}"
    "svg.om .warm{fill:@warmup}"
    "svg.om .warmedge{stroke:@muted;stroke-width:1;stroke-dasharray:3 3;fill:none}"
    "svg.om .nodata{fill:@missing}"
    "svg.om .l{fill:none;stroke-width:1.6;stroke-linejoin:round;stroke-linecap:round}"
    "svg.om .thin{stroke-width:1.1}"
    "svg.om .dash{stroke-dasharray:5 3}"
    "svg.om .obs{fill:none;stroke:@observed;stroke-width:1.3;stroke-linejoin:round}"
    "svg.om .obsdot{fill:@observed}"
    "svg.om .rain{fill:@rain}"
    "svg.om .range{fill:@seriesa;fill-opacity:.15}"
    "svg.om .quart{fill:@seriesa;fill-opacity:.26}"
    "svg.om .over{fill:@seriesb;fill-opacity:.55}"
    "svg.om .under{fill:@seriesa;fill-opacity:.55}"
    "svg.om .box{fill:@panel;stroke:@link;stroke-width:1.2}"
    "svg.om .boxhead{fill:@head}"
    "svg.om .invented{stroke-dasharray:5 3}"
    "svg.om .port{fill:@link}"
    "svg.om .link{fill:none;stroke:@link;stroke-width:1.6}"
    "svg.om .loop{fill:none;stroke:@loop;stroke-width:1.6;stroke-dasharray:6 3}"
    "svg.om .linkend{fill:@link}"
    "svg.om .loopend{fill:@loop}"
    "svg.om .looptext{fill:@loop}"
    "svg.om .chip{fill:@chip;stroke:@chipline;stroke-width:1}"
    "svg.om .elem{stroke:@ink;stroke-width:.7;stroke-opacity:.55;stroke-linejoin:round}"
    "svg.om .halo{paint-order:stroke;stroke:@panel;stroke-width:3px;stroke-linejoin:round}"
    "svg.om .river{fill:none;stroke-width:3.2;stroke-linecap:round;stroke-linejoin:round}"
    "svg.om "
    ".river.invented{stroke-dasharray:8 5;stroke-linecap:butt}"
    "svg.om "
    ".casing{fill:none;stroke:@ink;stroke-opacity:.5;stroke-width:4.6;stroke-linecap:round;stroke-linejoin:round}"
    "svg.om .frame{fill:none;stroke:@border;stroke-width:1}"
    "svg.om .north{fill:@muted}"
    "svg.om .context{fill:none;stroke:@muted;stroke-opacity:.6;stroke-width:1;stroke-linejoin:round}"
    "svg.om .context.line{stroke-width:1.6}"
    "svg.om .cursor{stroke:@muted;stroke-width:1;stroke-dasharray:2 2}"
    "svg.om .s0{stroke:@seriesa}svg.om .f0{fill:@seriesa}"
    "svg.om .s1{stroke:@seriesb}svg.om .f1{fill:@seriesb}"
    "svg.om .s2{stroke:@seriesc}svg.om .f2{fill:@seriesc}"
    "svg.om .s3{stroke:@seriesd}svg.om .f3{fill:@seriesd}"
    "svg.om .s4{stroke:@seriese}svg.om .f4{fill:@seriese}"
    "svg.om .s5{stroke:@seriesf}svg.om .f5{fill:@seriesf}"
    "svg.om .s6{stroke:@seriesg}svg.om .f6{fill:@seriesg}"
    "svg.om .s7{stroke:@seriesh}svg.om .f7{fill:@seriesh}";

enum class Filling { Properties, Light, Dark };

std::string FillRules(Filling filling) {
  std::string rules;
  rules.reserve(2 * kRules.size());
  for (std::size_t position = 0; position < kRules.size(); ++position) {
    if (kRules[position] != '@') {
      rules += kRules[position];
      continue;
    }
    const std::size_t end = kRules.find_first_of(";}", position);
    const std::string_view name = kRules.substr(position + 1, end - position - 1);
    const auto* colour =
        std::find_if(kColours.begin(), kColours.end(), [&](const Colour& candidate) { return candidate.name == name; });
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

std::string FillClass(std::size_t index) {
  return fmt::format("f{}", index % kSeriesColours);
}

}  // namespace openmi
