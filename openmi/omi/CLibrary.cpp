#include "openmi/omi/CLibrary.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <string_view>

namespace openmi {
namespace {

constinit std::atomic<CComponentMaker> the_maker = nullptr;
constinit std::atomic<CFactoryMaker> the_factory_maker = nullptr;

// Members up to and with `balance` are those of version 1 of the interface.
constexpr std::size_t kTypeSize = offsetof(openmi_component, balance) + sizeof(openmi_component::balance);
constexpr std::size_t kLibrarySize = offsetof(openmi_component_library, types) + sizeof(void*);

constexpr std::size_t kAdaptorSize = offsetof(openmi_adaptor, destroy) + sizeof(openmi_adaptor::destroy);

constexpr char kSetSize[] = "set its member size to sizeof the struct, and build the library again";

/// \param refuse  takes a problem and a remedy
void RequireAdaptors(const openmi_component& type, const auto& refuse) {
  const std::span<const openmi_adaptor* const> adaptors = CAdaptorsOf(type);
  for (std::size_t i = 0; i < adaptors.size(); ++i) {
    const openmi_adaptor& adaptor = *adaptors[i];
    if (adaptor.size < kAdaptorSize) {
      refuse(
          fmt::format("expected {} bytes or more in the table of adaptor {} of the type '{}', found {}, in a library",
                      kAdaptorSize, i + 1, type.type, adaptor.size),
          kSetSize);
    }
    if (adaptor.id == nullptr || *adaptor.id == '\0') {
      refuse(fmt::format("expected an id of adaptor {} of the type '{}', found none, in a library", i + 1, type.type),
             "set its member id");
    }
    if (adaptor.map == nullptr) {
      refuse(
          fmt::format("expected the function 'map' in the table of the adaptor '{}' of the type '{}', found null, in "
                      "a library",
                      adaptor.id, type.type),
          "set that member to a function");
    }
    const auto is_same = [&](const openmi_adaptor* other) { return std::string_view(other->id) == adaptor.id; };
    if (std::ranges::any_of(adaptors.first(i), is_same)) {
      refuse(fmt::format("expected adaptors of the type '{}' with different ids, found '{}' twice, in a library",
                         type.type, adaptor.id),
             "give one of them another id");
    }
  }
}

}  // namespace

void RegisterCComponentMaker(CComponentMaker maker) noexcept {
  the_maker = maker;
}

void RegisterCFactoryMaker(CFactoryMaker maker) noexcept {
  the_factory_maker = maker;
}

std::span<const openmi_adaptor* const> CAdaptorsOf(const openmi_component& type) {
  const bool knows_adaptors = type.size >= offsetof(openmi_component, adaptors) + sizeof(openmi_component::adaptors);
  if (!knows_adaptors || type.adaptors == nullptr) return {};
  std::size_t count = 0;
  while (type.adaptors[count] != nullptr) ++count;
  return {type.adaptors, count};
}

void RequireCVersion(const std::vector<int>& versions, const std::string& path, const Where& where) {
  if (std::ranges::find(versions, OPENMI_C_COMPONENT_VERSION) != versions.end()) return;
  throw LoadError(where,
                  fmt::format("expected the library '{}' to export version {} of the interface for components in C, "
                              "found version {}",
                              path, OPENMI_C_COMPONENT_VERSION, fmt::join(versions, ", ")),
                  "build the library with the openmi_component.h of this program, or use a program that knows that "
                  "version");
}

void RequireCType(const openmi_component* type, const std::string& place, const Where& where) {
  const auto refuse = [&](const std::string& problem, const char* remedy) {
    throw LoadError(where, fmt::format("{} of {}", problem, place), remedy);
  };
  if (type->size < kTypeSize) {
    refuse(
        fmt::format("expected {} bytes or more in the table of a type, found {}, in a library", kTypeSize, type->size),
        kSetSize);
  }
  if (type->type == nullptr || *type->type == '\0') {
    refuse("expected a name in the table of a type, found none, in a library", "set its member type");
  }
  const auto require = [&](const char* name, bool is_there) {
    if (is_there) return;
    refuse(fmt::format("expected the function '{}' in the table of the type '{}', found null, in a library", name,
                       type->type),
           "set that member to a function");
  };
  require("create", type->create != nullptr);
  require("step", type->step != nullptr);
  require("load", type->load != nullptr || type->save == nullptr);
  require("save", type->save != nullptr || type->load == nullptr);
  RequireAdaptors(*type, refuse);
}

std::vector<const openmi_component*> CTypesOf(const openmi_component_library* table, const std::string& from,
                                              const std::string& place, const Where& where) {
  if (table == nullptr || table->size < kLibrarySize || table->types == nullptr) {
    throw LoadError(
        where,
        fmt::format("expected {} to return a table of types, found {}", from,
                    table == nullptr             ? std::string("null")
                    : table->size < kLibrarySize ? fmt::format("one of {} bytes", table->size)
                                                 : std::string("one without a list")),
        table != nullptr && table->size < kLibrarySize ? kSetSize : "return a list of types, ended by null");
  }
  std::vector<const openmi_component*> types;
  for (const openmi_component* const* type = table->types; *type != nullptr; ++type) {
    RequireCType(*type, place, where);
    types.push_back(*type);
  }
  return types;
}

std::vector<const openmi_component*> CTypesOf(const SharedLibrary& library, const Where& where) {
  const std::string place = fmt::format("'{}'", library.Path());
  auto* const entry_point = library.FunctionNamed<const openmi_component_library*()>(kCEntryPoint);
  return CTypesOf(entry_point(), fmt::format("{} of {}", kCEntryPoint, place), place, where);
}

std::unique_ptr<IBaseLinkableComponent> MakeCComponent(const openmi_component& type, const std::string& library) {
  const CComponentMaker maker = the_maker;
  if (maker == nullptr) {
    throw LoadError({}, "expected a program that makes components in C, found one without openmi::timespace",
                    "link the program with openmi::timespace");
  }
  return maker(type, library);
}

std::unique_ptr<IAdaptedOutputFactory> MakeCFactory(const openmi_component& type) {
  const CFactoryMaker maker = the_factory_maker;
  return maker == nullptr || CAdaptorsOf(type).empty() ? nullptr : maker(type);
}

}  // namespace openmi
