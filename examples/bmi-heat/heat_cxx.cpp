// The plate of heat_c.c as a library that offers the Basic Model Interface in C++: bmi_model_create returns an object.
#include <bmi.hxx>
#include <cstring>
#include <fstream>
#include <stdexcept>

namespace {

const std::string kTemperature = "plate_surface__temperature";
const std::string kEdge = "plate_edge__temperature";

class Heat final : public bmi::Bmi {
 public:
  void Initialize(std::string config_file) override {
    std::ifstream file(config_file);
    if (!(file >> columns_ >> rows_ >> conductivity_ >> end_) || columns_ < 3 || rows_ < 3 || conductivity_ <= 0.0) {
      throw std::runtime_error("expected 'columns rows conductivity end' in " + config_file);
    }
    step_ = 1.0 / (4.0 * conductivity_);
    now_.assign(static_cast<std::size_t>(Nodes()), 0.0);
    next_ = now_;
  }
  void Update() override { Advance(step_); }
  void UpdateUntil(double time) override {
    if (time < time_) throw std::runtime_error("time does not go back");
    while (time_ + step_ <= time) Advance(step_);
    if (time_ < time) Advance(time - time_);
    time_ = time;
  }
  void Finalize() override { now_.clear(); }

  std::string GetComponentName() override { return "Heat in a plate"; }
  int GetInputItemCount() override { return 1; }
  int GetOutputItemCount() override { return 1; }
  std::vector<std::string> GetInputVarNames() override { return {kEdge}; }
  std::vector<std::string> GetOutputVarNames() override { return {kTemperature}; }

  int GetVarGrid(std::string name) override { return name == kTemperature ? 0 : 1; }
  std::string GetVarType(std::string) override { return "double"; }
  std::string GetVarUnits(std::string) override { return "K"; }
  int GetVarItemsize(std::string) override { return sizeof(double); }
  int GetVarNbytes(std::string name) override {
    return static_cast<int>(sizeof(double)) * (name == kTemperature ? Nodes() : 1);
  }
  std::string GetVarLocation(std::string name) override { return name == kTemperature ? "node" : "none"; }

  double GetCurrentTime() override { return time_; }
  double GetStartTime() override { return 0.0; }
  double GetEndTime() override { return end_; }
  std::string GetTimeUnits() override { return "s"; }
  double GetTimeStep() override { return step_; }

  void GetValue(std::string name, void* to) override {
    std::memcpy(to, GetValuePtr(name), static_cast<std::size_t>(GetVarNbytes(name)));
  }
  void* GetValuePtr(std::string name) override {
    if (name == kTemperature) return now_.data();
    if (name == kEdge) return &edge_;
    throw std::runtime_error("there is no variable " + name);
  }
  void GetValueAtIndices(std::string name, void* to, int* indices, int count) override {
    for (int i = 0; i < count; ++i) {
      static_cast<double*>(to)[i] = static_cast<const double*>(GetValuePtr(name))[indices[i]];
    }
  }
  void SetValue(std::string name, void* from) override {
    std::memcpy(GetValuePtr(name), from, static_cast<std::size_t>(GetVarNbytes(name)));
  }
  void SetValueAtIndices(std::string name, int* indices, int count, void* from) override {
    for (int i = 0; i < count; ++i) {
      static_cast<double*>(GetValuePtr(name))[indices[i]] = static_cast<const double*>(from)[i];
    }
  }

  int GetGridRank(const int grid) override { return grid == 0 ? 2 : 0; }
  int GetGridSize(const int grid) override { return grid == 0 ? Nodes() : 1; }
  std::string GetGridType(const int grid) override { return grid == 0 ? "uniform_rectilinear" : "scalar"; }
  void GetGridShape(const int, int* shape) override {
    shape[0] = rows_;
    shape[1] = columns_;
  }
  void GetGridSpacing(const int, double* spacing) override { spacing[0] = spacing[1] = 1.0; }
  void GetGridOrigin(const int, double* origin) override { origin[0] = origin[1] = 0.0; }
  void GetGridX(const int, double*) override { Refuse(); }
  void GetGridY(const int, double*) override { Refuse(); }
  void GetGridZ(const int, double*) override { Refuse(); }
  int GetGridNodeCount(const int grid) override { return GetGridSize(grid); }
  int GetGridEdgeCount(const int) override { Refuse(); }
  int GetGridFaceCount(const int) override { Refuse(); }
  void GetGridEdgeNodes(const int, int*) override { Refuse(); }
  void GetGridFaceEdges(const int, int*) override { Refuse(); }
  void GetGridFaceNodes(const int, int*) override { Refuse(); }
  void GetGridNodesPerFace(const int, int*) override { Refuse(); }

 private:
  [[noreturn]] static void Refuse() { throw std::runtime_error("a structured grid does not have that"); }
  int Nodes() const { return columns_ * rows_; }

  void Advance(double step) {
    const double weight = conductivity_ * step;
    for (int row = 1; row + 1 < rows_; ++row) {
      const double* const from = now_.data() + static_cast<std::ptrdiff_t>(row) * columns_;
      double* const to = next_.data() + static_cast<std::ptrdiff_t>(row) * columns_;
      to[0] = edge_;
      for (int column = 1; column + 1 < columns_; ++column) {
        const double around = from[column - 1] + from[column + 1] + from[column - columns_] + from[column + columns_];
        to[column] = from[column] + weight * (around - 4.0 * from[column]);
      }
    }
    now_.swap(next_);
    time_ += step;
  }

  int columns_ = 0;
  int rows_ = 0;
  double conductivity_ = 1.0;
  double end_ = 0.0;
  double step_ = 0.0;
  double time_ = 0.0;
  double edge_ = 1.0;
  std::vector<double> now_, next_;
};

}  // namespace

extern "C" bmi::Bmi* bmi_model_create() {
  return new Heat;
}
extern "C" void bmi_model_destroy(bmi::Bmi* model) {
  delete model;
}
