/* The plate of the example, for each rank one, which takes a communicator as MODFLOW 6 does. The first value of each
 * plate is the number of the rank after it is set up, so that a test sees who is who. */
#include <mpi.h>

#define initialize initialize_plate
#include "flat_heat.c"
#undef initialize

static int rank = -1;

int initialize_mpi(int* communicator) {
  return MPI_Comm_rank(MPI_Comm_f2c(*communicator), &rank) == MPI_SUCCESS ? BMI_SUCCESS : BMI_FAILURE;
}

int initialize(const char* config) {
  double* values = NULL;
  int status;
  if (rank < 0) return BMI_FAILURE;
  status = initialize_plate(config);
  if (status != BMI_SUCCESS) return status;
  if (model.get_value_ptr(&model, "plate_surface__temperature", (void**)&values) != BMI_SUCCESS) return BMI_FAILURE;
  values[0] = rank;
  return BMI_SUCCESS;
}
