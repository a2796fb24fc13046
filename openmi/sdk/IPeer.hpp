#pragma once

#include <concepts>
#include <map>
#include <memory>
#include <mutex>
#include <typeinfo>

namespace openmi {

/// What the components of one composition in one process share with each other, one object of each type.
///
/// The loader of the components has it: a composition has one for its own process, and each worker has one. So
/// components of two compositions never meet. Any thread may call.
class PeerBoard {
 public:
  /// Base class of what can be shared.
  class Shared {
   public:
    virtual ~Shared() = default;
  };

  PeerBoard() = default;
  PeerBoard(const PeerBoard&) = delete;
  PeerBoard& operator=(const PeerBoard&) = delete;

  /// The object of type `T` that all callers share. The first call makes it; it lives until the last caller releases
  /// it, so that none outlives the library that made it.
  ///
  /// Each library has types of its own: two loaded libraries that contain the same class do not share an object.
  template <std::derived_from<Shared> T>
  std::shared_ptr<T> Get() {
    return std::static_pointer_cast<T>(Find(typeid(T), [] { return std::unique_ptr<Shared>(new T); }));
  }

 private:
  std::shared_ptr<Shared> Find(const std::type_info& type, std::unique_ptr<Shared> (*make)());

  std::mutex guard_;
  std::map<const std::type_info*, std::weak_ptr<Shared>> shared_;  // the keys are compared, never followed
};

/// A component that shares something with others of its kind in the same composition, such as slaves that start
/// together.
///
/// Optional interface. A component that no loader made is not called; it works alone.
class IPeer {
 public:
  virtual ~IPeer() = default;
  /// Gets from `board` what the component shares, and keeps it as long as the component lives.
  ///
  /// Called once, right after the constructor; also for a component that is made again while the run continues. Other
  /// components may compute meanwhile. What it throws counts as thrown by the constructor.
  /// \param board  of the composition or the worker; borrowed during the call
  virtual void JoinPeers(PeerBoard& board) = 0;
};

}  // namespace openmi
