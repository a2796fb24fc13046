#include "composition/import/OldOperation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "openmi/sdk/Lists.hpp"

namespace openmi {

namespace {

struct Mapping {
  std::string_view number;
  const char* adaptor;
};
constexpr std::array<Mapping, 16> kMappings = {{{"100", "nearest"},
                                                {"101", "inverse-distance"},
                                                {"200", "nearest"},
                                                {"201", "inverse-distance"},
                                                {"300", "points-in-polygon-mean"},
                                                {"301", "points-in-polygon-sum"},
                                                {"400", "nearest"},
                                                {"401", "inverse-distance"},
                                                {"500", "lines-in-polygon-mean"},
                                                {"501", "lines-in-polygon-sum"},
                                                {"600", "value-at"},
                                                {"700", "polygons-on-line-mean"},
                                                {"701", "polygons-on-line-sum"},
                                                {"800", "area-weighted-mean"},
                                                {"801", "area-weighted-sum"},
                                                {"802", "area-weighted-distribute"}}};

/// The arguments that only describe an operation, in the SDK of 1.4.
constexpr std::array<std::string_view, 7> kDescriptions = {
    "type", "id", "description", "fromelementtype", "toelementtype", "caption", "doextendeddatavalidation"};

/// Letters and digits in lower case: "Linear Conversion" and "LinearConversion" are the same.
std::string Plain(std::string_view text) {
  std::string plain = Lower(text);
  std::erase_if(plain, [](unsigned char sign) { return std::isalnum(sign) == 0 && sign < 0x80; });
  return plain;
}

/// "flow => TimeInterpolator" and "Oatc.OpenMI.Sdk.Decorators.LinearConversion" without what stands in front.
std::string_view LastPart(std::string_view id) {
  if (const std::size_t arrow = id.rfind("=>"); arrow != std::string_view::npos) id.remove_prefix(arrow + 2);
  if (const std::size_t dot = id.rfind('.'); dot != std::string_view::npos) id.remove_prefix(dot + 1);
  return Trimmed(id);
}

/// Takes arguments out of an operation, and reports those that are left.
class Arguments {
 public:
  Arguments(const AdaptorSpec& old, const Where& where, Problems& problems)
      : old_(old), where_(where), problems_(problems), is_taken_(old.arguments.size(), false) {}

  /// Adds the number of the argument to `adaptor` under another key.
  void Number(std::string_view key, const char* new_key, const char* otherwise, AdaptorSpec& adaptor) {
    std::string value = otherwise;
    for (std::size_t i = 0; i < old_.arguments.size(); ++i) {
      const ArgumentSpec& argument = old_.arguments[i];
      if (Plain(LastPart(argument.key)) != key) continue;
      is_taken_[i] = true;
      if (const auto number = AsNumber<double>(argument.value); number && std::isfinite(*number)) {
        value = argument.value;
      } else {
        Where place = where_;
        place.line = argument.line;
        AddError(problems_, place,
                 fmt::format("expected a number in the argument {} of {}, found {}; {} is written in its place",
                             Quoted(argument.key), Quoted(old_.id), Quoted(argument.value), otherwise),
                 "write the number with a point");
      }
    }
    adaptor.arguments.push_back({new_key, value, 0});
  }

  /// Whether an argument has this value, or is absent.
  bool IsOrAbsent(std::string_view key, double value) {
    bool is_so = true;
    for (std::size_t i = 0; i < old_.arguments.size(); ++i) {
      if (Plain(LastPart(old_.arguments[i].key)) != key) continue;
      is_taken_[i] = true;
      is_so = AsNumber<double>(old_.arguments[i].value) == value;
    }
    return is_so;
  }

  void ReportOthers() {
    for (std::size_t i = 0; i < old_.arguments.size(); ++i) {
      const ArgumentSpec& argument = old_.arguments[i];
      if (is_taken_[i] || std::ranges::find(kDescriptions, Plain(argument.key)) != kDescriptions.end()) continue;
      Where place = where_;
      place.line = argument.line;
      AddWarning(problems_, place,
                 fmt::format("left out: the argument {} of {}, whose value is {}", Quoted(argument.key),
                             Quoted(old_.id), Quoted(argument.value)));
    }
  }

 private:
  const AdaptorSpec& old_;
  const Where& where_;
  Problems& problems_;
  std::vector<bool> is_taken_;
};

void AddMapping(const Mapping& mapping, const Where& where, LinkSpec& link, Problems& problems) {
  AdaptorSpec adaptor{.id = mapping.adaptor, .factory = {}, .arguments = {}};
  if (mapping.number.ends_with("01") && adaptor.id == "inverse-distance") {
    adaptor.arguments = {{"power", "1", 0}, {"neighbours", "0", 0}};  // weights 1/d of all sources
  }
  if (mapping.number >= "300" && mapping.number[0] != '4') {
    adaptor.arguments.push_back({"uncovered", "fill", 0});  // its matrix has zeros there
    AddNote(problems, where,
            fmt::format("targets that no source reaches get 0 from '{}', as before; without its argument 'uncovered' "
                        "they are refused",
                        mapping.adaptor));
  }
  link.adaptors.push_back(std::move(adaptor));
}

// mapping, time, values
int RankOf(const AdaptorSpec& adaptor) {
  return adaptor.id == "linear" ? 1 : adaptor.id == "linear-operation" ? 2 : 0;
}

}  // namespace

void AddOldOperation(const AdaptorSpec& old, const Where& where, LinkSpec& link, Problems& problems) {
  const std::string name = Plain(LastPart(old.id));
  Arguments arguments(old, where, problems);
  AdaptorSpec adaptor;
  constexpr std::string_view kMapper = "elementmapper";
  const auto* mapping = std::ranges::find(
      kMappings, name.starts_with(kMapper) ? std::string_view(name).substr(kMapper.size()) : "", &Mapping::number);
  if (mapping != kMappings.end()) {
    AddMapping(*mapping, where, link, problems);
  } else if (name == "linearconversion" || name == "linearoperation" || name == "linearconversiondataoperation" ||
             Lower(old.id).ends_with(".sourceadapters.linear")) {
    adaptor.id = "linear-operation";
    arguments.Number("a", "a", "1", adaptor);
    arguments.Number("b", "b", "0", adaptor);
  } else if (name == "bufferingandtemporalextrapolation" || name == "smartbuffer") {
    adaptor = {.id = "linear", .factory = {}, .arguments = {{"extrapolation", "relaxed", 0}}};
    arguments.Number("relaxationfactor", "relaxation", "0", adaptor);
  } else if (name == "timeinterpolator" || name == "timeinterpolatorid") {
    adaptor.id = "linear";
  } else if (name == "timeextrapolator") {
    adaptor = {.id = "linear", .factory = {}, .arguments = {{"extrapolation", "relaxed", 0}}};
    arguments.Number("relaxation", "relaxation", "1", adaptor);
  } else if (name == "elementoperation300" && arguments.IsOrAbsent("areaexponent", 1.0)) {
    adaptor.id = "times-element-area";
  } else if (name == "identityadaptedoutput") {
    AddNote(problems, where, fmt::format("left out: {}, which changes nothing", Quoted(old.id)));
  } else {
    std::string found = Quoted(old.id);
    if (!old.factory.empty()) found += fmt::format(" of the factory {}", Quoted(old.factory));
    for (const ArgumentSpec& argument : old.arguments) {
      found += fmt::format(", {} = {}", Quoted(argument.key), Quoted(argument.value));
    }
    AddError(problems, where, fmt::format("expected an operation of the OpenMI SDK, found {}; it is left out", found),
             "put the adaptor that does the same on the link; openmi adaptors lists those that fit");
    return;
  }
  if (!adaptor.id.empty()) link.adaptors.push_back(std::move(adaptor));
  arguments.ReportOthers();
}

void CompleteVersion1(LinkSpec& link) {
  if (std::ranges::find(link.adaptors, "linear", &AdaptorSpec::id) == link.adaptors.end()) {
    link.adaptors.push_back({.id = "linear", .factory = {}, .arguments = {}});
  }
  std::ranges::stable_sort(link.adaptors, {}, RankOf);
}

}  // namespace openmi
