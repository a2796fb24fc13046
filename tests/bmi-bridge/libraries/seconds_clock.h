/* The clock of BMI models that count seconds from 0. Included by a model after bmi.h; its data begin with the time, and
 * `kTimeStep` are the seconds of a step. */
static int CurrentTime(Bmi* self, double* time) {
  *time = *(const double*)self->data;
  return BMI_SUCCESS;
}
static int StartTime(Bmi* self, double* time) {
  (void)self;
  *time = 0.0;
  return BMI_SUCCESS;
}
static int EndTime(Bmi* self, double* time) {
  (void)self;
  *time = 1e30;
  return BMI_SUCCESS;
}
static int TimeUnits(Bmi* self, char* units) {
  (void)self;
  strcpy(units, "s");
  return BMI_SUCCESS;
}
static int TimeStep(Bmi* self, double* step) {
  (void)self;
  *step = kTimeStep;
  return BMI_SUCCESS;
}
