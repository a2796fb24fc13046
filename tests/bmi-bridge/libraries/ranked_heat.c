/* The plate of the example, for each rank one, which takes a communicator as MODFLOW 6 does: with the function that
 * initializes it, from a file of a known name. The first value of each plate is then the number of the rank. */
#include <mpi.h>

#define initialize initialize_plate
#include "flat_heat.c"
#undef initialize

int initialize(const char* config) {
  (void)config;
  return BMI_FAILURE; /* it needs ranks */
}

int initialize_mpi(int* communicator) {
  double* values = NULL;
  int rank = 0;
  if (initialize_plate("plate.cfg") != BMI_SUCCESS) return BMI_FAILURE;
  if (MPI_Comm_rank(MPI_Comm_f2c(*communicator), &rank) != MPI_SUCCESS) return BMI_FAILURE;
  if (model.get_value_ptr(&model, "plate_surface__temperature", (void**)&values) != BMI_SUCCESS) return BMI_FAILURE;
  values[0] = rank;
  return BMI_SUCCESS;
}
