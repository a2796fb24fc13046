/* Built as a library that another needs, and as one that needs another itself. */
#ifdef SIBLING_NEXT
double SIBLING_NEXT(void);
#endif
#ifndef SIBLING_VALUE
#define SIBLING_VALUE 41.0
#endif

double SIBLING_NAME(void);

double SIBLING_NAME(void) {
#ifdef SIBLING_NEXT
  return SIBLING_NEXT() + 1.0;
#else
  return SIBLING_VALUE;
#endif
}
