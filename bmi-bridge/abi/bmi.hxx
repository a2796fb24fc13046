// The C++ binding of the Basic Model Interface 2.0: the order and the types of its virtual functions, written down for
// this project.
//
// Source: the BMI 2.0 specification (SIDL) and the C++ binding as libraries use it; docs/bmi.md. Texts and lists travel by
// value, so a library fits only where it was built with the same standard library and the same text ABI.
#ifndef OPENMI_BMI_HXX_
#define OPENMI_BMI_HXX_

#include <string>
#include <vector>

namespace bmi {

const int BMI_SUCCESS = 0;
const int BMI_FAILURE = 1;

const int MAX_COMPONENT_NAME = 2048;
const int MAX_VAR_NAME = 2048;
const int MAX_UNITS_NAME = 2048;
const int MAX_TYPE_NAME = 2048;

class Bmi {
 public:
  virtual ~Bmi() {}

  // Control.
  virtual void Initialize(std::string config_file) = 0;
  virtual void Update() = 0;
  virtual void UpdateUntil(double time) = 0;
  virtual void Finalize() = 0;

  // What it is.
  virtual std::string GetComponentName() = 0;
  virtual int GetInputItemCount() = 0;
  virtual int GetOutputItemCount() = 0;
  virtual std::vector<std::string> GetInputVarNames() = 0;
  virtual std::vector<std::string> GetOutputVarNames() = 0;

  // Variables.
  virtual int GetVarGrid(std::string name) = 0;
  virtual std::string GetVarType(std::string name) = 0;
  virtual std::string GetVarUnits(std::string name) = 0;
  virtual int GetVarItemsize(std::string name) = 0;
  virtual int GetVarNbytes(std::string name) = 0;
  virtual std::string GetVarLocation(std::string name) = 0;

  // Time.
  virtual double GetCurrentTime() = 0;
  virtual double GetStartTime() = 0;
  virtual double GetEndTime() = 0;
  virtual std::string GetTimeUnits() = 0;
  virtual double GetTimeStep() = 0;

  // Values.
  virtual void GetValue(std::string name, void* to) = 0;
  virtual void* GetValuePtr(std::string name) = 0;
  virtual void GetValueAtIndices(std::string name, void* to, int* indices, int count) = 0;
  virtual void SetValue(std::string name, void* from) = 0;
  virtual void SetValueAtIndices(std::string name, int* indices, int count, void* from) = 0;

  // Grids: any, structured, uniform, with coordinates, unstructured.
  virtual int GetGridRank(const int grid) = 0;
  virtual int GetGridSize(const int grid) = 0;
  virtual std::string GetGridType(const int grid) = 0;
  virtual void GetGridShape(const int grid, int* shape) = 0;
  virtual void GetGridSpacing(const int grid, double* spacing) = 0;
  virtual void GetGridOrigin(const int grid, double* origin) = 0;
  virtual void GetGridX(const int grid, double* x) = 0;
  virtual void GetGridY(const int grid, double* y) = 0;
  virtual void GetGridZ(const int grid, double* z) = 0;
  virtual int GetGridNodeCount(const int grid) = 0;
  virtual int GetGridEdgeCount(const int grid) = 0;
  virtual int GetGridFaceCount(const int grid) = 0;
  virtual void GetGridEdgeNodes(const int grid, int* nodes) = 0;
  virtual void GetGridFaceEdges(const int grid, int* edges) = 0;
  virtual void GetGridFaceNodes(const int grid, int* nodes) = 0;
  virtual void GetGridNodesPerFace(const int grid, int* counts) = 0;
};

}  // namespace bmi

#endif
