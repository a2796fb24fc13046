#ifndef POND_H
#define POND_H
#ifdef __cplusplus
extern "C" {
#endif
enum { POND_COUNT = 3 };
extern double pond_inflow, pond_level[POND_COUNT], pond_outflow;
int pond_init(const char* file);
int pond_step(double seconds);
void pond_finish(void);
#ifdef __cplusplus
}
#endif
#endif
