#include <nvector/nvector_serial.h>
#include <sundials/sundials_linearsolver.h>
#include <sunmatrix/sunmatrix_sparse.h>

#include <Eigen/SparseCore>
#include <Eigen/SparseLU>
#include <algorithm>
#include <cstdlib>
#include <new>
#include <vector>

#include "fmi-bridge/fmi/run/SparseJacobian.hpp"

namespace openmi::fmi {
namespace {

struct Factors {
  Eigen::SparseMatrix<double> matrix;
  Eigen::SparseLU<Eigen::SparseMatrix<double>> lu;
  bool is_ordered = false;
};

Factors& Of(SUNLinearSolver solver) {
  return *static_cast<Factors*>(solver->content);
}

SUNLinearSolver_Type Type(SUNLinearSolver) {
  return SUNLINEARSOLVER_DIRECT;
}

/// Copies the matrix. \returns whether it has the pattern of the one before
bool Take(SUNMatrix from, Eigen::SparseMatrix<double>& into) {
  const sunindextype size = SUNSparseMatrix_Columns(from);
  const sunindextype* starts = SUNSparseMatrix_IndexPointers(from);
  const sunindextype* rows = SUNSparseMatrix_IndexValues(from);
  const double* values = SUNSparseMatrix_Data(from);
  const sunindextype count = starts[size];
  const bool is_same = into.cols() == size && into.nonZeros() == count && into.isCompressed() &&
                       std::equal(starts, starts + size + 1, into.outerIndexPtr()) &&
                       std::equal(rows, rows + count, into.innerIndexPtr());
  if (!is_same) {
    into.resize(size, size);
    into.resizeNonZeros(count);
    std::transform(starts, starts + size + 1, into.outerIndexPtr(), [](sunindextype i) { return static_cast<int>(i); });
    std::transform(rows, rows + count, into.innerIndexPtr(), [](sunindextype i) { return static_cast<int>(i); });
  }
  std::copy(values, values + count, into.valuePtr());
  return is_same;
}

int Setup(SUNLinearSolver solver, SUNMatrix matrix) {
  try {
    Factors& factors = Of(solver);
    if (!Take(matrix, factors.matrix) || !factors.is_ordered) {
      factors.lu.analyzePattern(factors.matrix);
      factors.is_ordered = true;
    }
    factors.lu.factorize(factors.matrix);
    return factors.lu.info() == Eigen::Success ? SUNLS_SUCCESS : SUNLS_LUFACT_FAIL;  // singular: CVODE recovers
  } catch (const std::bad_alloc&) {
    return SUNLS_MEM_FAIL;
  }
}

int Solve(SUNLinearSolver solver, SUNMatrix, N_Vector x, N_Vector b, double) {
  const auto size = static_cast<Eigen::Index>(N_VGetLength(b));
  const Eigen::Map<const Eigen::VectorXd> right(N_VGetArrayPointer(b), size);
  Eigen::Map<Eigen::VectorXd>(N_VGetArrayPointer(x), size) = Of(solver).lu.solve(right);
  return SUNLS_SUCCESS;
}

int Free(SUNLinearSolver solver) {
  if (solver == nullptr) return SUNLS_SUCCESS;
  delete static_cast<Factors*>(solver->content);
  solver->content = nullptr;
  SUNLinSolFreeEmpty(solver);
  return SUNLS_SUCCESS;
}

}  // namespace

SUNLinearSolver MakeSparseLinearSolver(SUNContext context) {
  SUNLinearSolver solver = SUNLinSolNewEmpty(context);
  if (solver == nullptr) return nullptr;
  solver->ops->gettype = Type;
  solver->ops->setup = Setup;
  solver->ops->solve = Solve;
  solver->ops->free = Free;
  solver->content = new (std::nothrow) Factors;
  if (solver->content != nullptr) return solver;
  SUNLinSolFreeEmpty(solver);
  return nullptr;
}

}  // namespace openmi::fmi
