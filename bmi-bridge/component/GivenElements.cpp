#include <fmt/format.h>

#include <charconv>
#include <span>
#include <string_view>
#include <vector>

#include "bmi-bridge/component/GridElements.hpp"
#include "openmi/sdk/Lists.hpp"
#include "openmi/sdk/Suggest.hpp"
#include "openmi/sdk/Unit.hpp"
#include "timespace/elements/ElementCopies.hpp"
#include "timespace/files/ElementFile.hpp"

namespace openmi::bmi {

std::vector<std::string> IdsOf(const ElementSet& elements) {
  std::vector<std::string> ids;
  for (int i = 0; i < elements.ElementCount(); ++i) ids.push_back(elements.IdOf(i));
  return ids;
}

std::shared_ptr<const ElementSet> GivenElements(const BmiArguments& arguments, const Model& model,
                                                const std::string& caption, const std::string& path) {
  const std::string file = TextOf(arguments.elements_file);
  const std::string area = TextOf(arguments.area);
  const std::string wanted = TextOf(arguments.element);
  if (file.empty() && area.empty()) {
    if (wanted.empty()) return nullptr;
    return std::make_shared<const ElementSet>(ElementSet::IdBased(caption, {wanted}));
  }
  const Argument<std::string>& system = arguments.elements_system;
  ElementSet elements = file.empty()
                            ? ElementSet::IdBased(caption, {wanted.empty() ? caption : wanted})
                            : ReadElementFile(path, caption,
                                              {.ids = TextOf(arguments.id_property),
                                               .reference_system = system.Item().IsSet() ? system.Value() : ""});
  if (!file.empty() && !wanted.empty()) {
    const int index = elements.IndexOf(wanted);
    if (index < 0) {
      throw ArgumentError(model.Place("element"), fmt::format("expected an element of '{}', found '{}'", file, wanted),
                          Suggest(wanted, IdsOf(elements)));
    }
    elements = SubsetOf(elements, std::span(&index, 1));
  }
  if (!area.empty()) {
    double value = 0.0;
    const auto [end, error] = std::from_chars(area.data(), area.data() + area.size(), value);
    const std::string unit(Trimmed(std::string_view(end, static_cast<std::size_t>(area.data() + area.size() - end))));
    const bool is_number = error == std::errc() && value > 0.0;
    bool is_area = false;
    try {
      is_area = is_number && Convertible(Unit::Parse(unit), Unit::Parse("m2"));
    } catch (const UnitError&) {  // refused below
    }
    if (elements.ElementCount() != 1) {
      throw ArgumentError(
          model.Place("area"),
          fmt::format("expected one element with that area, found the {} of '{}'", elements.ElementCount(), file),
          "name one in the argument 'element', or give areas in the file");
    }
    if (!is_area) {
      throw ArgumentError(model.Place("area"), fmt::format("expected an area above 0 with its unit, found '{}'", area),
                          "write it as in '15.6 km2'");
    }
    elements.SetAttribute("area", unit, {value});
  }
  return std::make_shared<const ElementSet>(std::move(elements));
}

}  // namespace openmi::bmi
