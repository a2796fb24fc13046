#pragma once

#include <cstddef>

#include "openmi/standard/IIdentifiable.hpp"
#include "openmi/standard/Value.hpp"

namespace openmi {

/// Converts kept states to bytes and back.
///
/// Optional; only for components that implement IManageState.
///
/// Source: OGC 11-014r3, requirement 11.2 (/req/manage-state/IByteStateConverter), table 32.
class IByteStateConverter {
 public:
  virtual ~IByteStateConverter() = default;

  /// Creates a kept state from bytes. The state of the component does not change.
  /// \returns the id of the new state
  /// \throws FormatError  the bytes are not a state of this component
  virtual const IIdentifiable& ConvertFromByteArray(ByteView bytes) = 0;

  /// The bytes of a kept state.
  /// \throws ArgumentError  the state is unknown
  virtual Bytes ConvertToByteArray(const IIdentifiable& state_id) = 0;
};

}  // namespace openmi
