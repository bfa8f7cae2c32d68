// Includes the layout of this build, and defines the operations that all layouts share.
#pragma once
#if defined(BOUNDS)
#include "fp2-bounds.hpp"
#elif defined(LAYOUT_FMA)
#include "fp2-fma.hpp"
#else
#include "fp2-scalar.hpp"
#endif

using Fp2 = Stored<4>;

// Not inlined, because they are long and have many callers.
NOINLINE void dot_1(Norm *r, const Norm *a, const Norm *b) { *r = dot<1>({a}, {b}); }
NOINLINE void dot_2(Norm *r, const Norm *a, const Norm *b, const Norm *c, const Norm *d) { *r = dot<2>({a, c}, {b, d}); }
NOINLINE void dot_3(Norm *r, const Norm *a, const Norm *b, const Norm *c, const Norm *d, const Norm *e, const Norm *f) {
  *r = dot<3>({a, c, e}, {b, d, f});
}
NOINLINE void lane_products(Norm *r, const LaneFactor *a, const LaneFactor *b) { *r = lane_products(*a, *b); }

/** ab in Fp2 */
INLINE Norm operator*(const Norm &a, const Norm &b) {
  Norm r;
  dot_1(&r, &a, &b);
  return r;
}
/** ab + cd */
INLINE Norm dot(const Norm &a, const Norm &b, const Norm &c, const Norm &d) {
  Norm r;
  dot_2(&r, &a, &b, &c, &d);
  return r;
}
/** ab + cd + ef */
INLINE Norm dot(const Norm &a, const Norm &b, const Norm &c, const Norm &d, const Norm &e, const Norm &f) {
  Norm r;
  dot_3(&r, &a, &b, &c, &d, &e, &f);
  return r;
}
/** Lane by lane: (a0 b0, a1 b1) */
INLINE Norm lanewise(const LaneFactor &a, const LaneFactor &b) {
  Norm r;
  lane_products(&r, &a, &b);
  return r;
}
/** a^2 in Fp2 */
INLINE Norm square(const Norm &a) { return lanewise(lane_factor(square_factor_1(a)), lane_factor(square_factor_2(a))); }
/** 3a */
INLINE Sum triple(const Sum &a) { return a + a + a; }

INLINE Norm swapped(const Norm &a) { return lanes(imag(a), real(a)); }
/** An element of Fp in both lanes. */
INLINE Norm twice(const Fp &a) { return lanes(a, a); }
INLINE Norm one() { return constant(ONE); }
INLINE Norm ones() { return constant(ONES); }

/** Reads two numbers below 2^256, each four words. Returns their Montgomery form. */
INLINE Norm load(const Word *words) { return lanewise(digits_of(words), constant(R_SQUARED)); }
/** Writes two elements as numbers in [0, p). */
INLINE void store(Word *words, const LaneFactor &a) { write_words(words, reduce(lanewise(a, constant(PLAIN_ONES)))); }

/** Zero exactly if both lanes are zero mod p. Comparisons combine residues with |, so that none is skipped. */
NOINLINE Word residue(const Sum &a) {
  Word words[8], any = 0;
  store(words, lane_factor(a));
  for (Word word : words) any |= word;
  return any;
}
INLINE bool is_zero(const Sum &a) { return residue(a) == 0; }

/** The inverse of each lane, by Fermat's little theorem. The inverse of zero is zero. */
NOINLINE void invert_lanes(Fp2 *result, const Fp2 *a) {
  Fp2 powers[16];
  powers[0] = ones();
  for (int i = 1; i < 16; i++) powers[i] = lanewise(powers[i - 1], *a);
  Fp2 power = ones();
  for (int i = 63; i >= 0; i--) {
    for (int bit = 0; bit < 4; bit++) power = lanewise(power, power);
    power = lanewise(power, powers[PRIME_MINUS_2[i >> 4] >> (4 * (i & 15)) & 15]);
  }
  *result = power;
}
INLINE Norm inverse(const Fp2 &a) {
  Norm squares = lanewise(a, a);
  Fp2 norm = normalize(squares + swapped(squares)), inverse_norm;
  invert_lanes(&inverse_norm, &norm);
  return lanewise(conjugate(a), inverse_norm);
}
