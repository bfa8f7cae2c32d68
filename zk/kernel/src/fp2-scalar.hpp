// Fp2 on 64-bit integers, for any WebAssembly.
//
// An element of Fp is nine limbs of 29 bits, each a signed 32-bit integer. Values are in Montgomery form with R = 2^261. Products
// of two limbs are added in 64 bits, and a column has room for 127 products of normalised limbs. Both layouts define the same
// functions, which fp2-fma.hpp documents.
#pragma once
#include "constants.hpp"

#define INLINE static inline __attribute__((always_inline))
#define INLINE_MEMBER inline __attribute__((always_inline))
#define NOINLINE static __attribute__((noinline))
#define UNROLL _Pragma("unroll")

using Word = unsigned long long;
using Wide = long long;

constexpr int LIMBS = 9;

/** One element of Fp. */
struct Fp {
  int limb[LIMBS];
};

/** A sum of a few normalised elements: lane 0 the real part, lane 1 the imaginary part. Limbs: at most 6 * 2^28. */
struct Sum {
  int limb[2][LIMBS];
};

/** What lanewise multiplies. Columns have room for products of sums: two factors' limbs, multiplied, are at most 13 * 2^56. */
struct LaneFactor : Sum {};

/** What can be multiplied. Limbs 0 to 7: at most 2^28 + 8. Limb 8: below 2^28, because the value is below 80 p. */
struct Norm : LaneFactor {};

/** See fp2-fma.hpp. */
template <int max>
using Stored = Norm;

static bool is_supported() { return true; }

constexpr Wide HALF_DIGIT = 1 << 28;

/** The low 29 bits, as a number from -2^28 to 2^28 - 1. */
INLINE int digit(Wide column) { return (int)((unsigned)column << 3) >> 3; }

/** A Montgomery reduction, as reduce_columns in fp2-fma.hpp. `step` clears a digit or writes it to the result, and carries. */
struct Reduction {
  int quotient[9];
  Wide column = 0;

  INLINE_MEMBER void step(int k, int (&result)[LIMBS]) {
    UNROLL for (int i = 0; i < 8; i++) {
      int j = k - 1 - i;
      if (j >= 0 && j < 9) column += (Wide)quotient[i] * REDUCER[j];
    }
    if (k > 8 && k < 17) column += (Wide)quotient[8] * PRIME[k - 8];
    if (k < 8) {
      quotient[k] = digit(column);
      column = (column + HALF_DIGIT) >> 29;
    } else if (k == 8) {
      quotient[8] = digit((Wide)((Word)column * (Word)PRIME_INVERSE));
      column = (column + (Wide)quotient[8] * PRIME[0]) >> 29;
    } else if (k < 17) {
      result[k - 9] = digit(column);
      column = (column + HALF_DIGIT) >> 29;
    } else {
      result[8] = (int)column;
    }
  }
};

/** The columns of a sum of products in Fp2. */
struct Columns {
  Wide real[17] = {}, imag[17] = {};
};

/** Adds ab. Three multiplications instead of four (Karatsuba). */
INLINE void add_product(Columns *columns, const Norm *a, const Norm *b) {
  int a_sum[9], b_sum[9];
  UNROLL for (int i = 0; i < 9; i++) {
    a_sum[i] = a->limb[0][i] + a->limb[1][i];
    b_sum[i] = b->limb[0][i] + b->limb[1][i];
  }
  UNROLL for (int k = 0; k < 17; k++) {
    Wide reals = 0, imags = 0, sums = 0;
    UNROLL for (int i = 0; i < 9; i++) {
      int j = k - i;
      if (j >= 0 && j < 9) {
        reals += (Wide)a->limb[0][i] * b->limb[0][j];
        imags += (Wide)a->limb[1][i] * b->limb[1][j];
        sums += (Wide)a_sum[i] * b_sum[j];
      }
    }
    columns->real[k] += reals - imags;
    columns->imag[k] += sums - reals - imags;
  }
}

INLINE void reduce_fp(int (&r)[LIMBS], const Wide (&columns)[17]) {
  Reduction reduction;
  UNROLL for (int k = 0; k < 18; k++) {
    if (k < 17) reduction.column += columns[k];
    reduction.step(k, r);
  }
}

/** The sum of n products in Fp2, with one reduction for each part. */
template <int n>
INLINE Norm dot(const Norm *const (&a)[n], const Norm *const (&b)[n]) {
  Columns columns;
  // Unrolled, it would need more registers than there are and take 1.5 times as long.
  _Pragma("clang loop unroll(disable)") for (int t = 0; t < n; t++) add_product(&columns, a[t], b[t]);
  Norm r;
  reduce_fp(r.limb[0], columns.real);
  reduce_fp(r.limb[1], columns.imag);
  return r;
}

NOINLINE void multiply_fp(int (&r)[LIMBS], const int (&a)[LIMBS], const int (&b)[LIMBS]) {
  Reduction reduction;
  int result[LIMBS];
  UNROLL for (int k = 0; k < 18; k++) {
    UNROLL for (int i = 0; i < 9; i++) {
      int j = k - i;
      if (j >= 0 && j < 9) reduction.column += (Wide)a[i] * b[j];
    }
    reduction.step(k, result);
  }
  UNROLL for (int i = 0; i < LIMBS; i++) r[i] = result[i];
}

INLINE Norm lane_products(const LaneFactor &a, const LaneFactor &b) {
  Norm r;
  multiply_fp(r.limb[0], a.limb[0], b.limb[0]);
  multiply_fp(r.limb[1], a.limb[1], b.limb[1]);
  return r;
}

INLINE Sum operator+(const Sum &a, const Sum &b) {
  Sum r;
  for (int h = 0; h < 2; h++) UNROLL for (int i = 0; i < 9; i++) r.limb[h][i] = a.limb[h][i] + b.limb[h][i];
  return r;
}
INLINE Sum operator-(const Sum &a, const Sum &b) {
  Sum r;
  for (int h = 0; h < 2; h++) UNROLL for (int i = 0; i < 9; i++) r.limb[h][i] = a.limb[h][i] - b.limb[h][i];
  return r;
}
INLINE Norm operator-(const Norm &a) {
  Norm r;
  for (int h = 0; h < 2; h++) UNROLL for (int i = 0; i < 9; i++) r.limb[h][i] = -a.limb[h][i];
  return r;
}
INLINE Norm conjugate(const Norm &a) {
  Norm r;
  UNROLL for (int i = 0; i < 9; i++) {
    r.limb[0][i] = a.limb[0][i];
    r.limb[1][i] = -a.limb[1][i];
  }
  return r;
}

/** Carries between the limbs. The value is unchanged. */
INLINE Norm normalize(const Sum &a) {
  Norm r;
  for (int h = 0; h < 2; h++) {
    int carry = 0;
    UNROLL for (int i = 0; i < 8; i++) {
      int limb = a.limb[h][i], high = (limb + (int)HALF_DIGIT) >> 29;
      r.limb[h][i] = limb - (high << 29) + carry;
      carry = high;
    }
    r.limb[h][8] = a.limb[h][8] + carry;
  }
  return r;
}

/** Subtracts the nearest multiple of p from wide limbs, and carries. Result: |value| <= 0.51 p */
INLINE Norm reduce_wide(const Wide (&a)[2][LIMBS]) {
  Norm r;
  for (int h = 0; h < 2; h++) {
    int multiple = (int)__builtin_floor((double)a[h][8] * (1.0 / PRIME[8]) + 0.5);
    Wide carry = 0;
    UNROLL for (int i = 0; i < 8; i++) {
      Wide limb = a[h][i] - (Wide)multiple * PRIME[i] + carry;
      carry = (limb + HALF_DIGIT) >> 29;
      r.limb[h][i] = (int)(limb - (carry << 29));
    }
    r.limb[h][8] = (int)(a[h][8] - (Wide)multiple * PRIME[8] + carry);
  }
  return r;
}

NOINLINE Norm reduce(const Sum &a) {
  Wide wide[2][LIMBS];
  for (int h = 0; h < 2; h++) UNROLL for (int i = 0; i < 9; i++) wide[h][i] = a.limb[h][i];
  return reduce_wide(wide);
}

template <int factor>
INLINE Norm times(const Sum &a) {
  Wide wide[2][LIMBS];
  for (int h = 0; h < 2; h++) UNROLL for (int i = 0; i < 9; i++) wide[h][i] = (Wide)factor * a.limb[h][i];
  return reduce_wide(wide);
}

/** a (9 + i), reduced */
INLINE Norm times_xi(const Norm &a) {
  Wide wide[2][LIMBS];
  UNROLL for (int i = 0; i < 9; i++) {
    wide[0][i] = 9ll * a.limb[0][i] - a.limb[1][i];
    wide[1][i] = 9ll * a.limb[1][i] + a.limb[0][i];
  }
  return reduce_wide(wide);
}

/** Does nothing, because columns have room for products of sums. The result is not normalised. */
INLINE LaneFactor lane_factor(const Sum &a) { return LaneFactor{a}; }

INLINE Sum square_factor_1(const Norm &a) {
  Sum r;
  UNROLL for (int i = 0; i < 9; i++) {
    r.limb[0][i] = a.limb[0][i] + a.limb[1][i];
    r.limb[1][i] = a.limb[0][i] + a.limb[0][i];
  }
  return r;
}
INLINE Sum square_factor_2(const Norm &a) {
  Sum r;
  UNROLL for (int i = 0; i < 9; i++) {
    r.limb[0][i] = a.limb[0][i] - a.limb[1][i];
    r.limb[1][i] = a.limb[1][i];
  }
  return r;
}

INLINE Fp real(const Norm &a) {
  Fp r;
  UNROLL for (int i = 0; i < 9; i++) r.limb[i] = a.limb[0][i];
  return r;
}
INLINE Fp imag(const Norm &a) {
  Fp r;
  UNROLL for (int i = 0; i < 9; i++) r.limb[i] = a.limb[1][i];
  return r;
}
INLINE Norm lanes(const Fp &a, const Fp &b) {
  Norm r;
  UNROLL for (int i = 0; i < 9; i++) {
    r.limb[0][i] = a.limb[i];
    r.limb[1][i] = b.limb[i];
  }
  return r;
}
INLINE Norm constant(const int (&value)[2][LIMBS]) {
  Norm r;
  for (int h = 0; h < 2; h++) UNROLL for (int i = 0; i < 9; i++) r.limb[h][i] = value[h][i];
  return r;
}
INLINE Norm zero() { return lanes(Fp{}, Fp{}); }

INLINE Norm digits_of(const Word *words) {
  Sum r;
  for (int lane = 0; lane < 2; lane++) {
    const Word *w = words + 4 * lane;
    for (int i = 0; i < 9; i++) {
      int bit = 29 * i, word = bit >> 6, shift = bit & 63;
      Word digit = w[word] >> shift;
      if (shift > 35 && word < 3) digit |= w[word + 1] << (64 - shift);
      r.limb[lane][i] = (int)(digit & ((1 << 29) - 1));
    }
  }
  return normalize(r);
}

INLINE void write_words(Word *words, const Norm &a) {
  for (int lane = 0; lane < 2; lane++) {
    const bool negative = [&] {
      Wide carry = 0;
      for (int i = 0; i < 9; i++) carry = (a.limb[lane][i] + carry) >> 29;
      return carry < 0;
    }();
    Word *w = words + 4 * lane;
    for (int i = 0; i < 4; i++) w[i] = 0;
    Wide carry = 0;
    for (int i = 0; i < 9; i++) {
      const Wide value = a.limb[lane][i] + (negative ? (Wide)PRIME[i] : 0) + carry;
      const Word digit = value & ((1 << 29) - 1);
      carry = value >> 29;
      int bit = 29 * i, word = bit >> 6, shift = bit & 63;
      w[word] |= digit << shift;
      if (shift > 35 && word < 3) w[word + 1] |= digit >> (64 - shift);
    }
  }
}
