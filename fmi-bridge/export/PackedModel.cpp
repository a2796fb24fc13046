#include "fmi-bridge/export/PackedModel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>

#include "composition/isolation/IsolatedComponent.hpp"
#include "fmi-bridge/common/archive/UnpackedArchive.hpp"
#include "fmi-bridge/export/ExportSource.hpp"
#include "openmi/omi/ComponentLoader.hpp"
#include "openmi/omi/DotnetAssembly.hpp"
#include "openmi/omi/LibrarySearch.hpp"
#include "openmi/omi/Script.hpp"
#include "openmi/sdk/ArgumentItem.hpp"
#include "openmi/sdk/Error.hpp"

namespace openmi::exported {
namespace {

namespace fs = std::filesystem;

/// `path` relative to `base` if it is inside; else empty.
fs::path Inside(const fs::path& path, const fs::path& base) {
  const fs::path relative = path.lexically_relative(base);
  return relative.empty() || *relative.begin() == ".." ? fs::path() : relative;
}

fs::path Real(const fs::path& path) {
  std::error_code error;
  const fs::path real = fs::canonical(path, error);
  return error ? fs::absolute(path).lexically_normal() : real;
}

}  // namespace

PackedModel::PackedModel(const Composition& composition, fs::path folder)
    : composition_(composition), folder_(std::move(folder)) {
  fs::create_directories(folder_);
}

fs::path PackedModel::FileOf(const CompositionFile& file, const OmiFile& omi, const std::string& value) {
  if (value.empty() || value.size() > 1024 || value.find('\n') != std::string::npos) return {};
  std::error_code error;
  const fs::path path(value);
  for (const fs::path& base : {file.Folder(), omi.Folder()}) {
    const fs::path found = path.is_absolute() ? path : base / path;
    if (fs::is_regular_file(found, error)) return Real(found);
    if (fs::is_regular_file(found / "modelDescription.xml", error)) return Real(found);  // an unpacked FMU
  }
  if (path.extension() != ".fmu") return {};
  const fs::path found = FindArchive(path, omi.Folder() / path);
  return fs::is_regular_file(found, error) ? Real(found) : fs::path();
}

std::string PackedModel::Place(const fs::path& path) {
  const fs::path real = Real(path);
  if (const auto known = placed_.find(real); known != placed_.end()) return known->second;
  const fs::path base = Real(composition_.File().path.has_parent_path() ? composition_.File().Folder() : ".");
  fs::path place = Inside(real, base);
  const bool is_taken = std::ranges::any_of(placed_, [&](const auto& one) { return one.second == place.string(); });
  if (place.empty() || place == "composition.xml" || is_taken) {
    place = fs::path("files") / fmt::format("{}", placed_.size() + 1) / real.filename();
  }
  std::error_code error;
  fs::create_directories((folder_ / place).parent_path(), error);
  fs::copy(real, folder_ / place, fs::copy_options::recursive | fs::copy_options::overwrite_existing, error);
  if (error) {
    throw FileError({.file = real.string()},
                    fmt::format("expected a file that can be copied into the FMU, found: {}", error.message()));
  }
  placed_.emplace(real, place.string());
  return place.string();
}

void PackedModel::Include(const fs::path& path) {
  if (!fs::exists(path)) {
    throw FileError({.file = path.string()}, "expected a file to be included in the FMU, found none");
  }
  Place(path);
}

std::string PackedModel::Moved(const OmiFile& omi, const std::string& value) {
  if (Script::IsNamedBy(value) && !needs_python_) {  // of a BMI model
    needs_python_ = true;
    AddNote(notes_, {.file = value}, "modules that a model in Python imports are not part of the FMU",
            "include them, or install them where the FMU is to run");
  }
  const fs::path file = FileOf(composition_.File(), omi, value);
  return file.empty() ? value : Place(file);
}

std::string PackedModel::LibraryFor(const Instance& instance) {
  const OmiFile& omi = instance.omi;
  if (omi.assembly.empty()) {
    throw LoadError({.file = omi.path.string(), .component = instance.Id()},
                    "expected a component out of a library, found one of the program itself",
                    "put it into a library of its own");
  }
  if (Script::IsNamedBy(omi.assembly)) return ScriptFor(instance);
  const fs::path library = Real(LibrarySearch().Find(omi.assembly, omi.path.string(), omi.assembly_line));
  if (DotnetAssembly::IsOne(library.string())) {
    throw LoadError({.file = omi.path.string(), .line = omi.assembly_line, .component = instance.Id()},
                    "expected a component that can be packed into an FMU, found an assembly of .NET",
                    "run the composition itself: the runtime of .NET is not part of an FMU");
  }
  for (const auto& [name, path] : libraries_) {
    if (path == library) return name;
  }
  std::string name = library.filename().string();
  while (libraries_.contains(name)) name = "other-" + name;
  libraries_.emplace(name, library);
  return name;
}

// A script keeps its place beside the files that it imports.
std::string PackedModel::ScriptFor(const Instance& instance) {
  const OmiFile& omi = instance.omi;
  needs_python_ = true;
  const std::string found = LibrarySearch().Find(omi.assembly, omi.path.string(), omi.assembly_line);
  if (Script::IsModule(found)) {
    AddNote(notes_, {.component = instance.Id()}, fmt::format("the Python module '{}' is not part of the FMU", found),
            "install it where the FMU is to run");
    return found;
  }
  const std::vector<std::string> files =
      Script::Open(found, {.file = omi.path.string(), .line = omi.assembly_line})->Files();
  fs::path root = fs::path(files.front()).parent_path();
  for (const std::string& file : files) {
    while (Inside(file, root).empty()) root = root.parent_path();
  }
  std::string folder;
  const auto is_taken = [&](const std::string& file) {
    const auto known = libraries_.find(folder + Inside(file, root).string());
    return known != libraries_.end() && known->second != file;
  };
  for (int number = 2; std::ranges::any_of(files, is_taken); ++number) folder = fmt::format("{}/", number);
  for (const std::string& file : files) libraries_.emplace(folder + Inside(file, root).string(), file);
  return folder + Inside(files.front(), root).string();
}

bool PackedModel::IsLeftOut(const Instance& instance, const std::string& key) {
  const auto arguments = instance.Component().Arguments();
  const auto found = std::ranges::find_if(arguments, [&](const IArgument* one) { return one->Id() == key; });
  if (found == arguments.end() || !IsSecret(**found)) return false;
  AddNote(notes_, {.component = instance.Id(), .item = key}, "a secret is not written into the FMU",
          "the importer's side has to give it, where the component asks for it");
  return true;
}

ComponentSpec PackedModel::Packed(const Instance& instance) {
  ComponentSpec spec = *instance.spec;
  spec.omi.clear();
  spec.assembly = LibraryFor(instance);
  spec.type = instance.omi.type;
  if (spec.type.empty()) {
    ComponentLoader loader;
    spec.type = loader.Types(instance.omi.assembly, instance.omi.path.string()).at(0);
  }
  const bool is_apart = dynamic_cast<const IsolatedComponent*>(&instance.Component()) != nullptr;
  if (is_apart && spec.apart.isolation != Isolation::Process) {
    AddWarning(notes_, {.component = instance.Id()},
               spec.apart.isolation == Isolation::Instance
                   ? "expected a component that lives in the process of the FMU, found Isolation=\"instance\""
                   : "expected a component that lives in the process of the FMU, found one that another one keeps out "
                     "of it",
               "it runs only where the importer keeps the permission to execute files of the FMU, which FMPy, among "
               "others, does not; a process for each instance of the FMU is there in any case");
  }
  // The FMU has a separate process anyway.
  if (spec.apart.isolation == Isolation::Process) spec.apart = {};
  Problems problems;
  spec.arguments.clear();
  if (form_ != nullptr) {
    spec.type = form_->type;
    for (const auto& [key, value] : form_->arguments) {
      spec.arguments.push_back({.key = key, .value = Moved(instance.omi, value), .line = 0});
    }
    return spec;
  }
  for (const OmiArgument& argument : instance.omi.arguments) {
    const bool is_replaced =
        std::ranges::any_of(instance.spec->arguments, [&](const ArgumentSpec& own) { return own.key == argument.key; });
    if (is_replaced || IsLeftOut(instance, argument.key)) continue;
    spec.arguments.push_back({.key = argument.key, .value = Moved(instance.omi, argument.value), .line = 0});
  }
  for (const ArgumentSpec& argument : instance.spec->arguments) {
    if (IsLeftOut(instance, argument.key)) continue;
    const std::string value = Substitute(argument.value, composition_.Values(), {.component = instance.Id()}, problems);
    spec.arguments.push_back({.key = argument.key, .value = Moved(instance.omi, value), .line = 0});
  }
  AddDefaultFiles(instance, spec);
  if (!spec.initial_state.empty()) {
    const std::string value =
        Substitute(spec.initial_state, composition_.Values(), {.component = instance.Id()}, problems);
    spec.initial_state = Moved(instance.omi, value);
  }
  ThrowIfErrors(problems);
  return spec;
}

// Adds files that are the default of an argument: the component would search for them next to its library.
void PackedModel::AddDefaultFiles(const Instance& instance, ComponentSpec& spec) {
  for (const IArgument* argument : instance.Component().Arguments()) {
    const std::string key = argument->Id();
    const std::string value = argument->ValueAsString();
    const bool is_given = std::ranges::any_of(spec.arguments, [&](const ArgumentSpec& one) { return one.key == key; });
    if (is_given || value.empty() || argument->IsReadOnly() || MeaningOf(*argument) != ArgumentMeaning::Path) continue;
    const fs::path file = FileOf(composition_.File(), instance.omi, value);
    if (!file.empty()) spec.arguments.push_back({.key = key, .value = Place(file), .line = 0});
  }
}

std::string PackedModel::Write(const std::vector<std::string>& triggers) {
  CompositionFile packed = composition_.File();
  packed.path = folder_ / "composition.xml";
  packed.components.clear();
  // Variables have been replaced in what is written: the FMU must not replace any.
  for (const Instance& instance : composition_.Instances()) {
    ComponentSpec& spec = packed.components.emplace_back(Packed(instance));
    for (ArgumentSpec& argument : spec.arguments) argument.value = AsItIs(argument.value);
    spec.initial_state = AsItIs(spec.initial_state);
  }
  OmiFile here;
  here.path = composition_.File().path;
  Problems problems;
  for (LinkSpec& link : packed.links) {
    for (AdaptorSpec& adaptor : link.adaptors) {
      for (ArgumentSpec& argument : adaptor.arguments) {
        argument.value =
            AsItIs(Moved(here, Substitute(argument.value, composition_.Values(), {.item = adaptor.id}, problems)));
      }
    }
  }
  ThrowIfErrors(problems);
  LeaveToMaster(packed);
  packed.run->trigger = triggers;
  WriteCompositionFile(packed, packed.path);
  return packed.path.filename().string();
}

}  // namespace openmi::exported
