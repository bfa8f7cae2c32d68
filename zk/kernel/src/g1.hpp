// Points of G1 in pairs: every operation works on two points, one in each lane. Homogeneous coordinates and complete formulas, so
// no case is exceptional (Renes, Costello and Batina, https://eprint.iacr.org/2015/1060, algorithms 7 and 9, with a = 0, b = 3).
// Running times and memory accesses depend on the scalars, which are public.
#pragma once
#include "fp2.hpp"

/** Two points; infinity is (0, 1, 0). */
struct G1Pair {
  Fp2 x, y, z;
};
/** One point, as tables store it. */
struct G1Point {
  Fp x, y, z;
};

INLINE G1Point left(const G1Pair &p) { return {real(p.x), real(p.y), real(p.z)}; }
INLINE G1Point right(const G1Pair &p) { return {imag(p.x), imag(p.y), imag(p.z)}; }
INLINE G1Pair pair(const G1Point &p, const G1Point &q) { return {lanes(p.x, q.x), lanes(p.y, q.y), lanes(p.z, q.z)}; }
INLINE G1Pair infinity() { return {zero(), ones(), zero()}; }

NOINLINE void add(G1Pair *r, const G1Pair *p, const G1Pair *q) {
  Norm xx = lanewise(p->x, q->x), yy = lanewise(p->y, q->y), zz = lanewise(p->z, q->z);
  LaneFactor xy = lane_factor(lanewise(lane_factor(p->x + p->y), lane_factor(q->x + q->y)) - xx - yy);
  LaneFactor yz = lane_factor(lanewise(lane_factor(p->y + p->z), lane_factor(q->y + q->z)) - yy - zz);
  Norm xz = times<9>(lanewise(lane_factor(p->x + p->z), lane_factor(q->x + q->z)) - xx - zz);
  LaneFactor xx3 = lane_factor(triple(xx));
  Norm zz9 = times<9>(zz);
  LaneFactor sum = lane_factor(yy + zz9), difference = lane_factor(yy - zz9);
  *r = {normalize(lanewise(xy, difference) - lanewise(yz, xz)), normalize(lanewise(difference, sum) + lanewise(xz, xx3)),
        normalize(lanewise(sum, yz) + lanewise(xx3, xy))};
}

NOINLINE void double_point(G1Pair *r, const G1Pair *p) {
  Norm yy = lanewise(p->y, p->y), yz = lanewise(p->y, p->z), zz9 = times<9>(lanewise(p->z, p->z));
  Norm yy8 = times<8>(yy);
  LaneFactor difference = lane_factor(yy - lane_factor(triple(zz9)));
  Norm xy = lanewise(difference, lanewise(p->x, p->y));
  *r = {normalize(xy + xy), normalize(lanewise(zz9, yy8) + lanewise(difference, lane_factor(yy + zz9))), lanewise(yz, yy8)};
}

/** Both lanes on y^2 = x^3 + 3, in affine coordinates. */
INLINE bool are_on_curve(const Norm &x, const Norm &y) {
  return is_zero(lanewise(y, y) - lanewise(lanewise(x, x), x) - constant(THREES));
}

/**
 * Multiplies both points by low + lambda * high, where lambda (x, y) = (beta x, y). Each step processes two bits of each word.
 */
NOINLINE void multiply(G1Pair *p, Word low, Word high) {
  G1Pair multiples[16];
  multiples[0] = infinity();
  multiples[1] = *p;
  double_point(&multiples[2], p);
  add(&multiples[3], &multiples[2], p);
  for (int i = 1; i < 4; i++) {
    multiples[4 * i] = {lanewise(multiples[i].x, constant(BETAS)), multiples[i].y, multiples[i].z};
    for (int j = 1; j < 4; j++) add(&multiples[4 * i + j], &multiples[4 * i], &multiples[j]);
  }
  G1Pair sum = multiples[(high >> 62) * 4 + (low >> 62)];
  for (int bit = 60; bit >= 0; bit -= 2) {
    double_point(&sum, &sum);
    double_point(&sum, &sum);
    const int digit = (high >> bit & 3) * 4 + (low >> bit & 3);
    if (digit != 0) add(&sum, &sum, &multiples[digit]);
  }
  *p = sum;
}

constexpr int WINDOW = 6, WINDOWS = 43;
/** d * 2^(6 w) times a point, for every digit d and window w. */
using Table = G1Point[WINDOWS][1 << WINDOW];

/** Fills two tables, one from each lane. */
static void fill_tables(Table &left_table, Table &right_table, const G1Pair &p) {
  G1Pair base = p;
  for (int w = 0; w < WINDOWS; w++) {
    G1Pair multiple = infinity();
    for (int d = 0; d < 1 << WINDOW; d++) {
      left_table[w][d] = left(multiple);
      right_table[w][d] = right(multiple);
      add(&multiple, &multiple, &base);
    }
    base = multiple;
  }
}

/** Window w of a 256-bit number. */
INLINE int digit_at(const Word *scalar, int w) {
  const int bit = WINDOW * w, word = bit >> 6, shift = bit & 63;
  Word digit = scalar[word] >> shift;
  if (shift > 64 - WINDOW && word < 3) digit |= scalar[word + 1] << (64 - shift);
  return (int)(digit & ((1 << WINDOW) - 1));
}

struct Term {
  const Table *table;
  /** Four words, least significant first. */
  const Word *scalar;
};
INLINE const G1Point &multiple_of(const Term &term, int w) { return (*term.table)[w][digit_at(term.scalar, w)]; }

/** Adds two terms to a pair, one in each lane. */
static void add_terms(G1Pair *sum, const Term &a, const Term &b) {
  for (int w = 0; w < WINDOWS; w++) {
    G1Pair multiples = pair(multiple_of(a, w), multiple_of(b, w));
    add(sum, sum, &multiples);
  }
}
/** Adds one term, its even windows in the left lane and its odd ones in the right. */
static void add_term(G1Pair *sum, const Term &term) {
  for (int w = 0; w < WINDOWS; w += 2) {
    G1Pair multiples = pair(multiple_of(term, w), w + 1 < WINDOWS ? multiple_of(term, w + 1) : left(infinity()));
    add(sum, sum, &multiples);
  }
}
/** The sum of both lanes, in both lanes. */
static void fold(G1Pair *sum) {
  G1Pair other = pair(right(*sum), left(*sum));
  add(sum, sum, &other);
}
