#pragma once

namespace openmi {

/// The states of a linkable component.
///
/// Source: OGC 11-014r3, requirement 8.1 (/req/linkable-component-status/LinkableComponentStatus), table 20.
enum class LinkableComponentStatus {
  Created,         ///< constructed; only Arguments, Status and StatusChanged may be used
  Initializing,    ///< in Initialize()
  Initialized,     ///< exchange items exist; links can be made
  Validating,      ///< in Validate()
  Valid,           ///< can be prepared
  WaitingForData,  ///< cannot step: its inputs are not available yet
  Invalid,         ///< cannot be prepared; see the messages of Validate()
  Preparing,       ///< in Prepare()
  Updating,        ///< in Update()
  Updated,         ///< values are available; can be updated again
  Done,            ///< after the last step; Update() does nothing
  Finishing,       ///< in Finish()
  Finished,        ///< after Finish(); no further call is allowed
  Failed           ///< a call failed; the message of the status event gives the reason
};

}  // namespace openmi
