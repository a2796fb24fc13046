/* A library that offers no model, or one that gives none. */
#ifdef GIVES_NULL
struct Bmi;
struct Bmi* register_bmi(struct Bmi* model) {
  (void)model;
  return 0;
}
#else
int answer(void) { return 42; }
#endif
