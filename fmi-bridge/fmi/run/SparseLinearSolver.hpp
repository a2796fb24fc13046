#pragma once

#include <sundials/sundials_linearsolver.h>

namespace openmi::fmi {

/// A linear solver of SUNDIALS for matrices of SUNSparseMatrix in compressed columns: LU of Eigen, whose pivots are in
/// columns that were ordered once (COLAMD).
///
/// The pattern may change between factorizations; then the columns are ordered again. Free it with SUNLinSolFree.
/// \returns null: no memory
SUNLinearSolver MakeSparseLinearSolver(SUNContext context);

}  // namespace openmi::fmi
