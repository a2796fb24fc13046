#pragma once

#include <cstddef>
#include <span>

#include "openmi/standard/IIdentifiable.hpp"
#include "openmi/standard/Value.hpp"

namespace openmi {

/// Turns kept states into bytes and back. Optional; only together with IManageState.
///
/// Source: OGC 11-014r3, requirement 11.2 (/req/manage-state/IByteStateConverter), table 32.
class IByteStateConverter {
 public:
  virtual ~IByteStateConverter() = default;

  /// Makes a kept state of bytes; does not make it the current one.
  /// \returns the id of the new state
  /// \throws FormatError  the bytes are not a state of this component
  virtual const IIdentifiable& ConvertFromByteArray(std::span<const std::byte> bytes) = 0;

  /// \throws ArgumentError  the state is unknown
  virtual Bytes ConvertToByteArray(const IIdentifiable& state_id) = 0;
};

}  // namespace openmi
