#include "study/model/Member.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <iterator>
#include <optional>
#include <set>
#include <system_error>
#include <utility>

#include "composition/link/Variables.hpp"
#include "composition/state/ComponentState.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Suggest.hpp"
#include "timespace/times/Iso8601.hpp"

namespace openmi {
namespace {

namespace fs = std::filesystem;

std::string TextOfFile(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::string text((std::istreambuf_iterator<char>(file)), {});
  if (!file) {
    throw FileError({.file = path.string()}, "expected a readable template, found none",
                    "check the path; it is relative to the study");
  }
  return text;
}

/// Calls `take` with each piece of text, and with each name between "@{" and "}".
template <class Take>
void ForEachPiece(std::string_view text, const Take& take) {
  while (true) {
    const std::size_t begin = text.find("@{");
    const std::size_t end = begin == std::string_view::npos ? begin : text.find('}', begin);
    if (end == std::string_view::npos) return take(text, std::string_view());
    take(text.substr(0, begin), text.substr(begin + 2, end - begin - 2));
    text.remove_prefix(end + 1);
  }
}

/// An id as a part of the name of a file.
std::string FileNameOf(const std::string& id) {
  return fs::path(StateFileName(id)).stem().string();
}

std::vector<std::string> VaryIds(const StudyFile& study) {
  std::vector<std::string> ids;
  for (const VarySpec& vary : study.varies) ids.push_back(vary.id);
  return ids;
}

std::vector<std::string> ComponentIds(const CompositionFile& file) {
  std::vector<std::string> ids;
  for (const ComponentSpec& component : file.components) ids.push_back(component.id);
  return ids;
}

}  // namespace

StudyPlan::StudyPlan(StudyFile study, CompositionFile composition, Problems& problems)
    : study_(std::move(study)), composition_(std::move(composition)) {
  std::error_code ignored;
  const auto folder = [](const fs::path& path) { return path.empty() ? fs::path(".") : path; };
  is_beside_ = fs::equivalent(folder(study_.Folder()), folder(composition_.Folder()), ignored);
  CheckTargets(problems);
  for (const TemplateSpec& spec : study_.templates) {
    try {
      templates_.push_back(TextOfFile(study_.Folder() / spec.of));
    } catch (const FileError& error) {
      templates_.emplace_back();
      AddError(problems, {.file = study_.path.string(), .line = spec.line},
               fmt::format("{}: '{}'", error.Problem(), spec.of), error.Remedy());
    }
  }
  CheckTemplates(problems);
}

void StudyPlan::CheckTargets(Problems& problems) const {
  const std::vector<std::string> components = ComponentIds(composition_);
  const auto check_component = [&](const std::string& id, int line) {
    if (id.empty() || composition_.Component(id) != nullptr) return;
    AddError(problems, {.file = study_.path.string(), .line = line},
             fmt::format("expected the Id of a component of '{}', found {}", study_.composition, Quoted(id)),
             Suggest(id, components));
  };
  for (const VarySpec& vary : study_.varies) {
    check_component(vary.component, vary.line);
    if (vary.link.empty()) continue;
    const auto link = std::ranges::find(composition_.links, vary.link, &LinkSpec::id);
    if (link == composition_.links.end()) {
      std::vector<std::string> links;
      for (const LinkSpec& one : composition_.links) {
        if (!one.id.empty()) links.push_back(one.id);
      }
      AddError(problems, {.file = study_.path.string(), .line = vary.line},
               fmt::format("expected the Id of a link of '{}', found {}", study_.composition, Quoted(vary.link)),
               Suggest(vary.link, links));
    } else if (static_cast<std::size_t>(vary.adaptor) > link->adaptors.size()) {
      AddError(problems, {.file = study_.path.string(), .line = vary.line},
               fmt::format("expected adaptor {} on the link {}, found {} adaptors", vary.adaptor, Quoted(vary.link),
                           link->adaptors.size()),
               "put an adaptor on the link in the composition; the study replaces it, or sets its arguments");
    }
  }
  for (const TemplateSpec& spec : study_.templates) check_component(spec.component, spec.line);
  for (const ObjectiveSpec& objective : study_.objectives) {
    const Where where{.file = study_.path.string(), .line = objective.line};
    if (!objective.compare.empty()) {
      std::vector<std::string> ids;
      for (const CompareSpec& compare : composition_.compares) ids.push_back(compare.id);
      const auto compare = std::ranges::find(composition_.compares, objective.compare, &CompareSpec::id);
      if (compare == composition_.compares.end()) {
        AddError(problems, where,
                 fmt::format("expected the Id of a Compare of '{}', found {}", study_.composition,
                             Quoted(objective.compare)),
                 Suggest(objective.compare, ids));
        continue;
      }
      std::vector<std::string> labels;
      for (const WindowSpec& window : compare->windows) labels.push_back(window.label);
      if (!objective.window.empty() && std::ranges::find(labels, objective.window) == labels.end()) {
        AddError(problems, where,
                 fmt::format("expected the Label of a Window of the Compare {}, found {}", Quoted(objective.compare),
                             Quoted(objective.window)),
                 Suggest(objective.window, labels));
      }
    } else if (!objective.item.empty()) {
      std::vector<std::string> ids;
      for (const ObserveSpec& observe : composition_.observes) {
        ids.push_back(observe.id.empty() ? observe.item.Text() : observe.id);
      }
      if (std::ranges::find(ids, objective.item) == ids.end()) {
        AddError(problems, where,
                 fmt::format("expected an observed item of '{}', found {}", study_.composition, Quoted(objective.item)),
                 Suggest(objective.item, ids));
      }
    }
  }
  if (const auto& run = composition_.run; study_.branch && run && run->from && run->to) {
    if (*study_.branch <= *run->from || *study_.branch >= *run->to) {
      AddError(problems, {.file = study_.path.string(), .line = study_.branch_line},
               fmt::format("expected a time within the run, from {} to {}, found {}", FormatIsoTime(*run->from),
                           FormatIsoTime(*run->to), FormatIsoTime(*study_.branch)),
               "branch at a time at which all components end a step");
    }
  }
  if (composition_.observes.empty() && composition_.compares.empty()) {
    AddWarning(problems, {.file = composition_.path.string()},
               "expected an Observe or a Compare in the composition of a study, found none",
               "nothing is recorded of the members; add <Observe Item=\"component.item\"/>");
  }
}

void StudyPlan::CheckTemplates(Problems& problems) const {
  const std::vector<std::string> ids = VaryIds(study_);
  std::set<std::string, std::less<>> used;
  for (std::size_t i = 0; i < templates_.size(); ++i) {
    bool has_name = false;
    ForEachPiece(templates_[i], [&](std::string_view piece, std::string_view name) {
      (void)piece;
      if (name.empty()) return;
      if (std::ranges::find(ids, name) == ids.end()) {
        AddError(problems, {.file = (study_.Folder() / study_.templates[i].of).string()},
                 fmt::format("expected the Id of a Vary between @{{ and }}, found {}", Quoted(name)),
                 Suggest(name, ids));
      }
      has_name = true;
      used.emplace(name);
    });
    if (!has_name && !templates_[i].empty()) {
      AddWarning(problems, {.file = study_.path.string(), .line = study_.templates[i].line},
                 fmt::format("expected a name such as @{{{}}} in '{}', found none", ids.empty() ? "id" : ids.front(),
                             study_.templates[i].of),
                 "the file is the same for all members");
    }
  }
  for (const VarySpec& vary : study_.varies) {
    if (vary.target != VaryTarget::Template || used.contains(vary.id) || templates_.empty()) continue;
    AddError(problems, {.file = study_.path.string(), .line = vary.line},
             fmt::format("expected a target of Vary {}, found no template that uses it", Quoted(vary.id)),
             fmt::format("write @{{{}}} in a template, or give it a target", vary.id));
  }
}

std::string StudyPlan::FromStudy(const std::string& path) const {
  if (is_beside_ || fs::path(path).is_absolute() || path.starts_with("${")) return path;
  return fs::absolute(study_.Folder() / path).lexically_normal().string();
}

std::string StudyPlan::Filled(std::string_view text, const MemberValues& values) const {
  std::string filled;
  ForEachPiece(text, [&](std::string_view piece, std::string_view name) {
    filled += piece;
    if (name.empty()) return;
    const auto vary = std::ranges::find(study_.varies, name, &VarySpec::id);
    filled += values[static_cast<std::size_t>(vary - study_.varies.begin())];
  });
  return filled;
}

void StudyPlan::Apply(const VarySpec& vary, const std::string& value, CompositionFile& file) const {
  const auto listed = std::ranges::find(vary.values, value, &VaryValue::text);
  const std::vector<ArgumentSpec>* const arguments = listed != vary.values.end() ? &listed->arguments : nullptr;
  const auto component = std::ranges::find(file.components, vary.component, &ComponentSpec::id);
  const auto adaptor = [&]() -> AdaptorSpec& {
    return std::ranges::find(file.links, vary.link, &LinkSpec::id)
        ->adaptors[static_cast<std::size_t>(vary.adaptor - 1)];
  };
  switch (vary.target) {
    case VaryTarget::Template:
      return;
    case VaryTarget::Argument:
      return SetArgumentOf(file, vary.component, vary.argument,
                           is_beside_ ? value : BesideFile(study_.Folder(), value));
    case VaryTarget::Component:
      component->omi = FromStudy(value);
      component->type.clear();
      component->assembly.clear();
      if (arguments != nullptr && !arguments->empty()) component->arguments = *arguments;
      return;
    case VaryTarget::InitialState:
      component->initial_state = value.empty() ? value : FromStudy(value);
      return;
    case VaryTarget::Adaptor:
      adaptor().id = value;
      if (arguments != nullptr && !arguments->empty()) adaptor().arguments = *arguments;
      return;
    case VaryTarget::AdaptorArgument: {
      std::vector<ArgumentSpec>& list = adaptor().arguments;
      const auto known = std::ranges::find(list, vary.argument, &ArgumentSpec::key);
      if (known != list.end()) {
        known->value = value;
      } else {
        list.push_back({.key = vary.argument, .value = value, .line = adaptor().line});
      }
      return;
    }
  }
}

void StudyPlan::BranchOff(CompositionFile& file) const {
  RunSpec& run = *file.run;
  run.warm_up = std::max(Days(), run.warm_up - (*study_.branch - *run.from));
  run.from = study_.branch;
  for (ComponentSpec& component : file.components) {
    const fs::path state = branch_folder_ / StateFileName(component.id);
    std::error_code ignored;
    if (!fs::exists(state, ignored)) {
      throw FileError({.file = state.string(), .component = component.id},
                      "expected the state from which the members of this study begin, found none",
                      "openmi study resume makes the branch again if its folder is removed");
    }
    component.initial_state = state.string();
  }
}

Member StudyPlan::Make(const MemberValues& values, const std::filesystem::path& folder) const {
  Member member{composition_, {}};
  if (study_.branch) BranchOff(member.composition);
  if (values.empty()) return member;
  // Whole components and adaptors first: arguments of others are set in them.
  for (const bool is_whole : {true, false}) {
    for (std::size_t k = 0; k < values.size(); ++k) {
      const VarySpec& vary = study_.varies[k];
      if ((vary.target == VaryTarget::Component || vary.target == VaryTarget::Adaptor) != is_whole) continue;
      Apply(vary, values[k], member.composition);
    }
  }
  for (std::size_t i = 0; i < templates_.size(); ++i) {
    const TemplateSpec& spec = study_.templates[i];
    fs::path name = fs::path(spec.of).filename();
    if (name.extension() == ".in") name.replace_extension();
    // With the argument, since a component may have two templates of one file name in two folders.
    fs::path path = fs::absolute(folder) /
                    fmt::format("{}-{}-{}", FileNameOf(spec.component), FileNameOf(spec.argument), name.string());
    SetArgumentOf(member.composition, spec.component, spec.argument, path.string());
    member.files.push_back({std::move(path), Filled(templates_[i], values)});
  }
  return member;
}

void WriteMemberFiles(const Member& member) {
  for (const MemberFile& one : member.files) {
    std::error_code error;
    fs::create_directories(one.path.parent_path(), error);
    std::ofstream file(one.path, std::ios::binary | std::ios::trunc);
    file << one.text;
    file.flush();
    if (file) continue;
    throw FileError(
        {.file = one.path.string()},
        "expected to write the file of a template, found: " + std::error_code(errno, std::generic_category()).message(),
        "check that the folder may be written to and has room");
  }
}

CompositionFile MovedTo(CompositionFile composition, const std::filesystem::path& folder) {
  const fs::path from = fs::absolute(composition.Folder().empty() ? "." : composition.Folder());
  const fs::path to = fs::absolute(folder.empty() ? "." : folder);
  std::error_code ignored;
  if (fs::equivalent(from, to, ignored)) return composition;
  const auto move = [&](std::string& path) {
    if (path.empty() || fs::path(path).is_absolute() || path.starts_with("${")) return;
    const fs::path whole = from / path;
    if (fs::exists(whole, ignored)) path = whole.lexically_normal().lexically_relative(to.lexically_normal()).string();
  };
  for (ComponentSpec& component : composition.components) {
    move(component.omi);
    move(component.assembly);
    move(component.initial_state);
    for (ArgumentSpec& argument : component.arguments) move(argument.value);
    if (!component.population) continue;
    move(component.population->table.of);
    for (TableSpec& table : component.population->tables) move(table.of);
    for (NetworkSpec& network : component.population->networks) move(network.edges.of);
  }
  for (LinkSpec& link : composition.links) {
    for (AdaptorSpec& adaptor : link.adaptors) {
      for (ArgumentSpec& argument : adaptor.arguments) move(argument.value);
    }
  }
  return composition;
}

}  // namespace openmi
