/* Heat in a rod whose ends are cold: x_i' = (x_{i-1} - 2 x_i + x_{i+1}) / h^2 at n points, h = 1 / (n + 1); at the
   start sin(pi i h). A stiff system of as many states as one likes, with a known solution: x_i(t) = sin(pi i h) exp(-l
   t), l = (2 sin(pi h / 2) / h)^2. */
#include <math.h>

#include "Model.h"

enum { kMostPoints = 10000 };

typedef struct {
  double time, middle, error;
  uint64_t n;
  double x[kMostPoints], dx[kMostPoints];
} Data;
#define AT(field) offsetof(Data, field)

enum { kTime, kN, kMiddle, kDistance, kX, kDx };

static const Variable kVariables[] = {
    {"time", kFloat64, kIndependent, kContinuous, AT(time), NULL, NULL, "simulation time"},
    {"n", kUInt64, kStructural, kFixed, AT(n), "10000", NULL, "number of points", .attributes = "max=\"10000\""},
    {"middle", kFloat64, kOutput, kContinuous, AT(middle), NULL, NULL, "temperature at the point n / 2"},
    {"error", kFloat64, kOutput, kContinuous, AT(error), NULL, NULL, "largest distance from the solution"},
    {"x", kFloat64, kLocal, kContinuous, AT(x), "0", NULL, "temperatures", .rows = 1 + kN},
    {"der(x)", kFloat64, kLocal, kContinuous, AT(dx), NULL, NULL, "derivatives", .derivative_of = 1 + kX,
     .rows = 1 + kN},
};

static const double kPi = 3.14159265358979323846;

static double StartAt(const Data* data, uint64_t i) {
  return sin(kPi * (double)(i + 1) / (double)(data->n + 1));
}

static Status StartHeat(Instance* instance) {
  Data* data = DATA(instance, Data);
  if (data->n < 2 || data->n > kMostPoints) {
    Log(instance, kError, "logStatusError", "n must be between 2 and %d", kMostPoints);
    return kError;
  }
  for (uint64_t i = 0; i < data->n; ++i) data->x[i] = StartAt(data, i);
  return kOK;
}

static Status EvaluateHeat(Instance* instance) {
  Data* data = DATA(instance, Data);
  data->time = instance->core->time;
  const uint64_t n = data->n;
  const double h = 1.0 / (double)(n + 1);
  for (uint64_t i = 0; i < n; ++i) {
    const double left = i > 0 ? data->x[i - 1] : 0.0;
    const double right = i + 1 < n ? data->x[i + 1] : 0.0;
    data->dx[i] = (left - 2.0 * data->x[i] + right) / (h * h);
  }
  const double root = 2.0 * sin(kPi * h / 2.0) / h;
  const double left = exp(-root * root * data->time);
  data->middle = data->x[n / 2];
  data->error = 0.0;
  for (uint64_t i = 0; i < n; i += 1 + n / 64)
    data->error = fmax(data->error, fabs(data->x[i] - left * StartAt(data, i)));
  return kOK;
}

const Model kModel = {
    .identifier = "Heat",
    .description = "heat in a rod",
    .variables = kVariables,
    .variable_count = sizeof kVariables / sizeof *kVariables,
    .data_size = sizeof(Data),
    .stop_time = 0.2,
    .step = 0.02,
    .no_co_simulation = true, /* explicit steps would have to be below 5e-9 */
    .initialize = StartHeat,
    .evaluate = EvaluateHeat,
};
