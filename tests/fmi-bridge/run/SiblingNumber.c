/* Built as a library that another needs, and as one that needs another itself. */
#ifdef SIBLING_NEXT
double SIBLING_NEXT(void);
#endif

double SIBLING_NAME(void);

double SIBLING_NAME(void) {
#ifdef SIBLING_NEXT
  return SIBLING_NEXT() + 1.0;
#else
  return 41.0;
#endif
}
