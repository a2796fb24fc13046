/* Heat in a plate under ice. See plate.h. */
#include "plate.h"

#include <mpi.h>
#include <stdlib.h>
#include <string.h>

static const double HEAT_CAPACITY = 2.0e6; /* of a cell, J m-2 K-1 */
static const double MELT = 3600.0 / 334.0e3; /* mm h-1 of water for 1 W m-2: latent heat 334 kJ kg-1 */

static MPI_Comm world;
static int rank, ranks, nx, ny, first, count;
static double size, conductivity, exchange;
static double *t;    /* count + 2 rows of nx: a halo above and below */
static double *next; /* the same */
static double *melt; /* count rows */

int plate_setup(int fortran_communicator, int columns, int rows, double s, double k, double e) {
  world = MPI_Comm_f2c(fortran_communicator);
  MPI_Comm_rank(world, &rank);
  MPI_Comm_size(world, &ranks);
  if (rows < ranks) return 1;
  nx = columns;
  ny = rows;
  size = s;
  conductivity = k;
  exchange = e;
  first = (int)((long)ny * rank / ranks);
  count = (int)((long)ny * (rank + 1) / ranks) - first;
  t = calloc((size_t)(count + 2) * nx, sizeof(double));
  next = calloc((size_t)(count + 2) * nx, sizeof(double));
  melt = calloc((size_t)count * nx, sizeof(double));
  return t == NULL || next == NULL || melt == NULL;
}

void plate_rows(int *f, int *c) {
  *f = first;
  *c = count;
}

static void exchange_halos(void) {
  const int up = rank > 0 ? rank - 1 : MPI_PROC_NULL;
  const int down = rank + 1 < ranks ? rank + 1 : MPI_PROC_NULL;
  MPI_Sendrecv(t + nx, nx, MPI_DOUBLE, up, 1, t + (size_t)(count + 1) * nx, nx, MPI_DOUBLE, down, 1, world,
               MPI_STATUS_IGNORE);
  MPI_Sendrecv(t + (size_t)count * nx, nx, MPI_DOUBLE, down, 2, t, nx, MPI_DOUBLE, up, 2, world, MPI_STATUS_IGNORE);
  /* nothing flows across the border of the plate */
  if (rank == 0) memcpy(t, t + nx, sizeof(double) * (size_t)nx);
  if (rank + 1 == ranks) memcpy(t + (size_t)(count + 1) * nx, t + (size_t)count * nx, sizeof(double) * (size_t)nx);
}

void plate_step(double seconds, const double *heating) {
  const double fastest = 4.0 * conductivity / (size * size) + exchange;
  const int parts = 1 + (int)(seconds * fastest / (0.5 * HEAT_CAPACITY));
  const double dt = seconds / parts;
  int part, i, j;
  memset(melt, 0, sizeof(double) * (size_t)count * nx);
  for (part = 0; part < parts; ++part) {
    exchange_halos();
    for (j = 1; j <= count; ++j) {
      for (i = 0; i < nx; ++i) {
        const size_t at = (size_t)j * nx + i;
        const double west = i > 0 ? t[at - 1] : t[at];
        const double east = i + 1 < nx ? t[at + 1] : t[at];
        const double flow = conductivity / (size * size) * (west + east + t[at - nx] + t[at + nx] - 4.0 * t[at]);
        const double to_ice = t[at] > 0.0 ? exchange * t[at] : 0.0;
        next[at] = t[at] + dt / HEAT_CAPACITY * (heating[at - nx] + flow - to_ice);
        melt[at - nx] += MELT * to_ice / parts;
      }
    }
    {
      double *swap = t;
      t = next;
      next = swap;
    }
  }
}

double *plate_temperature(void) { return t + nx; }
const double *plate_melt(void) { return melt; }

void plate_end(void) {
  free(t);
  free(next);
  free(melt);
  t = next = melt = NULL;
}
