#pragma once

#include <memory>
#include <string>

#include "openmi/c/openmi_component.h"
#include "timespace/standard/ITimeSpaceComponent.hpp"

namespace openmi::c {

/// A component of a type that is described in C. It offers states and a balance if the type does.
///
/// Types of libraries come here through the ComponentLoader. A program, or a bridge to another language, may also fill
/// a table of its own.
/// \param type     as `RequireCType` checks it; borrowed
/// \param library  the real path of the library of the type: the key of its family
/// \throws ModelError  `create` fails
std::unique_ptr<ITimeSpaceComponent> MakeComponent(const openmi_component& type, const std::string& library);

/// The functions that the components call.
///
/// A call that the rules of openmi_component.h forbid changes nothing, and makes the call of the component fail in
/// which it happened.
const openmi_host& HostTable();

}  // namespace openmi::c
