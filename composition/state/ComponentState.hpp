#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

#include "openmi/standard/IBaseLinkableComponent.hpp"

namespace openmi {

/// Whether a component can give its state as bytes (IManageState and IByteStateConverter).
bool KeepsState(IBaseLinkableComponent& component);

/// The present state of a component as bytes. The component does not keep the state.
/// \pre KeepsState(component)
/// \throws Error  the component's own
Bytes StateBytesOf(IBaseLinkableComponent& component);
/// Makes `bytes` the present state.
/// \throws FormatError  they are not a state of this component, which is unchanged
void RestoreStateBytes(IBaseLinkableComponent& component, ByteView bytes);

/// The name of the file with a component's state in a folder of states: "rain.state". A '/' in the id (ids of nested
/// systems contain it) is written as %2F, and % as %25, so that the file is always in that folder.
std::string StateFileName(const std::string& component_id);

/// Writes the present state of a component into a file, for InitialState of a composition.
/// \throws FileError  the file cannot be written
/// \throws Error      the component's own
void WriteComponentState(const std::filesystem::path& path, IBaseLinkableComponent& component);
/// Reads a file of WriteComponentState.
/// \returns the bytes for RestoreStateBytes
/// \throws FileError    the file does not exist or cannot be read
/// \throws FormatError  it is no state file, or was changed
Bytes ReadComponentState(const std::filesystem::path& path);

}  // namespace openmi
