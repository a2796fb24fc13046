#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "openmi/standard/IBaseLinkableComponent.hpp"

namespace openmi {

/// Whether a component can keep its state as bytes (IManageState and IByteStateConverter).
bool KeepsState(IBaseLinkableComponent& component);

/// The present state of a component as bytes; nothing stays kept in it.
/// \pre KeepsState(component)
/// \throws Error  the component's own
std::vector<std::byte> StateBytesOf(IBaseLinkableComponent& component);
/// Makes `bytes` the present state.
/// \throws FormatError  they are not a state of this component; it is as it was
void RestoreStateBytes(IBaseLinkableComponent& component, std::span<const std::byte> bytes);

/// The name of the file that holds a component's state in a folder of states: "rain.state". A '/' in the id (nested
/// systems have such) does not lead into another folder: it is written as %2F, and % as %25.
std::string StateFileName(const std::string& component_id);

/// Writes the present state of a component into a file of its own: what InitialState of a composition reads.
/// \throws FileError, Error
void WriteComponentState(const std::filesystem::path& path, IBaseLinkableComponent& component);
/// \returns the bytes for RestoreStateBytes
/// \throws FileError, FormatError
std::vector<std::byte> ReadComponentState(const std::filesystem::path& path);

}  // namespace openmi
