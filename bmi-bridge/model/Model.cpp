#include "bmi-bridge/model/Model.hpp"

#include <fmt/format.h>

#include <cmath>
#include <exception>
#include <limits>
#include <utility>

#include "openmi/sdk/Lists.hpp"

namespace openmi::bmi {
namespace {

// Twice the size in the binding: the layers of some Fortran libraries write a few characters too many.
constexpr std::size_t kTextSize = 4096;
constexpr int kMostNames = 1'000'000;
// No coordinate, count or node.
template <class Number>
constexpr Number kUnwritten = std::numeric_limits<Number>::lowest();

/// The text in a buffer, without the spaces that Fortran pads with.
std::string TextIn(const char* text, std::size_t size) {
  const std::string_view view(text, size);
  return std::string(Trimmed(view.substr(0, view.find('\0'))));
}

}  // namespace

Model::Model(std::unique_ptr<RoomyBmi> bmi, std::unique_ptr<Backing> backing, std::shared_ptr<void> owner)
    : owner_(std::move(owner)),
      backing_(std::move(backing)),
      self_(&bmi->functions),
      functions_(self_),
      bmi_(std::move(bmi)) {}

Model::~Model() {
  try {
    Finalize();
  } catch (const std::exception&) {  // call Finalize before to get the error
  }
}

template <class... Parameters, class... Arguments>
bool Model::Succeeds(int (*function)(::Bmi*, Parameters...), Arguments... arguments) {
  // The message is read after a failure only.
  if (function == nullptr) {
    message_ = "the library has no such function (a null pointer)";
    return false;
  }
  if (backing_ != nullptr) backing_->message.clear();
  int status = BMI_FAILURE;
  try {
    status = function(self_, arguments...);
  } catch (const std::exception& error) {  // from C++ code in a C function
    message_ = error.what();
    return false;
  } catch (...) {
    message_ = "an exception that is not a std::exception";
    return false;
  }
  if (status == BMI_SUCCESS) return true;
  if (backing_ != nullptr) message_ = backing_->Message();
  if (message_.empty()) message_ = fmt::format("status {}", status);
  return false;
}

void Model::Refuse(const char* function, const std::string& item, const char* remedy) {
  throw ModelError(Place(item), fmt::format("expected {} of the library to succeed, found: {}", function, message_),
                   remedy);
}

template <class Function, class... Arguments>
std::optional<std::string> Model::Text(Function* function, Arguments... arguments) {
  char buffer[kTextSize] = {};
  if (!Succeeds(function, arguments..., static_cast<char*>(buffer))) return std::nullopt;
  return TextIn(buffer, kTextSize);
}

template <class Function, class... Arguments>
std::optional<int> Model::Count(Function* function, Arguments... arguments) {
  int count = -1;
  if (!Succeeds(function, arguments..., &count) || count < 0) return std::nullopt;
  return count;
}

template <class Number, class Function>
std::optional<std::vector<Number>> Model::Array(Function* function, int grid, std::size_t count, std::size_t more) {
  std::vector<Number> values(count + more + 8, kUnwritten<Number>);  // margin for a model that miscounts by a few
  if (backing_ != nullptr) backing_->count = static_cast<int>(count);
  if (!Succeeds(function, grid, values.data())) return std::nullopt;
  if (more > 0 && values[count] != kUnwritten<Number>) {
    throw FormatError({}, fmt::format("it gives more than the {} coordinates of its shape along an axis", count));
  }
  values.resize(count);
  return values;
}

template <class Names>
std::vector<std::string> Model::NameList(const char* what, int (*count_of)(::Bmi*, int*), Names* names_of) {
  int count = 0;
  if (!Succeeds(count_of, &count)) return {};  // some models without inputs or outputs fail here
  if (count < 0 || count > kMostNames) {
    throw ModelError(Place(), fmt::format("expected a number of {} from 0 to {}, found {}", what, kMostNames, count),
                     "the library is at fault");
  }
  if (count == 0) return {};
  std::vector<char> room(static_cast<std::size_t>(count) * kTextSize, '\0');
  std::vector<char*> places;
  for (int i = 0; i < count; ++i) places.push_back(room.data() + static_cast<std::size_t>(i) * kTextSize);
  if (backing_ != nullptr) backing_->count = count;
  if (!Succeeds(names_of, places.data())) Refuse(what);
  std::vector<std::string> names;
  for (const char* place : places) {  // some libraries write pointers of their own into the list
    if (place == nullptr) continue;
    const bool is_ours = place >= room.data() && place < room.data() + room.size();
    names.push_back(TextIn(place, is_ours ? kTextSize : std::size_t{BMI_MAX_VAR_NAME}));
  }
  return names;
}

std::optional<double> Model::Time(int (*function)(::Bmi*, double*)) {
  double time = std::nan("");
  if (!Succeeds(function, &time) || std::isnan(time)) return std::nullopt;
  return time;
}

void Model::Initialize(const std::string& config) {
  if (!Succeeds(functions_->initialize, config.empty() ? static_cast<const char*>(nullptr) : config.c_str())) {
    constexpr const char* kNoConfig =
        "name the configuration that the model needs in the argument 'config-file' (--config of openmi bmi)";
    Refuse("initialize", config, config.empty() ? kNoConfig : kLookAtLibrary);
  }
  NoteInitialized();
}

void Model::InitializeBy(int (*function)(int*), const char* name, int number) {
  const int status = function(&number);
  message_ = fmt::format("status {}", status);
  if (status != BMI_SUCCESS) Refuse(name);
  NoteInitialized();
}

void Model::NoteInitialized() {
  is_initialized_ = true;
  shared_ = SharedFunctions(*self_);
  functions_ = shared_.get();
}

void Model::Update() {
  if (!Succeeds(functions_->update)) Refuse("update");
}

void Model::UpdateUntil(double time) {
  if (!Succeeds(functions_->update_until, time)) Refuse("update_until", fmt::format("{}", time));
}

void Model::Finalize() {
  if (!std::exchange(is_initialized_, false)) return;
  if (!Succeeds(functions_->finalize)) Refuse("finalize");
}

std::string Model::ComponentName() {
  return Text(functions_->get_component_name).value_or(std::string());
}
std::vector<std::string> Model::InputNames() {
  return NameList("get_input_var_names", functions_->get_input_item_count, functions_->get_input_var_names);
}
std::vector<std::string> Model::OutputNames() {
  return NameList("get_output_var_names", functions_->get_output_item_count, functions_->get_output_var_names);
}

std::optional<int> Model::VarGrid(const std::string& name) {
  return Count(functions_->get_var_grid, name.c_str());
}
std::optional<std::string> Model::VarType(const std::string& name) {
  return Text(functions_->get_var_type, name.c_str());
}
std::optional<std::string> Model::VarUnits(const std::string& name) {
  return Text(functions_->get_var_units, name.c_str());
}
std::optional<std::string> Model::VarLocation(const std::string& name) {
  return Text(functions_->get_var_location, name.c_str());
}
std::optional<int> Model::VarItemsize(const std::string& name) {
  return Count(functions_->get_var_itemsize, name.c_str());
}
std::optional<int> Model::VarNbytes(const std::string& name) {
  return Count(functions_->get_var_nbytes, name.c_str());
}

double Model::CurrentTime() {
  double time = std::nan("");
  if (!Succeeds(functions_->get_current_time, &time)) Refuse("get_current_time");
  if (!std::isfinite(time)) {
    message_ = fmt::format("the time {}", time);
    Refuse("get_current_time");
  }
  return time;
}
std::optional<double> Model::StartTime() {
  return Time(functions_->get_start_time);
}
std::optional<double> Model::EndTime() {
  return Time(functions_->get_end_time);
}
std::optional<double> Model::TimeStep() {
  return Time(functions_->get_time_step);
}
std::optional<std::string> Model::TimeUnits() {
  return Text(functions_->get_time_units);
}

void Model::GetValue(const std::string& name, void* to) {
  if (!Succeeds(functions_->get_value, name.c_str(), to)) Refuse("get_value", name);
}
void* Model::ValuePtr(const std::string& name) {
  void* pointer = nullptr;
  return Succeeds(functions_->get_value_ptr, name.c_str(), &pointer) ? pointer : nullptr;
}
void Model::SetValue(const std::string& name, void* from) {
  if (!Succeeds(functions_->set_value, name.c_str(), from)) Refuse("set_value", name);
}

std::optional<int> Model::GridRank(int grid) {
  return Count(functions_->get_grid_rank, grid);
}
std::optional<int> Model::GridSize(int grid) {
  return Count(functions_->get_grid_size, grid);
}
std::optional<std::string> Model::GridType(int grid) {
  return Text(functions_->get_grid_type, grid);
}
std::optional<std::vector<int>> Model::GridShape(int grid, std::size_t count) {
  return Array<int>(functions_->get_grid_shape, grid, count);
}
std::optional<std::vector<double>> Model::GridSpacing(int grid, std::size_t count) {
  return Array<double>(functions_->get_grid_spacing, grid, count);
}
std::optional<std::vector<double>> Model::GridOrigin(int grid, std::size_t count) {
  return Array<double>(functions_->get_grid_origin, grid, count);
}
std::optional<std::vector<double>> Model::GridCoordinates(int axis, int grid, std::size_t count, std::size_t more) {
  const ::Bmi& functions = *functions_;
  return Array<double>(axis == 0   ? functions.get_grid_x
                       : axis == 1 ? functions.get_grid_y
                                   : functions.get_grid_z,
                       grid, count, more);
}
std::optional<int> Model::GridNodeCount(int grid) {
  return Count(functions_->get_grid_node_count, grid);
}
std::optional<int> Model::GridEdgeCount(int grid) {
  return Count(functions_->get_grid_edge_count, grid);
}
std::optional<int> Model::GridFaceCount(int grid) {
  return Count(functions_->get_grid_face_count, grid);
}
std::optional<std::vector<int>> Model::GridEdgeNodes(int grid, std::size_t count) {
  return Array<int>(functions_->get_grid_edge_nodes, grid, count);
}
std::optional<std::vector<int>> Model::GridFaceNodes(int grid, std::size_t count) {
  return Array<int>(functions_->get_grid_face_nodes, grid, count);
}
std::optional<std::vector<int>> Model::GridNodesPerFace(int grid, std::size_t count) {
  return Array<int>(functions_->get_grid_nodes_per_face, grid, count);
}

}  // namespace openmi::bmi
