#include "bmi-bridge/component/ModelFacts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <set>

#include "openmi/sdk/Unit.hpp"

namespace openmi::bmi {
namespace {

constexpr std::size_t kMostValues = 100'000'000;

class Answers {
 public:
  Answers(Model& model, Problems& problems) : model_(model), problems_(problems) {}

  void CheckVariable(const std::string& name) {
    const auto type = model_.VarType(name);
    const auto itemsize = model_.VarItemsize(name);
    const auto nbytes = model_.VarNbytes(name);
    if (!type) return Add(name, "expected get_var_type to succeed, found that it fails");
    if (!itemsize || *itemsize <= 0) return Add(name, "expected get_var_itemsize to give a size, found none");
    if (!nbytes || *nbytes <= 0) return Add(name, "expected get_var_nbytes to give a size, found none");
    if (!NumberTypeNamed(*type, *itemsize)) {
      Warn(name, fmt::format("expected a type of numbers, found '{}' of {} bytes", *type, *itemsize));
      return;
    }
    if (*nbytes % *itemsize != 0) {
      return Add(name, fmt::format("expected whole items of {} bytes, found {} bytes", *itemsize, *nbytes));
    }
    const auto count = static_cast<std::size_t>(*nbytes / *itemsize);
    CheckUnits(name);
    CheckGrid(name, count);
    if (count <= kMostValues) CheckValues(name, static_cast<std::size_t>(*nbytes));
  }
  void CheckTime() {
    const auto start = model_.StartTime();
    const auto end = model_.EndTime();
    const double now = model_.CurrentTime();
    if (!start) Warn("get_start_time", "expected a start, found that it fails");
    if (start && now < *start) Add("get_current_time", fmt::format("expected {} or later, found {}", *start, now));
    if (end && now > *end) Add("get_end_time", fmt::format("expected {} or later, found {}", now, *end));
    const auto step = model_.TimeStep();
    if (!step || !(*step > 0.0)) Warn("get_time_step", "expected a step above 0, found none");
    if (!model_.CanUpdate()) Warn("update", "expected a function, found none");
  }

 private:
  void Add(const std::string& item, const std::string& problem) {
    AddError(problems_, model_.Place(item), problem, "");
  }
  void Warn(const std::string& item, const std::string& problem) {
    AddWarning(problems_, model_.Place(item), problem, "");
  }
  void CheckUnits(const std::string& name) {
    const auto units = model_.VarUnits(name);
    if (!units) return Warn(name, "expected get_var_units to succeed, found that it fails");
    try {
      Unit::Parse(*units);
    } catch (const UnitError&) {
      if (!MeansNoUnit(*units)) Warn(name, fmt::format("expected a unit that UDUNITS-2 reads, found '{}'", *units));
    }
  }
  void CheckGrid(const std::string& name, std::size_t count) {
    const auto grid = model_.VarGrid(name);
    if (!grid) return Warn(name, "expected get_var_grid to succeed, found that it fails");
    const std::string type = model_.GridType(*grid).value_or(std::string());
    if (type.empty()) return Warn(name, fmt::format("expected a type of grid {}, found none", *grid));
    const auto size = model_.GridSize(*grid);
    const std::string location = model_.VarLocation(name).value_or(std::string());
    const bool at_nodes = location.empty() || location == "node" || location == "none";
    if (size && at_nodes && type != "none" && static_cast<std::size_t>(*size) != count) {
      Add(name, fmt::format("expected {} values, as many as grid {} has nodes, found {}", *size, *grid, count));
    }
  }
  /// What get_value copies is what get_value_ptr shows.
  void CheckValues(const std::string& name, std::size_t nbytes) {
    Bytes copy(nbytes);
    try {
      model_.GetValue(name, copy.data());
    } catch (const ModelError& error) {
      return Add(name, error.Problem());
    }
    const void* const shown = model_.ValuePtr(name);
    if (shown != nullptr && std::memcmp(shown, copy.data(), nbytes) != 0) {
      Add(name, "expected the same values by get_value and get_value_ptr, found others");
    }
  }

  Model& model_;
  Problems& problems_;
};

}  // namespace

std::vector<VariableFacts> ReadVariables(Model& model, std::vector<std::string>& warnings) {
  std::vector<VariableFacts> facts;
  const auto add = [&](const std::string& name, bool is_input) {
    const auto known = std::ranges::find(
        facts, name, [](const VariableFacts& one) -> const std::string& { return one.variable.name; });
    const bool is_new = known == facts.end();
    VariableFacts& fact = is_new ? facts.emplace_back() : *known;
    if (is_new) {
      fact.variable = ReadVariable(model, name, warnings);
      if (fact.variable.grid) fact.grid_type = model.GridType(*fact.variable.grid).value_or(std::string());
    }
    (is_input ? fact.is_input : fact.is_output) = true;
  };
  for (const std::string& name : model.InputNames()) add(name, true);
  for (const std::string& name : model.OutputNames()) add(name, false);
  return facts;
}

void CheckAnswers(Model& model, Problems& problems) {
  Answers answers(model, problems);
  answers.CheckTime();
  std::set<std::string> names;
  for (const auto& list : {model.InputNames(), model.OutputNames()}) names.insert(list.begin(), list.end());
  for (const std::string& name : names) answers.CheckVariable(name);
  if (names.empty()) AddWarning(problems, model.Place(), "expected variables, found none", "");
}

}  // namespace openmi::bmi
