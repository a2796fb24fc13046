/* Two substances that react and spread along a line (the Brusselator in one dimension): in cell i of n,
     u' = 1 + u^2 v - 4 u + c (u_left - 2 u + u_right),  v' = 3 u - u^2 v + c (v_left - 2 v + v_right),
   with u = 1 and v = 3 at both ends and c = (n + 1)^2 / 50. A stiff system of 2 n states, in the order u1 v1 u2 v2 ...
   Source: Hairer and Wanner, Solving Ordinary Differential Equations II, IV.1. */
#pragma once
#include <stddef.h>

static inline double ReactionSpread(size_t cells) {
  const double n = (double)cells + 1.0;
  return n * n / 50.0;
}

static inline void ReactionRates(size_t cells, const double* x, double* dx) {
  const double c = ReactionSpread(cells);
  for (size_t i = 0; i < cells; ++i) {
    const double u = x[2 * i], v = x[2 * i + 1];
    const double left_u = i > 0 ? x[2 * i - 2] : 1.0, right_u = i + 1 < cells ? x[2 * i + 2] : 1.0;
    const double left_v = i > 0 ? x[2 * i - 1] : 3.0, right_v = i + 1 < cells ? x[2 * i + 3] : 3.0;
    dx[2 * i] = 1.0 + u * u * v - 4.0 * u + c * (left_u - 2.0 * u + right_u);
    dx[2 * i + 1] = 3.0 * u - u * u * v + c * (left_v - 2.0 * v + right_v);
  }
}

/* The Jacobian times `seed`. */
static inline void ReactionProduct(size_t cells, const double* x, const double* seed, double* product) {
  const double c = ReactionSpread(cells);
  for (size_t i = 0; i < cells; ++i) {
    const double u = x[2 * i], v = x[2 * i + 1], du = seed[2 * i], dv = seed[2 * i + 1];
    const double around_u = (i > 0 ? seed[2 * i - 2] : 0.0) + (i + 1 < cells ? seed[2 * i + 2] : 0.0);
    const double around_v = (i > 0 ? seed[2 * i - 1] : 0.0) + (i + 1 < cells ? seed[2 * i + 3] : 0.0);
    product[2 * i] = (2.0 * u * v - 4.0 - 2.0 * c) * du + u * u * dv + c * around_u;
    product[2 * i + 1] = (3.0 - 2.0 * u * v) * du + (-u * u - 2.0 * c) * dv + c * around_v;
  }
}

static inline double ReactionStart(size_t cells, size_t state) {
  const double x = (double)(state / 2 + 1) / ((double)cells + 1.0);
  return state % 2 == 0 ? 1.0 + 16.0 * x * x * (1.0 - x) * (1.0 - x) : 3.0;
}
