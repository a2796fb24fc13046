#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "bmi-bridge/abi/bmi.h"
#include "bmi-bridge/model/Backing.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/standard/Value.hpp"

namespace openmi::bmi {

/// The struct, zeroed, followed by space for functions that newer bindings add.
struct RoomyBmi {
  ::Bmi functions = {};
  void* spare[32] = {};
};

/// A text that all models of this process share which use it, so that thousands of them need it in the cache once.
std::shared_ptr<const std::string> SharedText(const std::string& text);

/// The functions of a model, shared with the models that have the same ones; without data.
std::shared_ptr<const ::Bmi> SharedFunctions(const ::Bmi& functions);

/// One model of a library that offers BMI 2.0, independent of how the library hands it over.
///
/// No result of the library is trusted: a null pointer is a function that fails, texts are read from buffers of limited
/// length, exceptions are caught, and counts are checked. A function that a model may leave out returns an empty
/// optional if it fails. The failure of a function that is indispensable throws ModelError with the function, the
/// variable and the message of the library.
class Model {
 public:
  /// \param bmi      filled by the library, or with functions that call it
  /// \param backing  null if the library filled the struct itself
  /// \param owner    kept as long as the model: the library
  Model(std::unique_ptr<RoomyBmi> bmi, std::unique_ptr<Backing> backing, std::shared_ptr<void> owner);
  ~Model();
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;

  /// \param config  a path; empty: none
  void Initialize(const std::string& config);
  /// The same by another function of the library, which takes a number.
  /// \param name  of the function, for messages
  void InitializeBy(int (*function)(int*), const char* name, int number);
  bool CanUpdate() const { return bmi_->functions.update != nullptr; }
  bool CanUpdateUntil() const { return bmi_->functions.update_until != nullptr; }
  /// Makes one step.
  /// \throws ModelError  the function is missing or fails
  void Update();
  /// Advances the model.
  /// \param time  end, in the time units of the model
  /// \throws ModelError  the function is missing or fails
  void UpdateUntil(double time);
  /// Finalizes the model once, if it was initialized.
  /// \throws ModelError  finalize fails
  void Finalize();
  bool IsInitialized() const { return is_initialized_; }

  /// The name of the model; empty if it gives none.
  std::string ComponentName();
  /// The names of the input variables; empty if their number cannot be read.
  /// \throws ModelError  there are inputs, but their names cannot be read
  std::vector<std::string> InputNames();
  /// The names of the output variables, as InputNames.
  std::vector<std::string> OutputNames();

  /// Properties of a variable; nothing if the function is missing or fails.
  std::optional<int> VarGrid(const std::string& name);
  std::optional<std::string> VarType(const std::string& name);
  std::optional<std::string> VarUnits(const std::string& name);
  std::optional<std::string> VarLocation(const std::string& name);
  std::optional<int> VarItemsize(const std::string& name);
  std::optional<int> VarNbytes(const std::string& name);

  /// The present time, in the time units of the model.
  /// \throws ModelError  the function is missing or fails, or the time is not finite
  double CurrentTime();
  /// Times in the time units of the model; nothing if the function is missing or fails, or the time is NaN.
  std::optional<double> StartTime();
  std::optional<double> EndTime();
  std::optional<double> TimeStep();
  std::optional<std::string> TimeUnits();

  /// Copies the values of a variable to `to`, VarNbytes bytes.
  void GetValue(const std::string& name, void* to);
  /// The address of the values in the model; null if the model does not give it.
  void* ValuePtr(const std::string& name);
  /// Copies VarNbytes bytes from `from` to a variable.
  /// \throws ModelError  the function is missing or fails
  void SetValue(const std::string& name, void* from);

  /// Properties of a grid; nothing if the function is missing or fails.
  std::optional<int> GridRank(int grid);
  std::optional<int> GridSize(int grid);
  std::optional<std::string> GridType(int grid);
  /// \param count  length of the list
  std::optional<std::vector<int>> GridShape(int grid, std::size_t count);
  std::optional<std::vector<double>> GridSpacing(int grid, std::size_t count);
  std::optional<std::vector<double>> GridOrigin(int grid, std::size_t count);
  /// \param axis  0: x, 1: y, 2: z
  /// \param more  how many a model may write beyond `count`, which is an error; 0: a few are ignored
  /// \throws FormatError  the model writes more than `count`
  std::optional<std::vector<double>> GridCoordinates(int axis, int grid, std::size_t count, std::size_t more = 0);
  std::optional<int> GridNodeCount(int grid);
  std::optional<int> GridEdgeCount(int grid);
  std::optional<int> GridFaceCount(int grid);
  std::optional<std::vector<int>> GridEdgeNodes(int grid, std::size_t count);
  std::optional<std::vector<int>> GridFaceNodes(int grid, std::size_t count);
  std::optional<std::vector<int>> GridNodesPerFace(int grid, std::size_t count);

  /// Sets the name of the model in messages; at first it is the file of the library.
  void SetCaption(std::string caption) { caption_ = std::move(caption); }
  /// A variable or an argument of the model, for messages.
  Where Place(const std::string& item = {}) const { return {.component = caption_, .item = item}; }

 private:
  /// Whether `function` exists and succeeds; else message_ holds the reason.
  template <class... Parameters, class... Arguments>
  bool Succeeds(int (*function)(::Bmi*, Parameters...), Arguments... arguments);
  static constexpr const char* kLookAtLibrary = "look at what the library prints and writes";
  void NoteInitialized();
  [[noreturn]] void Refuse(const char* function, const std::string& item = {}, const char* remedy = kLookAtLibrary);
  template <class Function, class... Arguments>
  std::optional<std::string> Text(Function* function, Arguments... arguments);
  template <class Function, class... Arguments>
  std::optional<int> Count(Function* function, Arguments... arguments);
  template <class Number, class Function>
  std::optional<std::vector<Number>> Array(Function* function, int grid, std::size_t count, std::size_t more = 0);
  template <class Names>
  std::vector<std::string> NameList(const char* what, int (*count_of)(::Bmi*, int*), Names* names_of);
  std::optional<double> Time(int (*function)(::Bmi*, double*));

  std::shared_ptr<void> owner_;  // destroyed last
  std::unique_ptr<Backing> backing_;
  ::Bmi* self_;             // in bmi_
  const ::Bmi* functions_;  // once it is initialized those in shared_, which other models have in the cache, too
  bool is_initialized_ = false;
  std::unique_ptr<RoomyBmi> bmi_;
  std::shared_ptr<const ::Bmi> shared_;
  std::string caption_;
  std::string message_;
};

/// Whether a model has the four reserved variables through which the engine of NextGen takes and gives states.
///
/// They are in no list of variables. A model has them if it knows their units: `ngen::trigger` (create, free), `bytes`
/// (size) and `ngen::opaque` (state). The question changes nothing in the model.
/// Source: the serialization protocol of NOAA-OWP/ngen, pull request 957, versions 0.1 and 0.2.
bool OffersSerialization(Model& model);

/// The state of a model that offers serialization.
/// \throws ModelError  the model does not give it, or gives a size that is impossible
Bytes Serialized(Model& model);

/// Sets a model to a state.
/// \throws ModelError  the model does not take it
void Deserialize(Model& model, ByteView state);

}  // namespace openmi::bmi
