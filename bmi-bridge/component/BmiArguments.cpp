#include "bmi-bridge/component/BmiArguments.hpp"

#include <fmt/format.h>

#include <utility>

#include "bmi-bridge/model/Library.hpp"
#include "openmi/sdk/Lists.hpp"

namespace openmi::bmi {

BmiArguments AddBmiArguments(ArgumentList& list) {
  const auto text = [&list](const char* id, ArgumentOptions<std::string> options) {
    options.optional = !options.value.has_value();
    return list.Add<std::string>(id, options);
  };
  const auto plain = [&text](const char* id, ArgumentOptions<std::string> options) {
    options.meaning = ArgumentMeaning::Plain;
    return text(id, std::move(options));
  };
  return {
      .library =
          list.Add<std::string>("library", {.caption = "library",
                                            .description = "the shared library: a path, or a name as of an assembly",
                                            .meaning = ArgumentMeaning::Library}),
      .config_file = text("config-file", {.caption = "configuration file",
                                          .description = "what initialize is given",
                                          .meaning = ArgumentMeaning::Path}),
      .working_directory =
          text("working-directory", {.description = "the folder in which the model works; without: that of the process",
                                     .meaning = ArgumentMeaning::Path}),
      .flavour = text("flavour", {.description = "how the library hands its model over; auto: found out",
                                  .value = "auto",
                                  .possible_values = kFlavours.List({"auto"})}),
      .register_function = text(
          "register", {.description = "the function that hands the model over, where its name is not of the usual ones",
                       .meaning = ArgumentMeaning::Library}),
      .needs = text("needs", {.description = "libraries that are loaded before, between semicolons",
                              .value = "",
                              .meaning = ArgumentMeaning::Library}),
      .instances = text("instances",
                        {.description = "one: the library has global state, and a second model at a time is refused",
                         .value = "auto",
                         .possible_values = {"auto", "one"}}),
      .reentrant = list.Add<bool>(
          "reentrant",
          {.description = "the library may be called by several threads at once, each with a model of its own",
           .value = false}),
      .epoch = plain("epoch",
                     {.description = "the time at which the model's own time is 0; without: it begins with the run"}),
      .time_unit =
          plain("time-unit", {.description = "of the model's time, where it does not name one that can be read"}),
      .inputs = plain("inputs", {.description = "variables that become inputs, between semicolons ('*': all, 'none': "
                                                "none); without: all, if there are not more than 100"}),
      .outputs = plain("outputs", {.description = "variables that become outputs, between semicolons; without: all, if "
                                                  "there are not more than 100"}),
      .units = plain("units", {.description = "'name=unit' between semicolons: for variables whose own unit is wrong",
                               .value = ""}),
      .spans = plain(
          "spans",
          {.description = "variables whose values hold over a step (rain, fluxes), between semicolons", .value = ""}),
      .per_step = plain("per-step", {.description = "variables whose values are amounts of a step, between semicolons: "
                                                    "they become rates",
                                     .value = ""}),
      .update_until = text("update-until",
                           {.description = "when update_until is called; auto: for what is no step of the model's own",
                            .value = "auto",
                            .possible_values = {"auto", "always", "never"}}),
      .parameters =
          text("parameters", {.caption = "parameters of the model",
                              .description = "'name=value' between semicolons, several values with blanks: given to "
                                             "set_value after initialize, whether the model lists the names or not",
                              .value = ""}),
      .unset_at_start = plain(
          "unset-at-start",
          {.caption = "outputs that the model sets in its first update only",
           .description = "between semicolons ('*': all, 'none': none): they are missing at the start; without: all, "
                          "where one of them holds what no model means (a subnormal number, or one beyond 1e100)"}),
      .elements_file = text("elements-file",
                            {.caption = "file with the place of a lumped model",
                             .description = "the element that variables without a grid belong to; GeoJSON, WKT or CSV",
                             .meaning = ArgumentMeaning::Path}),
      .id_property = plain("id-property", {.caption = "property or column of that file that holds the ids"}),
      .element = plain("element", {.caption = "id of the element of a lumped model",
                                   .description = "needed where the file has several; with area alone: the component's "
                                                  "caption without"}),
      .area = plain("area", {.caption = "area of a lumped model", .description = "'15.6 km2'"}),
      .elements_system = plain("elements-system",
                               {.description = "reference system of the coordinates, as PROJ knows it ('EPSG:32632')",
                                .value = "local-metres"}),
      .moving_grids = list.Add<bool>(
          "moving-grids", {.description = "the places of all grids are read anew after each step", .value = false}),
  };
}

std::string TextOf(const Argument<std::string>& argument) {
  return argument.HasValue() ? argument.Value() : std::string();
}

std::vector<std::string> ListOf(std::string_view text) {
  return Split(text, ";\n");
}

std::map<std::string, std::string> PairsOf(std::string_view text, const Where& place) {
  std::map<std::string, std::string> pairs;
  for (const std::string& entry : ListOf(text)) {
    const std::size_t equals = entry.find('=');
    if (equals == std::string::npos || equals == 0) {
      throw ArgumentError(place, fmt::format("expected name=value, found '{}'", entry), "put '=' between the two");
    }
    auto [name, value] = PairAt(entry, equals);
    pairs[std::move(name)] = std::move(value);
  }
  return pairs;
}

}  // namespace openmi::bmi
