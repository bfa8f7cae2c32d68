// The optimal ate pairing of BN254: the Miller loop over 6x + 2, with the two Frobenius steps, and the final exponentiation.
#pragma once
#include "tower.hpp"

struct G2Affine {
  Fp2 x, y;
};
/** Homogeneous coordinates: (x/z, y/z). An exceptional case of the formulas below would make z zero, and it would stay zero. */
struct G2Point {
  Fp2 x, y, z;
};
/** A line through points of the twist. Its value at P = (x, y) of G1 is y c0 + x c3 w + c4 w^3. */
struct Line {
  Stored<9> c0, c3, c4;
};
/** A point of G1, each coordinate in both lanes. If `affine`, z counts as one and is not read. */
struct Evaluation {
  Fp2 x, y, z;
  bool affine;
};

constexpr int MAX_PAIRS = 64;
constexpr int LINE_COUNT = sizeof LOOP / sizeof LOOP[0];
/** All lines of a point, in the order of the loop. */
using Lines = Line[LINE_COUNT];

/** Doubles a point. `line`: the tangent. */
NOINLINE void double_step(G2Point *t, Line *line) {
  Norm half_xy = lanewise(t->x * t->y, constant(HALF)), yy = square(t->y), zz = square(t->z);
  Norm e = constant(TWIST_3B) * zz, ee = square(e);
  Sum f = triple(e);
  Norm g = lanewise(lane_factor(yy + f), constant(HALF));
  Norm h = normalize(square(normalize(t->y + t->z)) - yy - zz);
  *line = {-h, normalize(triple(square(t->x))), normalize(e - yy)};
  *t = {half_xy * normalize(yy - f), reduce(square(g) - triple(ee)), yy * h};
}

/** Adds an affine point. `line`: the line through both. */
NOINLINE void add_step(G2Point *t, Line *line, const G2Affine *q) {
  Norm theta = normalize(t->y - q->y * t->z), lambda = normalize(t->x - q->x * t->z);
  Norm c = square(theta), d = square(lambda), e = lambda * d, f = t->z * c, g = t->x * d;
  Norm h = normalize(e + f - g - g);
  *line = {lambda, -theta, normalize(theta * q->x - lambda * q->y)};
  *t = {lambda * h, normalize(theta * normalize(g - h) - e * t->y), t->z * e};
}

/** The Frobenius map carried over to the twist. */
INLINE G2Affine psi(const G2Affine &q) {
  return {conjugate(q.x) * constant(PSI_X), conjugate(q.y) * constant(PSI_Y)};
}

INLINE void multiply_by_value(Fp12 *f, const Line &line, const Evaluation &p) {
  Norm y = lanewise(line.c0, p.y), x = lanewise(line.c3, p.x), z = p.affine ? Norm(line.c4) : lanewise(line.c4, p.z);
  multiply_line(f, &y, &x, &z);
}

/** One step of the loop over Q: T becomes 2T, T + Q, T - Q, T + psi(Q) or T - psi^2(Q). */
NOINLINE void take_step(Step step, G2Point *t, Line *line, const G2Affine *q) {
  if (step == DOUBLE) return double_step(t, line);
  G2Affine point = *q;
  if (step == SUBTRACT) point.y = -point.y;
  if (step == ADD_PSI) point = psi(point);
  if (step == SUBTRACT_PSI_SQUARED) {
    point = psi(psi(point));
    point.y = -point.y;
  }
  add_step(t, line, &point);
}

static void prepare_lines(Lines &lines, const G2Affine &q) {
  G2Point t = {q.x, q.y, one()};
  for (int i = 0; i < LINE_COUNT; i++) take_step(LOOP[i], &t, &lines[i], &q);
}

/**
 * The product of the Miller loops of (p[i], q[i]), i < count <= MAX_PAIRS, and of (fixed_p[i], a point with the given lines). All
 * share their squarings. Leaves t[i] = [6x + 2]Q + psi(Q) - psi^2(Q).
 */
static void miller_loop(Fp12 *f, int fixed, const Evaluation *fixed_p, const Lines *const *lines, int count,
                        const Evaluation *p, const G2Affine *q, G2Point *t) {
  *f = one_fp12();
  for (int i = 0; i < count; i++) t[i] = {q[i].x, q[i].y, one()};
  Line line;
  for (int step = 0; step < LINE_COUNT; step++) {
    if (LOOP[step] == DOUBLE && step > 0) square(f, f);
    for (int i = 0; i < fixed; i++) multiply_by_value(f, (*lines[i])[step], fixed_p[i]);
    for (int i = 0; i < count; i++) {
      take_step(LOOP[step], &t[i], &line, &q[i]);
      multiply_by_value(f, line, p[i]);
    }
  }
}

INLINE bool is_on_twist(const G2Affine &q) {
  return is_zero(square(q.y) - square(q.x) * q.x - constant(TWIST_B));
}

/**
 * Whether Q, a point of the twist, is in G2, the subgroup of order r. `t` is the T of the Miller loop.
 *
 * With f(X) = 6x + 2 + X - X^2 + X^3, the test is f(psi)(Q) = 0, that is T = -psi^3(Q). On G2, psi multiplies by p and f(p) = 0
 * mod r. Conversely, if f(psi)(Q) = 0, then the norm of f(psi), an integer, times Q is zero too. The norm is coprime to the
 * cofactor 2p - r, so the order of Q is r. The formulas in the loop have no exceptional case for any point of the twist. If one
 * occurred, z would be zero. zk/test/kernel/subgroup.test.ts recomputes all of this.
 */
static bool is_in_g2(const G2Point &t, const G2Affine &q) {
  G2Affine expected = psi(psi(psi(q)));
  Word difference = residue(expected.x * t.z - t.x) | residue(expected.y * t.z + t.y);
  return difference == 0 && !is_zero(t.z);
}

/** f^x for the curve's parameter x, in the cyclotomic subgroup. */
NOINLINE void power_of_x(Fp12 *r, const Fp12 *f) {
  Fp12 result = *f;
  const Fp12 inverse = conjugate(*f);
  for (unsigned i = 1; i < sizeof X_DIGITS; i++) {
    cyclotomic_square(&result, &result);
    if (X_DIGITS[i] != 0) multiply(&result, &result, X_DIGITS[i] == 1 ? f : &inverse);
  }
  *r = result;
}
INLINE Fp12 power_of_minus_x(const Fp12 &f) {
  Fp12 r;
  power_of_x(&r, &f);
  return conjugate(r);
}
INLINE Fp12 cyclotomic_square(const Fp12 &f) {
  Fp12 r;
  cyclotomic_square(&r, &f);
  return r;
}

/** f^((p^12 - 1) / r), with the addition chain of Devegili, Scott and Dahab for BN curves. Maps factors in Fp6 to one. */
NOINLINE void final_exponentiation(Fp12 *result, const Fp12 *f) {
  Fp12 inverse;
  invert(&inverse, f);
  Fp12 r = conjugate(*f) * inverse;
  r = frobenius_squared(r) * r;
  const Fp12 y0 = power_of_minus_x(r), y1 = cyclotomic_square(y0), y2 = cyclotomic_square(y1), y3 = y2 * y1;
  const Fp12 y4 = power_of_minus_x(y3), y5 = cyclotomic_square(y4), y6 = power_of_minus_x(y5);
  const Fp12 y7 = conjugate(y6) * y4, y8 = y7 * conjugate(y3), y9 = y8 * y1, y10 = y8 * y4, y11 = y10 * r;
  const Fp12 y12 = frobenius(y9) * y11, y13 = frobenius_squared(y8) * y12, y14 = conjugate(r) * y9;
  *result = frobenius_squared(frobenius(y14)) * y13;
}

static bool equal(const Fp12 &x, const Fp12 &y) {
  Word low = residue(x.a.a - y.a.a) | residue(x.a.b - y.a.b) | residue(x.a.c - y.a.c);
  Word high = residue(x.b.a - y.b.a) | residue(x.b.b - y.b.b) | residue(x.b.c - y.b.c);
  return (low | high) == 0;
}
