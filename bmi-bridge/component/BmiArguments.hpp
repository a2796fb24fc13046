#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "bmi-bridge/model/Library.hpp"
#include "openmi/sdk/ArgumentList.hpp"
#include "openmi/sdk/Error.hpp"

namespace openmi::bmi {

/// The arguments of a BMI model, in the order of their declaration.
struct BmiArguments {
  ArgumentList& list;  ///< that declares them; borrowed

  Argument<std::string> library =
      list.Add<std::string>("library", {.caption = "library",
                                        .description = "the shared library: a path, or a name as of an assembly",
                                        .meaning = ArgumentMeaning::Library});
  Argument<std::string> config_file = list.AddText(
      "config-file",
      {.caption = "configuration file", .description = "what initialize is given", .meaning = ArgumentMeaning::Path});
  Argument<std::string> working_directory = list.AddText(
      "working-directory", {.description = "the folder in which the model works; without: that of the process",
                            .meaning = ArgumentMeaning::Path});
  Argument<std::string> flavour =
      list.AddText("flavour", {.description = "how the library hands its model over; auto: found out",
                               .value = "auto",
                               .possible_values = kFlavours.List({"auto"})});
  Argument<std::string> register_function =
      list.AddText("register", {.description = "the function that hands the model over, where its name is not of the "
                                               "usual ones; or the class, where a file in Python has several",
                                .meaning = ArgumentMeaning::Library});
  Argument<std::string> needs =
      list.AddText("needs", {.description = "libraries that are loaded before, between semicolons",
                             .value = "",
                             .meaning = ArgumentMeaning::Library});
  Argument<std::string> instances = list.AddText(
      "instances", {.description = "one: the library has global state, and a second model at a time is refused",
                    .value = "auto",
                    .possible_values = {"auto", "one"}});
  Argument<bool> reentrant = list.Add<bool>(
      "reentrant", {.description = "the library may be called by several threads at once, each with a model of its own",
                    .value = false});
  Argument<std::string> epoch = list.AddPlain(
      "epoch", {.description = "the time at which the model's own time is 0; without: it begins with the run"});
  Argument<std::string> time_unit =
      list.AddPlain("time-unit", {.description = "of the model's time, where it does not name one that can be read"});
  Argument<std::string> inputs =
      list.AddPlain("inputs", {.description = "variables that become inputs, between semicolons ('*': all, 'none': "
                                              "none); without: all, if there are not more than 100"});
  Argument<std::string> outputs =
      list.AddPlain("outputs", {.description = "variables that become outputs, between semicolons; without: all, if "
                                               "there are not more than 100"});
  Argument<std::string> units = list.AddPlain(
      "units", {.description = "'name=unit' between semicolons: for variables whose own unit is wrong", .value = ""});
  Argument<std::string> spans = list.AddPlain(
      "spans",
      {.description = "variables whose values hold over a step (rain, fluxes), between semicolons", .value = ""});
  Argument<std::string> per_step =
      list.AddPlain("per-step", {.description = "variables whose values are amounts of a step, between semicolons: "
                                                "they become rates",
                                 .value = ""});
  Argument<std::string> update_until = list.AddText(
      "update-until", {.description = "when update_until is called; auto: for what is no step of the model's own",
                       .value = "auto",
                       .possible_values = {"auto", "always", "never"}});
  Argument<std::string> parameters = list.AddText(
      "parameters", {.caption = "parameters of the model",
                     .description = "'name=value' between semicolons, several values with blanks: given to "
                                    "set_value after initialize, whether the model lists the names or not",
                     .value = ""});
  Argument<std::string> unset_at_start = list.AddPlain(
      "unset-at-start",
      {.caption = "outputs that the model sets in its first update only",
       .description = "between semicolons ('*': all, 'none': none): they are missing at the start; without: all, "
                      "where one of them holds what no model means (a subnormal number, or one beyond 1e100)"});
  Argument<std::string> states = list.AddText(
      "states", {.caption = "how states are kept",
                 .description = "auto: by the variables of the library for that, where it has them; replay: by doing "
                                "again all steps since the start, for models that then give the same values",
                 .value = "auto",
                 .possible_values = {"auto", "replay", "none"}});
  Argument<std::string> state_variables = list.AddPlain(
      "state-variables", {.caption = "variables that are the state of the model",
                          .description = "between semicolons: all that the model remembers from step to step"});
  Argument<int> retries =
      list.Add<int>("retries", {.caption = "how often a step that fails is halved",
                                .description = "the model is set back and makes two half steps; 0: the run ends",
                                .value = 0,
                                .minimum = 0,
                                .maximum = 20});
  Argument<std::string> elements_file = list.AddText(
      "elements-file", {.caption = "file with the places that the model does not give",
                        .description = "of variables that have as many values, and no places in the model; with "
                                       "'element' or one element: of a lumped model; GeoJSON, WKT or CSV",
                        .meaning = ArgumentMeaning::Path});
  Argument<std::string> id_property =
      list.AddPlain("id-property", {.caption = "property or column of that file that holds the ids"});
  Argument<std::string> element =
      list.AddPlain("element", {.caption = "id of the element of a lumped model",
                                .description = "one of several in the file; with area alone: the component's caption "
                                               "without"});
  Argument<std::string> area =
      list.AddPlain("area", {.caption = "area of a lumped model", .description = "'15.6 km2'"});
  Argument<std::string> elements_system = list.AddPlain(
      "elements-system",
      {.description = "reference system of the coordinates, as PROJ knows it ('EPSG:32632')", .value = "local-metres"});
  Argument<bool> moving_grids = list.Add<bool>(
      "moving-grids", {.description = "the places of all grids are read anew after each step", .value = false});
};

/// The names between semicolons or line ends, without spaces around them; empty ones are omitted.
///
/// Commas and spaces may be part of a name.
std::vector<std::string> ListOf(std::string_view text);

/// The entries "name=value" between semicolons.
/// \param place  component and argument, for messages
/// \throws ArgumentError  an entry has no '=', or no name before it
std::map<std::string, std::string> PairsOf(std::string_view text, const Where& place);

}  // namespace openmi::bmi
