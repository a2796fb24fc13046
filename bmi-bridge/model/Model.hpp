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

namespace openmi::bmi {

/// The struct, zeroed, and room behind it for what newer bindings add.
struct RoomyBmi {
  ::Bmi functions = {};
  void* spare[32] = {};
};

/// One model of a library that offers BMI 2.0, whatever way it is handed over.
///
/// Nothing of the library is trusted: a null pointer is a function that fails, texts are read from buffers that end,
/// exceptions are caught, counts are looked at. What a model may well not answer gives an empty optional; what nobody
/// can do without throws ModelError with the function, the variable and what the library said.
class Model {
 public:
  /// \param bmi      filled by the library, or by what stands before it
  /// \param backing  null where the library filled the struct itself
  /// \param owner    kept as long as the model: the library
  Model(std::unique_ptr<RoomyBmi> bmi, std::unique_ptr<Backing> backing, std::shared_ptr<void> owner);
  ~Model();
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;

  /// \param config  a path; empty: none
  void Initialize(const std::string& config);
  bool CanUpdate() const { return bmi_->functions.update != nullptr; }
  bool CanUpdateUntil() const { return bmi_->functions.update_until != nullptr; }
  void Update();
  void UpdateUntil(double time);
  /// Once, if it was initialized. \throws ModelError  it fails
  void Finalize();
  bool IsInitialized() const { return is_initialized_; }

  std::string ComponentName();
  std::vector<std::string> InputNames();
  std::vector<std::string> OutputNames();

  std::optional<int> VarGrid(const std::string& name);
  std::optional<std::string> VarType(const std::string& name);
  std::optional<std::string> VarUnits(const std::string& name);
  std::optional<std::string> VarLocation(const std::string& name);
  std::optional<int> VarItemsize(const std::string& name);
  std::optional<int> VarNbytes(const std::string& name);

  double CurrentTime();
  std::optional<double> StartTime();
  std::optional<double> EndTime();
  std::optional<double> TimeStep();
  std::optional<std::string> TimeUnits();

  /// Copies values of a variable, as many bytes as VarNbytes says.
  void GetValue(const std::string& name, void* to);
  /// Where the model keeps them; null where it does not say.
  void* ValuePtr(const std::string& name);
  void SetValue(const std::string& name, void* from);

  std::optional<int> GridRank(int grid);
  std::optional<int> GridSize(int grid);
  std::optional<std::string> GridType(int grid);
  /// \param count  how many values there are
  std::optional<std::vector<int>> GridShape(int grid, std::size_t count);
  std::optional<std::vector<double>> GridSpacing(int grid, std::size_t count);
  std::optional<std::vector<double>> GridOrigin(int grid, std::size_t count);
  /// \param axis  0: x, 1: y, 2: z
  std::optional<std::vector<double>> GridCoordinates(int axis, int grid, std::size_t count);
  std::optional<int> GridNodeCount(int grid);
  std::optional<int> GridEdgeCount(int grid);
  std::optional<int> GridFaceCount(int grid);
  std::optional<std::vector<int>> GridEdgeNodes(int grid, std::size_t count);
  std::optional<std::vector<int>> GridFaceNodes(int grid, std::size_t count);
  std::optional<std::vector<int>> GridNodesPerFace(int grid, std::size_t count);

  /// What messages call the model; the file of the library at first.
  void SetCaption(std::string caption) { caption_ = std::move(caption); }

 private:
  /// Whether `function` is there and succeeds; message_ says why not.
  template <class... Parameters, class... Arguments>
  bool Succeeds(int (*function)(::Bmi*, Parameters...), Arguments... arguments);
  [[noreturn]] void Refuse(const char* function, const std::string& item = {});
  template <class Function, class... Arguments>
  std::optional<std::string> Text(Function* function, Arguments... arguments);
  template <class Function, class... Arguments>
  std::optional<int> Count(Function* function, Arguments... arguments);
  template <class Number, class Function>
  std::optional<std::vector<Number>> Array(Function* function, int grid, std::size_t count);
  template <class Names>
  std::vector<std::string> NameList(const char* what, int (*count_of)(::Bmi*, int*), Names* names_of);
  std::optional<double> Time(int (*function)(::Bmi*, double*));

  std::shared_ptr<void> owner_;  // goes last
  std::unique_ptr<Backing> backing_;
  std::unique_ptr<RoomyBmi> bmi_;
  std::string caption_;
  std::string message_;
  bool is_initialized_ = false;
};

}  // namespace openmi::bmi
