#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "openmi/c/openmi_component.h"
#include "openmi/omi/SharedLibrary.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/standard/IAdaptedOutputFactory.hpp"
#include "openmi/standard/IBaseLinkableComponent.hpp"

namespace openmi {

/// The name of the entry point of a library with components in C.
inline constexpr char kCEntryPoint[] = "openmi_c_component_1";
/// The part of that name before the version.
inline constexpr char kCEntryPointStem[] = "openmi_c_component_";

/// Makes a component of a type that a library describes in C.
/// \param type     checked; stays in place as long as the component
/// \param library  the real path of the library
using CComponentMaker = std::unique_ptr<IBaseLinkableComponent> (*)(const openmi_component& type,
                                                                    const std::string& library);

/// Registers what makes these components, which lies in a layer above. The last registration counts.
void RegisterCComponentMaker(CComponentMaker maker) noexcept;

/// Makes the factory of the adaptors that a type of components offers.
using CFactoryMaker = std::unique_ptr<IAdaptedOutputFactory> (*)(const openmi_component& type);

/// Registers what makes these factories, as above.
void RegisterCFactoryMaker(CFactoryMaker maker) noexcept;

/// The adaptors that a type offers; none of a library of before there were any.
std::span<const openmi_adaptor* const> CAdaptorsOf(const openmi_component& type);

/// Checks that a library with these versions of the entry point can be used.
/// \param versions  of the entry points that it exports; not empty
/// \throws LoadError  the version of this program is not among them
void RequireCVersion(const std::vector<int>& versions, const std::string& path, const Where& where);

/// Checks the table of a type.
/// \param place  names the library in messages
/// \throws LoadError  the table is too short, a required function is null, or its members contradict each other
void RequireCType(const openmi_component* type, const std::string& place, const Where& where);

/// The types in a table of a library, checked.
/// \param from   what gave the table, for messages: "openmi_c_component_1 of '...'"
/// \param place  names the library in messages
/// \throws LoadError  as `RequireCType`, or there is no table
std::vector<const openmi_component*> CTypesOf(const openmi_component_library* table, const std::string& from,
                                              const std::string& place, const Where& where);
/// The types of a library with the entry point for C, checked.
/// \throws LoadError  as above
std::vector<const openmi_component*> CTypesOf(const SharedLibrary& library, const Where& where);

/// A component of that type.
/// \throws LoadError  nothing is registered that makes one
std::unique_ptr<IBaseLinkableComponent> MakeCComponent(const openmi_component& type, const std::string& library);
/// The factory of the adaptors that a type offers.
/// \returns null: it offers none, or this program has no links to put them on
std::unique_ptr<IAdaptedOutputFactory> MakeCFactory(const openmi_component& type);

}  // namespace openmi
