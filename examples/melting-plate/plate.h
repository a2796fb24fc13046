/* Heat in a plate under ice. Explicit, in rows; each process has some of them. */
#ifndef PLATE_H
#define PLATE_H

/* Sets up nx * ny square cells of `size` metres, at 0 degC. All processes of the communicator call it. */
int plate_setup(int fortran_communicator, int nx, int ny, double size, double conductivity, double exchange);
/* The rows of this process, from 0. */
void plate_rows(int *first, int *count);
/* One step. `heating` is in W m-2, one number a cell of this process. */
void plate_step(double seconds, const double *heating);
/* degC, one number a cell of this process. Those who write here set the state. */
double *plate_temperature(void);
/* The mean melt of the last step, mm h-1. */
const double *plate_melt(void);
void plate_end(void);

#endif
