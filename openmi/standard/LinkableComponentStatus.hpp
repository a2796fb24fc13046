#pragma once

namespace openmi {

/// The states of a linkable component.
///
/// Source: OGC 11-014r3, requirement 8.1 (/req/linkable-component-status/LinkableComponentStatus), table 20.
enum class LinkableComponentStatus {
  Created,         ///< made; only Arguments, Status and StatusChanged may be used
  Initializing,    ///< in Initialize()
  Initialized,     ///< exchange items are there; links can be made
  Validating,      ///< in Validate()
  Valid,           ///< can be prepared
  WaitingForData,  ///< wants to step and its inputs are not there
  Invalid,         ///< cannot be prepared; see the messages of Validate()
  Preparing,       ///< in Prepare()
  Updating,        ///< in Update()
  Updated,         ///< values are there; can be updated again
  Done,            ///< the last step was made; Update() does nothing
  Finishing,       ///< in Finish()
  Finished,        ///< over
  Failed           ///< something went wrong; the status event says what
};

}  // namespace openmi
