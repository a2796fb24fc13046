/* Three ponds in a row, as somebody wrote them long ago: a file, global arrays, init, step, finish. */
#include "pond.h"

#include <stdio.h>

double pond_inflow;             /* m3 s-1, into the first */
double pond_level[POND_COUNT];  /* m */
double pond_outflow;            /* m3 s-1, out of the last */
static double area[POND_COUNT]; /* m2 */
static double lag;              /* s m-2: outflow is area * level / lag */

int pond_init(const char* file) {
  FILE* const stream = fopen(file, "r");
  if (stream == NULL) return 1;
  int read = fscanf(stream, "%lf", &lag);
  for (int i = 0; i < POND_COUNT; ++i) read += fscanf(stream, "%lf %lf", &area[i], &pond_level[i]);
  fclose(stream);
  pond_outflow = 0.0;
  return read == 1 + 2 * POND_COUNT && lag > 0.0 ? 0 : 2;
}

int pond_step(double seconds) {
  double flow = pond_inflow;
  for (int i = 0; i < POND_COUNT; ++i) {
    const double out = area[i] * pond_level[i] / lag;
    pond_level[i] += (flow - out) * seconds / area[i];
    if (pond_level[i] < 0.0) return 3;
    flow = out;
  }
  pond_outflow = flow;
  return 0;
}

void pond_finish(void) { pond_inflow = 0.0; }
