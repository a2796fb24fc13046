#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "composition/import/ngen/ForcingSource.hpp"
#include "composition/import/ngen/ImportNgen.hpp"
#include "composition/import/ngen/Realization.hpp"
#include "composition/model/CompositionFile.hpp"
#include "openmi/sdk/Problem.hpp"

namespace openmi::ngen {

/// The output with the runoff of catchments, and the adaptors that make a depth in m of it.
struct CatchmentFlow {
  ItemSpec from;
  std::vector<AdaptorSpec> adaptors;
  std::string table;  ///< of the catchments it is for; empty: all
};

/// The links between the modules of a formulation, as ngen passes values.
///
/// In each step the modules run in their order. An input is found by its name in ngen: in the forcing, else in the
/// modules before it, else in those after it, whose values are those of the step before.
class GroupLinks {
 public:
  explicit GroupLinks(const Formulation& formulation) : formulation_(formulation) {}

  /// \param id  of its component
  void AddModule(std::string id, ModuleItems items);
  /// \param id  of its component; `source` is borrowed
  void SetForcing(std::string id, const ForcingSource& source);

  /// Finds a provider of each input, and what is observed. \pre  all modules are added
  void Connect(const std::string& file, Problems& problems);

  std::vector<LinkSpec>& Links() { return links_; }
  const std::vector<ItemSpec>& Observed() const { return observed_; }
  /// Components that the run has to ask first, so that those before them get values of the step before.
  const std::vector<std::string>& FirstAsked() const { return first_asked_; }
  /// Columns of the forcing that are used: component and column.
  const std::set<std::pair<std::string, std::string>>& UsedColumns() const { return used_columns_; }
  /// Adds which variables of a module are items, and which hold over a step.
  void AddArguments(std::size_t module, std::vector<ArgumentSpec>& arguments) const;
  /// The runoff; nothing: there is no such output, which is reported.
  std::optional<CatchmentFlow> Flow(const std::string& file, Problems& problems) const;

 private:
  struct Member {
    std::string id;
    ModuleItems items;
    std::set<std::string> inputs, outputs;  // that are linked or observed
    std::set<std::string> instants;         // those that hold at the end of a step
    std::set<std::string> unset;            // of these, those that are missing before the first step
  };
  /// What gives a variable: a module, or the forcing.
  struct Provider {
    int module = -1;  // negative: the forcing
    ModuleItem item;
  };
  struct Wanted {
    std::size_t module;
    ModuleItem item;
    std::string alias;
  };

  void LinkFrom(const Provider& provider, const Wanted& wanted, bool is_look_back);
  void LookBack(const Wanted& wanted);
  /// A name in `variables_names_map` that the module does not have, as the end of a remedy; empty: there is none.
  std::string UnknownAlias(std::size_t module) const;
  /// By its name in ngen, else by that in its module; null: there is none.
  const Provider* Find(const std::string& name) const;
  void Observe(const std::string& name);
  std::string PlaceOf(std::size_t module, const std::string& item) const;

  const Formulation& formulation_;
  std::vector<Member> members_;
  std::string forcing_;
  std::map<std::string, Provider> available_;  // by ngen's name
  std::vector<LinkSpec> links_;
  std::vector<ItemSpec> observed_;
  std::vector<std::string> first_asked_;
  std::set<std::pair<std::string, std::string>> used_columns_;
  std::string file_;
  Problems* problems_ = nullptr;
};

}  // namespace openmi::ngen
