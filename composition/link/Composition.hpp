#pragma once

#include <atomic>
#include <cstddef>
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
#include "composition/hosts/Placement.hpp"
#include "composition/isolation/ProcessPool.hpp"
#include "composition/link/Instance.hpp"
#include "composition/link/Link.hpp"
#include "composition/link/LinkGraph.hpp"
#include "composition/link/SuppliedInput.hpp"
#include "composition/link/Variables.hpp"
#include "composition/model/CompositionFile.hpp"
#include "openmi/omi/ComponentLoader.hpp"
#include "openmi/sdk/Problem.hpp"

namespace openmi {

/// Is notified when components of a composition leave it and come back. For objects that hold pointers to components or
/// to what components own.
class IExchangeListener {
 public:
  virtual ~IExchangeListener() = default;
  /// A component is about to leave, and is still complete. Drop every pointer to what this component owns.
  /// \param component  index of its instance
  virtual void OnLeaving(std::size_t component) = 0;
  /// Called once when all components that leave together have left, and once when all components that come back
  /// together are back and prepared. Instance::IsThere shows which components are there. Look up the dropped pointers
  /// again.
  virtual void OnExchanged() = 0;
};

/// The threads on which libraries run that need one of their own.
struct LibraryThreads {
  std::map<std::string, std::unique_ptr<FamilyThread>> by_library;           // by its absolute, resolved path
  std::map<std::pair<std::string, std::string>, FamilyThread*> by_assembly;  // {folder of the OMI, assembly}
};

/// A composition with its components loaded and linked.
///
/// Order of calls: construct; Load; Connect; CheckComposition; PrepareComponents; update its components; Finish. Load,
/// Connect and CheckComposition append every problem they find and continue with the valid parts, so that one call
/// reports all. PrepareComponents requires a composition without errors.
class Composition {
 public:
  /// \param file       the composition as read from its file
  /// \param variables  values of `${name}` in arguments and OMI paths
  /// \param loader     null: a loader of its own. Compositions that run one after another may share one: libraries that
  ///   the caller keeps open are then not loaded again
  explicit Composition(CompositionFile file, Variables variables = {},
                       std::shared_ptr<ComponentLoader> loader = nullptr);
  Composition(const Composition&) = delete;
  Composition& operator=(const Composition&) = delete;
  ~Composition();

  const CompositionFile& File() const { return file_; }
  /// Values of `${name}`.
  const Variables& Values() const { return variables_; }
  /// Sets arguments that replace those of the files: they were changed in a run that is now to be resumed
  /// (Instance::changed). To be called before Load.
  /// \param changed  the arguments, by component id
  void SetChanged(std::map<std::string, std::vector<OmiArgument>> changed) { changed_ = std::move(changed); }

  /// Sets the folder for the files that components write, except files with an absolute path in an argument. To be
  /// called before Load. If no folder is set, components write such files beside the OMI files.
  /// \param folder  the folder of the run's results; it is created when it is needed
  void SetResultsFolder(const std::filesystem::path& folder) {
    results_folder_ = std::filesystem::absolute(folder.empty() ? "." : folder);
  }

  /// Sets where groups of components run. To be called before Load. Groups without a host run as the file says.
  void SetPlacement(Placement placement) { processes_.SetPlacement(std::move(placement)); }
  /// The processes of isolated components and of groups.
  ProcessPool& Processes() { return processes_; }
  const ProcessPool& Processes() const { return processes_; }
  /// Whether a worker on another host did not start, or was lost: on other hosts the composition may run.
  bool HasLostWorker() const { return processes_.HasLostWorker(); }

  /// Sets how many threads components may use within a step (IUsesThreads): those that are loaded, and those that are
  /// made later.
  /// \param threads  at least 1
  void SetThreads(std::size_t threads);

  /// Sets a function that Load, Connect and CheckComposition call before each part of their work. So a process that
  /// watches this process can know what runs next.
  /// \param on_step  called with a description ("making 'creek'") and the id of the component whose code runs next
  ///   (empty: none)
  void SetOnStep(std::function<void(const std::string& what, const std::string& component)> on_step) {
    on_step_ = std::move(on_step);
  }

  /// Loads each component through its OMI file, sets its arguments and initializes it.
  /// \param problems  errors, warnings and notes are appended
  void Load(Problems& problems);
  /// The thread on which a component's code has to run, according to its library as it is now; null: any thread.
  FamilyThread* ThreadFor(const Instance& instance);
  /// Makes a component again, from its library as it is now, with the arguments of the files. The component is
  /// Initialized. May be called on another thread than the run's while the run continues.
  /// \param thread    what ThreadFor returned
  /// \param in_force  arguments that are set after those of the files. An argument is ignored if the component does not
  ///   have it any more, or if it is read-only
  /// \throws Error  the component cannot be loaded or initialized
  LoadedComponent MakeAgain(const Instance& instance, FamilyThread* thread, std::span<const OmiArgument> in_force);
  /// Ends the thread of a library, if the library has a thread of its own. To be called when its components are
  /// destroyed and before the library is closed.
  void EndThread(const std::string& library_path);
  /// Makes the links with their adaptors. Inserts unit conversions where they are needed, and adds a note for each.
  void Connect(Problems& problems);
  /// Turns an input that no link feeds into a supplied input: the program around the run gives its values. To be called
  /// after Connect and before CheckComposition.
  /// \throws ArgumentError  there is no such input with times and elements
  /// \throws LinkError      the input already has a provider
  /// \throws TypeError      the input takes no numbers
  SuppliedInput& SupplyInput(const ItemSpec& item, SuppliedBetween between);
  /// The supplied input "component.item"; null if there is none. Does not allocate.
  SuppliedInput* FindSupplied(std::string_view item) const;
  const std::vector<std::unique_ptr<SuppliedInput>>& Supplied() const { return supplied_; }
  /// The links of the file that could be made, then the links of supplied inputs.
  std::vector<Link*> EveryLink();
  /// Adds a warning for each component that changed the process for others (Conduct) since the last call of this
  /// function. Load and CheckComposition call this function themselves.
  void ReportConduct(Problems& problems);
  /// Finishes every component that can be finished; adds a problem for each failure.
  void Finish(Problems& problems);
  /// Kills each process of components that is still busy with the same request as at the previous call of this
  /// function. For a run that has to end. May be called from any thread.
  /// \param why  the reason that messages state for the end of the process: "was killed, since ..."
  void EndLateProcesses(const std::string& why) { processes_.EndLate(why); }

  /// Locks the instances. The thread of the run holds the lock while it puts a component into its instance or takes one
  /// out. A thread that loads a component beside the run holds it while it asks the components of other instances.
  std::unique_lock<std::mutex> LockInstances() { return std::unique_lock(instances_mutex_); }
  std::vector<Instance>& Instances() { return instances_; }
  const std::vector<Instance>& Instances() const { return instances_; }
  std::vector<Link>& Links() { return links_; }
  const std::vector<Link>& Links() const { return links_; }
  const LinkGraph& Graph() const { return *graph_; }
  /// The index of the component with that id; no value if there is none.
  std::optional<std::size_t> IndexOf(const std::string& component) const;
  /// The output that an item spec names; null if there is none, with a problem added.
  ITimeSpaceOutput* FindOutput(const ItemSpec& item, int line, Problems& problems);
  /// The components whose updates the run asks for in pull mode:
  /// - the components that `Trigger` names. If it names none: the components from which no component takes values, and
  ///   the first member of each loop from which no other component takes values
  /// - the components of observed and compared items, if no trigger needs their values
  std::vector<std::size_t> Triggers() const;
  /// The components of observed and compared items, in the order of the file; may contain a component more than once.
  std::vector<std::size_t> Recorded() const;
  /// Adds a listener that is notified when components leave and come back; borrowed until RemoveListener.
  void AddListener(IExchangeListener& listener) { listeners_.push_back(&listener); }
  void RemoveListener(IExchangeListener& listener) { std::erase(listeners_, &listener); }
  const std::vector<IExchangeListener*>& Listeners() const { return listeners_; }
  /// How many times a component failed and was held: its last values are used from then on (OnFailure="freeze").
  std::size_t HeldCount() const { return held_.load(std::memory_order_relaxed); }
  /// The first component that failed and of which the last values are used; null: there is none.
  const Instance* FirstHeld() const;
  bool IsAnyFreezing() const;
  /// "a -> b -> a" for one loop of the graph.
  std::string LoopText(const std::vector<std::size_t>& loop) const;
  /// The folder set by SetResultsFolder; empty: none was set.
  const std::filesystem::path& ResultsFolder() const { return results_folder_; }
  /// "component.item" of inputs whose link could not be made; the reason was reported.
  const std::set<std::string>& UnlinkedByError() const { return unlinked_by_error_; }
  /// The file of a component's initial state.
  /// \pre  the composition file names one
  std::filesystem::path InitialStatePath(const ComponentSpec& component, Problems& problems) const;
  /// A place in the composition file, for messages.
  Where Place(int line, const std::string& component = {}, const std::string& item = {}) const;
  /// Calls the function of SetOnStep.
  void Announce(const std::string& what, const std::string& component = {}) const;

 private:
  friend class Linker;
  std::vector<std::size_t> Ends() const;
  /// Starts the workers of groups that are placed on hosts, and puts their components there.
  /// The host of a group; empty: it runs where the file says.
  /// \param known  all groups so far, in the order of the file
  std::string HostOf(const std::string& group, const std::vector<std::string>& known) const;
  void PlaceGroups(Problems& problems);
  void LoadOne(Instance& instance, Problems& problems);
  /// The OMI file of a population, whose members have `omi`.
  OmiFile PopulationFile(const ComponentSpec& spec, const std::string& omi, Problems& problems) const;
  LoadedComponent Make(const Instance& instance, FamilyThread* thread, std::span<const OmiArgument> in_force,
                       Problems& problems);
  void MakeHere(const Instance& instance, std::span<const OmiArgument> in_force, LoadedComponent& loaded,
                Problems& problems);
  std::string ArgumentValue(const ArgumentSpec& argument, const Instance& instance, Problems& problems) const;

  CompositionFile file_;
  Variables variables_;
  std::filesystem::path results_folder_;
  std::size_t threads_count_ = 1;
  std::function<void(const std::string&, const std::string&)> on_step_;
  std::map<std::string, std::vector<OmiArgument>> changed_;
  std::shared_ptr<ComponentLoader> loader_;  // not null
  ProcessPool processes_;
  StandardAdaptors standard_adaptors_;
  LibraryThreads threads_;
  std::mutex instances_mutex_;
  std::vector<Instance> instances_;
  std::unordered_map<std::string_view, std::size_t> index_of_;  // by id
  std::vector<Link> links_;                                     // destroyed before the instances
  std::vector<std::unique_ptr<SuppliedInput>> supplied_;        // also destroyed before the instances
  std::unique_ptr<LinkGraph> graph_;
  std::vector<IExchangeListener*> listeners_;
  std::atomic<std::size_t> held_ = 0;
  std::set<std::string> unlinked_by_error_;  // "component.item" of inputs whose link could not be made
};

}  // namespace openmi
