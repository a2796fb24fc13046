// What the groups of a composition need on another host, and which components cannot go there.

#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "composition/check/CheckComposition.hpp"
#include "composition/link/Composition.hpp"
#include "composition/results/FileHash.hpp"
#include "openmi/omi/LibrarySearch.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/standard/IBaseInput.hpp"
#include "openmi/standard/IBaseOutput.hpp"
#include "openmi/standard/IValueDefinition.hpp"

namespace openmi {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostFiles = 100;  // that are named for a group

/// The files of a group, each once.
struct GroupFiles {
  std::set<std::string> seen;
  std::size_t left_out = 0;
};

class Groups {
 public:
  Groups(Composition& composition, Problems& problems, std::vector<GroupFile>* all)
      : composition_(composition), problems_(problems), all_(all) {}

  void Check(const Instance& instance) {
    const Where where = composition_.Place(instance.spec->line, instance.Id());
    const std::vector<std::string> groups = GroupsOf(*instance.spec);
    std::string group = fmt::format("group '{}'", groups.front());
    if (groups.size() > 1) {
      const std::string all = fmt::format("groups '{}' to '{}'", groups.front(), groups.back());
      AddNote(problems_, where, fmt::format("is in {} parts if one of its groups has a host: {}", groups.size(), all));
      group = "each of the " + all;
    }
    if (instance.omi.assembly.empty()) {
      AddWarning(problems_, where,
                 fmt::format("expected a component of a library in {}, found one of the program itself: it "
                             "cannot leave this host",
                             group));
      return;
    }
    for (const IBaseInput* item : instance.Component().Inputs()) CheckItem(*item, group, where);
    for (const IBaseOutput* item : instance.Component().Outputs()) CheckItem(*item, group, where);
    ids_ = groups;
    if (groups.size() > 1) ids_.push_back(instance.spec->apart.group);
    Need(instance.omi.path, group, where);
    try {
      const OmiFile& omi = instance.omi;
      Need(LibrarySearch().Find(omi.assembly, omi.path.string(), omi.assembly_line), group, where);
    } catch (const Error&) {  // the component is there all the same: its library was found in another way
    }
    const fs::path beside = instance.omi.path.empty() ? composition_.File().Folder() : instance.omi.path.parent_path();
    for (const IArgument* argument : instance.Component().Arguments()) {
      if (argument->ValueType().kind != ValueKind::String) continue;
      const std::string value = argument->ValueAsString();
      constexpr std::size_t kLongestPath = 4096;
      if (!value.empty() && value.size() < kLongestPath && value.find('\n') == std::string::npos) {
        Need(beside / value, group, where);
      }
    }
  }

  void Finish() {
    for (const auto& [group, files] : files_) {
      if (files.left_out == 0) continue;
      AddNote(problems_, composition_.Place(0), fmt::format("{} needs {} more files", group, files.left_out));
    }
  }

 private:
  void CheckItem(const IBaseExchangeItem& item, const std::string& group, Where where) {
    if (item.ValueDefinition().ValueType().kind != ValueKind::Object) return;
    where.item = item.Id();
    AddWarning(problems_, where,
               fmt::format("expected values that can be sent from {}, found objects of the component's own "
                           "type: it cannot leave this host",
                           group));
  }

  void Need(const fs::path& path, const std::string& group, const Where& where) {
    std::error_code error;
    const fs::path whole = fs::weakly_canonical(path, error);
    if (error || !fs::is_regular_file(whole, error)) return;
    GroupFiles& files = files_[group];
    if (!files.seen.insert(whole.string()).second) return;
    const bool is_named = files.seen.size() <= kMostFiles;
    if (!is_named) ++files.left_out;
    if (!is_named && all_ == nullptr) return;
    const std::string sha256 = HashFile(whole);
    if (is_named)
      AddNote(problems_, where, fmt::format("{} needs {} on its host (sha256 {})", group, whole.string(), sha256));
    if (all_ == nullptr) return;
    for (const std::string& id : ids_) all_->push_back({id, whole.string(), sha256});
  }

  Composition& composition_;
  Problems& problems_;
  std::vector<GroupFile>* all_;
  std::vector<std::string> ids_;  // of the groups of the component
  std::map<std::string, GroupFiles> files_;
};

}  // namespace

void CheckGroups(Composition& composition, Problems& problems, std::vector<GroupFile>* files) {
  Groups groups(composition, problems, files);
  for (const Instance& instance : composition.Instances()) {
    if (instance.IsThere() && !instance.spec->apart.group.empty()) groups.Check(instance);
  }
  groups.Finish();
}

}  // namespace openmi
