#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <functional>
#include <system_error>

#include "composition/import/OldComposition.hpp"
#include "openmi/sdk/Lists.hpp"

namespace openmi {

namespace {

namespace fs = std::filesystem;

/// Names of 1.4 and files differ in blanks, case and signs: "Unit Hydrograph", "UnitHydrograph.omi".
std::string Letters(std::string_view text) {
  std::string letters = Lower(text);
  std::erase_if(letters, [](unsigned char sign) { return sign < 0x80 && std::isalnum(sign) == 0; });
  return letters;
}

/// The entry of `folder` whose name differs from `name` in case at most; empty: none.
fs::path AnyCase(const fs::path& folder, const fs::path& name) {
  std::error_code error;
  const std::string wanted = Lower(name.string());
  for (fs::directory_iterator entry(folder.empty() ? "." : folder, error), end; !error && entry != end;
       entry.increment(error)) {
    if (Lower(entry->path().filename().string()) == wanted) return entry->path().filename();
  }
  return {};
}

/// The path of an OMI file on this system. The file need not exist.
fs::path PathOf(const fs::path& folder, std::string text) {
  std::ranges::replace(text, '\\', '/');
  const bool has_drive = text.size() > 1 && text[1] == ':' && std::isalpha(static_cast<unsigned char>(text[0])) != 0;
  const fs::path written = has_drive ? fs::path(text.substr(2)).filename() : fs::path(text);
  fs::path path = written.is_absolute() ? written.root_path() : folder;
  for (const fs::path& part : written.relative_path()) {
    std::error_code error;
    const fs::path found = fs::exists(path / part, error) ? part : AnyCase(path, part);
    path /= found.empty() ? part : found;
  }
  return path.lexically_normal();
}

std::string ModelIdOf(const OmiFile& file) {
  for (const OmiArgument& argument : file.arguments) {
    if (Letters(argument.key) == "modelid") return argument.value;
  }
  return {};
}

void ReadOmi(const OldComposition& old, OldModel& model, Problems& problems) {
  const bool is_named_by_user = old.kind == OldComposition::Kind::Component;
  model.path = is_named_by_user ? old.path : PathOf(old.path.parent_path(), model.omi);
  std::error_code error;
  const bool is_omi = is_named_by_user || Lower(model.path.extension().string()) == ".omi";
  if (!is_omi || !fs::is_regular_file(model.path, error)) return;
  Problems found;
  OmiFile file = ReadOmiFile(model.path, &found);
  const auto first = std::ranges::find(found, Problem::Error, &Problem::severity);
  if (first != found.end()) AddWarning(problems, first->where, first->problem, "read as far as possible");
  if (!file.type.empty() || !file.assembly.empty()) model.file = std::move(file);
}

/// Gives the models of 1.4 the names that links use.
class ModelNames {
 public:
  ModelNames(OldComposition& old, Problems& problems) : old_(old), problems_(problems) {
    const auto add = [&](const OldEnd& end) {
      if (std::ranges::find(open_, end.model_name, &Open::name) == open_.end()) {
        open_.push_back({end.model_name, Letters(end.model_name)});
      }
    };
    for (const OldLink& link : old.links) {
      add(link.from);
      add(link.to);
    }
    std::ranges::for_each(old.triggered, add);
  }

  void Find() {
    for (OldModel& model : old_.models) {
      stems_.push_back(Letters(model.path.stem().string()));
      if (model.file) model.name = ModelIdOf(*model.file);
    }
    std::erase_if(open_, [this](const Open& open) {
      return std::ranges::find(old_.models, open.name, &OldModel::name) != old_.models.end();
    });
    Match([](const std::string& name, const std::string& stem) { return name == stem; }, nullptr);
    Match(
        [](const std::string& name, const std::string& stem) {
          return name.find(stem) != std::string::npos || stem.find(name) != std::string::npos;
        },
        "has a similar name");
    Match([](const std::string&, const std::string&) { return true; }, "is the only one left");
    if (!open_.empty()) AddNamed();
    for (OldLink& link : old_.links) {
      Resolve(link.from);
      Resolve(link.to);
    }
    for (OldEnd& end : old_.triggered) Resolve(end);
  }

 private:
  struct Open {
    std::string name;
    std::string letters;
  };

  /// Takes each pair of a name and a model that fit each other and nothing else.
  /// \param reason  null: certain; else for the warning
  void Match(const std::function<bool(const std::string&, const std::string&)>& fits, const char* reason) {
    const auto is_free = [this](std::size_t model) {
      return old_.models[model].name.empty() && !stems_[model].empty();
    };
    const auto fitting_names = [&](std::size_t model) {
      return std::ranges::count_if(open_, [&](const Open& one) { return fits(one.letters, stems_[model]); });
    };
    std::vector<std::pair<std::string, std::size_t>> pairs;
    for (const Open& open : open_) {
      std::optional<std::size_t> only;
      std::size_t count = 0;
      for (std::size_t model = 0; model < stems_.size() && count < 2; ++model) {
        if (open.letters.empty() || !is_free(model) || !fits(open.letters, stems_[model])) continue;
        only = model;
        ++count;
      }
      if (count == 1 && fitting_names(*only) == 1) pairs.emplace_back(open.name, *only);
    }
    for (const auto& [name, index] : pairs) {
      OldModel& model = old_.models[index];
      model.name = name;
      std::erase_if(open_, [&model](const Open& one) { return one.name == model.name; });
      if (reason == nullptr) continue;
      AddWarning(
          problems_, {.file = old_.path.string(), .line = model.line},
          fmt::format("the model {} of the links is taken to be {}, which {}", Quoted(name), Quoted(model.omi), reason),
          "look at the links; an argument ModelID in the OMI file makes it certain");
    }
  }

  // The names that no model has become models, and the models that no link can be said to name are left out.
  void AddNamed() {
    for (const OldModel& model : old_.models) {
      if (!model.name.empty()) continue;
      AddWarning(
          problems_, {.file = old_.path.string(), .line = model.line},
          fmt::format("left out: the model {}, of which the ids in the links cannot be told", Quoted(model.omi)));
    }
    std::erase_if(old_.models, [](const OldModel& model) { return model.name.empty(); });
    for (const Open& open : open_) {
      OldModel model;
      model.name = open.name;
      old_.models.push_back(std::move(model));
    }
  }

  void Resolve(OldEnd& end) const {
    const auto found = std::ranges::find(old_.models, end.model_name, &OldModel::name);
    end.model = static_cast<std::size_t>(found - old_.models.begin());
  }

  OldComposition& old_;
  Problems& problems_;
  std::vector<Open> open_;          // names of links without a model
  std::vector<std::string> stems_;  // of the OMI files of the models
};

}  // namespace

void FindModels(OldComposition& old, Problems& problems) {
  for (OldModel& model : old.models) {
    if (!model.omi.empty()) ReadOmi(old, model, problems);
  }
  if (old.kind == OldComposition::Kind::Version1) ModelNames(old, problems).Find();
}

}  // namespace openmi
