#pragma once

namespace openmi {

/// The processes that compute one component together.
struct Communicator {
  int handle = 0;  ///< the MPI communicator as Fortran has it (MPI_Comm_c2f); this component's alone
  int rank = 0;    ///< of this process, from 0
  int size = 1;    ///< the number of processes
};

/// A component that computes in several processes, with MPI (`Ranks` in a composition).
///
/// Optional interface. Each rank has a component of its own, which declares items, each with the elements that this
/// rank owns. Items with the same id are one item. The ids of elements hold on all ranks: an element with the same id
/// on two ranks is one element. All ranks are called at the same time, so each function of a component may use the
/// communicator for all of them.
class IUsesCommunicator {
 public:
  virtual ~IUsesCommunicator() = default;
  /// Sets the communicator, before anything else is asked. MPI is initialized (MPI_THREAD_SERIALIZED) and is finalized
  /// by others. Not called where the component computes in one process without ranks.
  /// \throws Error  the component cannot use one
  virtual void SetCommunicator(const Communicator& communicator) = 0;
};

}  // namespace openmi
