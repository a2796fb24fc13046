#include "openmi/omi/LoadOmi.hpp"

#include <fmt/format.h>

#include <vector>

#include "openmi/sdk/IArgumentMeaning.hpp"
#include "openmi/sdk/Suggest.hpp"

namespace openmi {

namespace {

// The argument that `key` names; null if there is none. `by_caption`: found by its caption, not by its id.
IArgument* Find(IBaseLinkableComponent& component, const std::string& key, bool& by_caption) {
  by_caption = false;
  for (IArgument* argument : component.Arguments()) {
    if (argument->Id() == key) return argument;
  }
  by_caption = true;
  for (IArgument* argument : component.Arguments()) {
    if (argument->Caption() == key) return argument;
  }
  return nullptr;
}

std::vector<std::string> Ids(const IBaseLinkableComponent& component) {
  std::vector<std::string> ids;
  for (const IArgument* argument : component.Arguments()) ids.push_back(argument->Id());
  return ids;
}

// The earlier setting that forbids a change; null if `argument` may be set.
const OmiArgument* Protection(const IArgument& argument, std::span<const OmiArgument> protected_arguments) {
  const OmiArgument* protection = nullptr;
  for (const OmiArgument& before : protected_arguments) {
    if (before.read_only && (before.key == argument.Id() || before.key == argument.Caption())) protection = &before;
  }
  return protection;
}

void SetOne(IBaseLinkableComponent& component, const OmiArgument& given, const Where& where, Problems& problems,
            std::span<const OmiArgument> protected_arguments) {
  bool by_caption = false;
  IArgument* argument = Find(component, given.key, by_caption);
  if (argument == nullptr) {
    AddError(problems, where, fmt::format("expected the id of an argument, found '{}'", given.key),
             Suggest(given.key, Ids(component)));
    return;
  }
  if (by_caption) {
    AddNote(problems, where, fmt::format("expected the id '{}' of an argument, found its caption", argument->Id()),
            "write the id: a caption may change");
  }
  if (argument->IsReadOnly()) {
    if (argument->ValueAsString() == given.value) return;
    AddError(problems, where,
             fmt::format("expected an argument that can be set, found one that is read-only and has the value '{}'",
                         argument->ValueAsString()),
             "leave it out");
    return;
  }
  if (const OmiArgument* before = Protection(*argument, protected_arguments); before != nullptr) {
    if (before->value == given.value) return;
    AddError(problems, where,
             fmt::format("expected an argument that may be changed, found one that the OMI file fixes at '{}'",
                         before->value),
             "leave it out, or remove ReadOnly in the OMI file");
    return;
  }
  argument->SetValueAsString(given.value);
}

LoadedComponent Made(ComponentLoader& loader, const OmiFile& omi, Problems& problems) {
  const std::string path = omi.path.string();
  const auto or_root = [&omi](int line) { return line > 0 ? line : omi.line; };
  // Held until the component is created, so that the library is opened only once.
  const auto library = loader.Library(omi.assembly, path, or_root(omi.assembly_line));
  std::string type = omi.type;
  if (type.empty()) {
    const std::vector<std::string> types = loader.Types(omi.assembly, path, or_root(omi.assembly_line));
    const Where where{.file = path, .line = or_root(omi.type_line)};
    if (types.size() != 1) {
      throw LoadError(where, fmt::format("expected a Type, found none, where the library has {}", types.size()),
                      Suggest(type, types));
    }
    type = types.front();
    AddNote(problems, where, fmt::format("expected a Type, found none; '{}' is the only one of the library", type),
            fmt::format("write Type=\"{}\"", type));
  }
  return loader.Load(omi.assembly, type, path, or_root(omi.type_line));
}

}  // namespace

void SetArguments(IBaseLinkableComponent& component, std::span<const OmiArgument> arguments, const Where& where,
                  Problems& problems, std::span<const OmiArgument> protected_arguments) {
  for (const OmiArgument& given : arguments) {
    Where place = where;
    if (given.line > 0) place.line = given.line;
    place.item = given.key;
    try {
      SetOne(component, given, place, problems, protected_arguments);
    } catch (const Error& error) {
      AddError(problems, place, error.Problem(), error.Remedy());
    } catch (const std::exception& error) {
      AddError(problems, place,
               fmt::format("expected a value of the argument, found '{}': {}", given.value, error.what()));
    }
  }
}

LoadedComponent LoadOmi(ComponentLoader& loader, const OmiFile& omi, Problems* problems) {
  Problems found;
  LoadedComponent loaded;
  CheckPlatform(omi, found);
  if (problems == nullptr && HasErrors(found))
    throw LoadError(found.front().where, found.front().problem, found.front().remedy);
  try {
    loaded = Made(loader, omi, found);
    if (auto* root = dynamic_cast<IFileRoot*>(loaded.component.get())) root->SetFileRoot(omi.Folder().string());
    const std::size_t before = found.size();
    SetArguments(*loaded.component, omi.arguments, {.file = omi.path.string()}, found);
    for (std::size_t i = before; problems == nullptr && i < found.size(); ++i) {
      if (found[i].severity != Problem::Error) continue;
      throw ArgumentError(found[i].where, found[i].problem, found[i].remedy);
    }
  } catch (const LoadError& error) {
    if (problems == nullptr) throw;
    AddError(found, error.Place(), error.Problem(), error.Remedy());
  }
  if (problems != nullptr) problems->insert(problems->end(), found.begin(), found.end());
  return loaded;
}

}  // namespace openmi
