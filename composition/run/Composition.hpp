#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "adaptors/StandardAdaptors.hpp"
#include "composition/isolation/ProcessPool.hpp"
#include "composition/model/CompositionFile.hpp"
#include "composition/run/IExchangeListener.hpp"
#include "composition/run/Instance.hpp"
#include "composition/run/Link.hpp"
#include "composition/run/LinkGraph.hpp"
#include "composition/run/SuppliedInput.hpp"
#include "composition/run/Variables.hpp"
#include "openmi/omi/ComponentLoader.hpp"
#include "openmi/sdk/Problem.hpp"

namespace openmi {

/// A composition with its components loaded and linked.
///
/// Order of calls: construct; Load; Connect; Validate; Prepare; update its components; Finish. Load, Connect and
/// Validate append every problem they find and go on with what is whole, so that one call reports all. Prepare expects
/// no errors.
class Composition {
 public:
  /// \param variables  what stands for `${name}` in arguments and OMI paths
  explicit Composition(CompositionFile file, Variables variables = {});
  Composition(const Composition&) = delete;
  Composition& operator=(const Composition&) = delete;
  ~Composition();

  const CompositionFile& File() const { return file_; }
  /// What stands for `${name}`.
  const Variables& Values() const { return variables_; }
  /// Lets components be made with other arguments than the files say: those that had become others in a run that is to
  /// be resumed (Instance::changed). Before Load. \param changed  by component id
  void SetChanged(std::map<std::string, std::vector<OmiArgument>> changed) { changed_ = std::move(changed); }

  /// Says where components write files of their own that arguments name without a whole path; before Load. Without it
  /// they are written beside the OMI files. \param folder  that of the run's results; is made when it is needed
  void SetResultsFolder(const std::filesystem::path& folder) {
    results_folder_ = std::filesystem::absolute(folder.empty() ? "." : folder);
  }

  /// Lets a function know what is done next by Load, Connect and Validate: for a process that watches over this one.
  /// \param on_step  called with words ("making 'creek'") and the id of the component whose code runs next; empty: none
  void SetOnStep(std::function<void(const std::string& what, const std::string& component)> on_step) {
    on_step_ = std::move(on_step);
  }

  /// Loads each component through its OMI file, sets its arguments and initializes it.
  void Load(Problems& problems);
  /// The thread that a component's code has to run on, by what its library is now; null: any.
  FamilyThread* ThreadFor(const Instance& instance);
  /// Makes a component again, from its library as it is now: Initialized, with the arguments of the file. May be called
  /// by another thread than the run's while the run goes on.
  /// \param thread    what ThreadFor gave
  /// \param in_force  set after those of the file; those that the component does not have (any more), or does not let
  ///                  be set, are left out
  /// \throws Error  it cannot be loaded or initialized
  LoadedComponent MakeAgain(const Instance& instance, FamilyThread* thread, std::span<const OmiArgument> in_force);
  /// Ends the thread that a library's code ran on, if it had one: its components are destroyed, and it is to be closed.
  void EndThread(const std::string& library_path);
  /// Makes the links with their adaptors; inserts unit conversions (a note each).
  void Connect(Problems& problems);
  /// Lets the program around the run feed an input that no link feeds. After Connect, before Validate.
  /// \throws ArgumentError  there is no such input with times and places
  /// \throws LinkError      it has a provider already
  /// \throws TypeError      it takes no numbers
  SuppliedInput& SupplyInput(const ItemSpec& item, SuppliedBetween between);
  /// The supplied input "component.item"; null if there is none. Allocates nothing.
  SuppliedInput* FindSupplied(std::string_view item) const;
  const std::vector<std::unique_ptr<SuppliedInput>>& Supplied() const { return supplied_; }
  /// The links of the file that were made, then those of supplied inputs.
  std::vector<Link*> EveryLink();
  /// Asks every component, and checks horizons, loops, observed items and the trigger.
  void Validate(Problems& problems);
  /// Prepares each component, providers first, with the initial values that its links give (InitialValues), and takes
  /// up its initial state where the file names one.
  /// \param resuming  states of a checkpoint will be restored right after: initial states are left alone
  /// \throws Error  a component's own; an initial state that does not fit
  void Prepare(bool resuming = false);
  /// Adds a warning for each component that changed something for the others in the process since this was called last.
  /// Load and Validate do so by themselves.
  void TellConduct(Problems& problems);
  /// Finishes every component that can be; collects what fails.
  void Finish(Problems& problems);
  /// For a run that is to end: kills the processes of components that are still at the request at which they were when
  /// this was called before. From any thread. \param why  what is told of their end: "was killed, since ..."
  void EndLateProcesses(const std::string& why) { processes_.EndLate(why); }

  /// Held while a component joins its instance or leaves it, and by those who ask components of others beside the run
  /// that made them.
  std::unique_lock<std::mutex> LockInstances() { return std::unique_lock(instances_mutex_); }
  std::vector<Instance>& Instances() { return instances_; }
  const std::vector<Instance>& Instances() const { return instances_; }
  std::vector<Link>& Links() { return links_; }
  const std::vector<Link>& Links() const { return links_; }
  const LinkGraph& Graph() const { return *graph_; }
  /// The number of the component with that id; nothing if there is none.
  std::optional<std::size_t> IndexOf(const std::string& component) const;
  /// The output an item spec names; null, with a problem, if there is none.
  ITimeSpaceOutput* FindOutput(const ItemSpec& item, int line, Problems& problems);
  /// The components to be asked in pull mode: those the run names (else those that nobody takes values from), and what
  /// is observed or compared beside them.
  std::vector<std::size_t> Triggers() const;
  /// The components of observed and compared items, in the order of the file; one may stand there more than once.
  std::vector<std::size_t> Recorded() const;
  /// Who is told when components leave and come back; borrowed.
  void AddListener(IExchangeListener& listener) { listeners_.push_back(&listener); }
  void RemoveListener(IExchangeListener& listener) { std::erase(listeners_, &listener); }
  const std::vector<IExchangeListener*>& Listeners() const { return listeners_; }
  /// How often a component failed and its last values came to stand for it (OnFailure="freeze").
  std::size_t HeldCount() const { return held_.load(std::memory_order_relaxed); }
  bool IsAnyFreezing() const;
  /// "a -> b -> a" for one loop of the graph.
  std::string LoopText(const std::vector<std::size_t>& loop) const;

 private:
  friend class Linker;
  std::vector<std::size_t> Ends() const;
  void LoadOne(Instance& instance, Problems& problems);
  LoadedComponent Make(const Instance& instance, FamilyThread* thread, std::span<const OmiArgument> in_force,
                       Problems& problems);
  void MakeHere(const Instance& instance, std::span<const OmiArgument> in_force, LoadedComponent& loaded,
                Problems& problems);
  void Announce(const std::string& what, const std::string& component = {}) const;
  Where Place(int line, const std::string& component = {}, const std::string& item = {}) const;
  void ValidateComponents(Problems& problems);
  void ValidateHorizons(Problems& problems);
  /// Tells of links whose ends step differently with no time adaptor in between.
  void ValidateSteps(Problems& problems);
  void ValidateRun(Problems& problems);
  void ValidateObserved(Problems& problems);
  /// Says of each loop how it will be run, and what stands in the way.
  void ValidateLoops(Problems& problems);
  void ValidateIterate(const IterateSpec& iterate, Problems& problems);
  void ValidateStates(Problems& problems);
  void PrepareOne(Instance& instance, bool resuming);
  void TakeUpInitialState(Instance& instance);
  std::filesystem::path InitialStatePath(const ComponentSpec& component, Problems& problems) const;

  std::string ArgumentValue(const ArgumentSpec& argument, const Instance& instance, Problems& problems) const;

  CompositionFile file_;
  Variables variables_;
  std::filesystem::path results_folder_;
  std::function<void(const std::string&, const std::string&)> on_step_;
  std::map<std::string, std::vector<OmiArgument>> changed_;
  ComponentLoader loader_;
  ProcessPool processes_;
  StandardAdaptors standard_adaptors_;
  std::map<std::string, std::unique_ptr<FamilyThread>> threads_;            // by the real path of the library
  std::map<std::pair<std::string, std::string>, FamilyThread*> thread_of_;  // {folder of the OMI, assembly}
  std::mutex instances_mutex_;
  std::vector<Instance> instances_;
  std::unordered_map<std::string_view, std::size_t> index_of_;  // by id
  std::vector<Link> links_;                                     // gone before the instances
  std::vector<std::unique_ptr<SuppliedInput>> supplied_;        // likewise
  std::unique_ptr<LinkGraph> graph_;
  std::vector<IExchangeListener*> listeners_;
  std::atomic<std::size_t> held_ = 0;
  std::set<std::string> unlinked_by_error_;  // "component.item" of inputs whose link could not be made
};

}  // namespace openmi
