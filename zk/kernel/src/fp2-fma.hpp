// Fp2 on pairs of doubles, for hardware with a fused multiply-add (WebAssembly's relaxed SIMD).
//
// An element of Fp is five limbs of 52 bits: signed integers, each in a double. Lane 0 of a pair holds the real part of an
// element of Fp2, lane 1 its imaginary part; formulas over G1 put an element of Fp in each lane. Values are in Montgomery form
// with R = 2^260.
//
// Two fused multiply-adds split a product a*b of at most 2^103 without an error. The first rounds C1 + ab to a multiple of 2^52,
// because doubles next to C1 = 1.5 * 2^104 are 2^52 apart. The second adds the rest, at most 2^51, to C2 = 1.5 * 2^52, next to
// which doubles are integers. The bits of the results, read as integers, are those of C1 plus the part / 2^52, and those of
// C2 plus the part. So products are added as 64-bit integers, and the sum of the C1s and C2s is subtracted once for each column.
#pragma once
#include <wasm_simd128.h>
#include "constants.hpp"

#define INLINE static inline __attribute__((always_inline))
#define INLINE_MEMBER inline __attribute__((always_inline))
#define NOINLINE static __attribute__((noinline))
#define UNROLL _Pragma("unroll")

using Word = unsigned long long;
typedef double Pair __attribute__((vector_size(16)));
typedef Word WordPair __attribute__((vector_size(16)));

constexpr int LIMBS = 5;

/** One element of Fp, outside a pair. */
struct Fp {
  double limb[LIMBS];
};

/** A sum of a few normalised elements. Limbs: at most 2^53. */
struct Sum {
  Pair limb[LIMBS];
};

/** What lanewise multiplies. Here only a normalised element is one. */
struct LaneFactor : Sum {};

/**
 * What can be multiplied. Limbs 0 to 3: at most 2^51 + 2, or 2^51 in a product. Limb 4: below 2^51, because the value is below
 * 42 p.
 */
struct Norm : LaneFactor {};

/** A value that is stored between functions: normalised, and at most `max` p. Only the bounds test checks `max`. */
template <int max>
using Stored = Norm;

INLINE Pair both(double value) { return (Pair){value, value}; }
INLINE WordPair both(Word value) { return (WordPair){value, value}; }
INLINE Pair fma(Pair a, Pair b, Pair c) { return (Pair)__builtin_wasm_relaxed_madd_f64x2(a, b, c); }
/** c - ab */
INLINE Pair fnma(Pair a, Pair b, Pair c) { return (Pair)__builtin_wasm_relaxed_nmadd_f64x2(a, b, c); }

/**
 * Whether the multiply-add of this machine rounds once. Elsewhere, relaxed SIMD may round the product first, and this layout
 * computes nothing useful.
 */
static bool is_supported() {
  volatile double a = 1 + 0x1p-30, c = -1 - 0x1p-29;
  Pair sum = fma(both(a), both(a), both(c)), difference = fnma(both(a), both(a), both(-c));
  return sum[0] == 0x1p-60 && sum[1] == 0x1p-60 && difference[0] == -0x1p-60 && difference[1] == -0x1p-60;
}

constexpr double C1 = 1.5 * 0x1p104, C2 = 1.5 * 0x1p52;
constexpr Word NEGATIVE_C1_BITS = __builtin_bit_cast(Word, -C1), C2_BITS = __builtin_bit_cast(Word, C2);
constexpr Word MASK = (1ull << 52) - 1, EXPONENT_52 = __builtin_bit_cast(Word, 0x1p52);
/** Added to every column: half a digit, to round to the nearest, and a multiple of 2^52 that keeps the column positive. */
constexpr Word HALF_DIGIT = 1ull << 51, POSITIVE = 1ull << 62;

/** The low 52 bits of a column, in which half a digit was added, as a number from -2^51 to 2^51 - 1. */
INLINE Pair digit(WordPair column) {
  return (Pair)((column & both(MASK)) | both(EXPONENT_52)) - both(0x1p52 + HALF_DIGIT);
}

/** Adds the low part of a*b to a column and the high part to the next column. |ab| <= 2^103 */
INLINE void multiply_add(WordPair &column, WordPair &next, Pair a, Pair b) {
  Pair high = fnma(a, b, both(-C1));
  // C1 + C2 + high is C2 minus the high part. C1 + C2 has more bits than a double, so it is written as C2 * (2^52 + 1).
  Pair low = fma(a, b, fma(both(C2), both(0x1p52 + 1), high));
  next += (WordPair)high;
  column += (WordPair)low;
}

/** How many products of two limbs a column of a product has. `reductions_of`: how many the reduction adds to it. */
constexpr int products_of(int column) {
  return column < 0 || column > 8 ? 0 : column < 5 ? column + 1 : 9 - column;
}
constexpr int reductions_of(int column) {
  int count = 0;
  for (int i = 0; i < 5; i++)
    for (int j = 0; j < 5; j++)
      if ((i < 4 ? i + 1 + j : i + j) == column) count++;
  return count;
}

/** The initial value of a column, which cancels the C1s and C2s of `products` products of elements. */
constexpr Word bias(int column, int products) {
  int low = products * products_of(column) + reductions_of(column);
  int high = products * products_of(column - 1) + reductions_of(column - 1);
  Word start = 0 - low * C2_BITS - high * NEGATIVE_C1_BITS;
  if (column < 9) start += POSITIVE + HALF_DIGIT;
  if (column > 0) start -= POSITIVE >> 52;
  return start;
}

/**
 * Montgomery reduction of a sum of products, column by column. `add_products(k, column, next)` adds the products of column k.
 * Digits 0 to 3 are cleared with multiples of N = -1 mod 2^52, which need no multiplication (the limbs of (N + 1) / 2^52 are
 * REDUCER), the last with p itself. After the division by R, these multiples of p add at most p.
 *
 * Result: normalised. |value| <= p + sum of the products / R
 */
template <int products, class AddProducts>
INLINE Norm reduce_columns(AddProducts add_products) {
  Norm result;
  Pair quotient[5];
  WordPair column = both(bias(0, products));
  UNROLL for (int k = 0; k < 10; k++) {
    WordPair next = both(k < 9 ? bias(k + 1, products) : 0);
    add_products(k, column, next);
    UNROLL for (int i = 0; i < 4; i++) {
      int j = k - 1 - i;
      if (j >= 0 && j < 5) multiply_add(column, next, quotient[i], both(REDUCER[j]));
    }
    if (k > 4 && k < 9) multiply_add(column, next, quotient[4], both(PRIME[k - 4]));
    if (k < 4) {
      quotient[k] = digit(column);
    } else if (k == 4) {
      // bias() has already subtracted the C2 of the product below, so add it here.
      Pair rest = digit(column + both(C2_BITS));
      Pair high = fma(rest, both(PRIME_INVERSE), both(C1));
      quotient[4] = fma(rest, both(PRIME_INVERSE), both(C1) - high);
      multiply_add(column, next, quotient[4], both(PRIME[0]));
    } else if (k < 9) {
      result.limb[k - 5] = digit(column);
    } else {
      result.limb[4] = (Pair)(column + both(C2_BITS)) - both(C2);
    }
    if (k < 9) next += column >> 52;
    column = next;
  }
  return result;
}

/** The sum of n products in Fp2, with one reduction. */
template <int n>
INLINE Norm dot(const Norm *const (&a)[n], const Norm *const (&b)[n]) {
  Pair a_real[n][5], a_imag[n][5], b_plain[n][5], b_turned[n][5];
  UNROLL for (int t = 0; t < n; t++) UNROLL for (int i = 0; i < 5; i++) {
    Pair x = a[t]->limb[i], y = b[t]->limb[i];
    a_real[t][i] = both(x[0]);
    a_imag[t][i] = both(x[1]);
    b_plain[t][i] = y;
    b_turned[t][i] = (Pair){-y[1], y[0]};
  }
  return reduce_columns<2 * n>([&](int k, WordPair &column, WordPair &next) __attribute__((always_inline)) {
    UNROLL for (int t = 0; t < n; t++) UNROLL for (int i = 0; i < 5; i++) {
      int j = k - i;
      if (j >= 0 && j < 5) {
        multiply_add(column, next, a_real[t][i], b_plain[t][j]);
        multiply_add(column, next, a_imag[t][i], b_turned[t][j]);
      }
    }
  });
}

/** Lane by lane: (a0 b0, a1 b1) */
INLINE Norm lane_products(const LaneFactor &a, const LaneFactor &b) {
  return reduce_columns<1>([&](int k, WordPair &column, WordPair &next) __attribute__((always_inline)) {
    UNROLL for (int i = 0; i < 5; i++) {
      int j = k - i;
      if (j >= 0 && j < 5) multiply_add(column, next, a.limb[i], b.limb[j]);
    }
  });
}

INLINE Sum operator+(const Sum &a, const Sum &b) {
  Sum r;
  UNROLL for (int i = 0; i < 5; i++) r.limb[i] = a.limb[i] + b.limb[i];
  return r;
}
INLINE Sum operator-(const Sum &a, const Sum &b) {
  Sum r;
  UNROLL for (int i = 0; i < 5; i++) r.limb[i] = a.limb[i] - b.limb[i];
  return r;
}
INLINE Norm operator-(const Norm &a) {
  Norm r;
  UNROLL for (int i = 0; i < 5; i++) r.limb[i] = -a.limb[i];
  return r;
}
INLINE Norm conjugate(const Norm &a) {
  Norm r;
  UNROLL for (int i = 0; i < 5; i++) r.limb[i] = a.limb[i] * (Pair){1, -1};
  return r;
}

/** The part of a limb above 51 bits, rounded to the nearest: a multiple of 2^52. |limb| <= 2^53 */
INLINE Pair carry_of(Pair limb) { return (limb + both(C1)) - both(C1); }

/** Carries between the limbs. The value is unchanged. */
INLINE Norm normalize(const Sum &a) {
  Norm r;
  Pair carry = both(0.0);
  UNROLL for (int i = 0; i < 4; i++) {
    Pair high = carry_of(a.limb[i]);
    r.limb[i] = (a.limb[i] - high) + carry;
    carry = high * both(0x1p-52);
  }
  r.limb[4] = a.limb[4] + carry;
  return r;
}

/** Subtracts the nearest multiple of p. Result: |value| <= 0.51 p */
INLINE Norm reduce(const Sum &a) {
  Pair multiple = __builtin_elementwise_roundeven(a.limb[4] * both(1.0 / PRIME[4]));
  Sum r;
  Pair carry = both(0.0);
  UNROLL for (int i = 0; i < 4; i++) {
    Pair high = carry_of(a.limb[i]), multiple_high = fma(multiple, both(-PRIME[i]), both(C1)) - both(C1);
    r.limb[i] = (a.limb[i] - high) + fma(multiple, both(-PRIME[i]), -multiple_high) + carry;
    carry = (high + multiple_high) * both(0x1p-52);
  }
  r.limb[4] = fma(multiple, both(-PRIME[4]), a.limb[4]) + carry;
  return normalize(r);
}

/** factor a, reduced. Limbs of a: at most 2^53. */
template <int factor>
INLINE Norm times(const Sum &a) {
  Sum r;
  Pair carry = both(0.0);
  UNROLL for (int i = 0; i < 4; i++) {
    Pair high = fma(a.limb[i], both((double)factor), both(C1)) - both(C1);
    r.limb[i] = fma(a.limb[i], both((double)factor), -high) + carry;
    carry = high * both(0x1p-52);
  }
  r.limb[4] = fma(a.limb[4], both((double)factor), carry);
  return reduce(r);
}

/** a (9 + i), reduced */
INLINE Norm times_xi(const Norm &a) {
  Sum r;
  Pair carry = both(0.0);
  UNROLL for (int i = 0; i < 4; i++) {
    Pair v = a.limb[i], turned = (Pair){-v[1], v[0]};
    Pair high = fma(v, both(9.0), both(C1)) - both(C1);
    r.limb[i] = fma(v, both(9.0), -high) + turned + carry;
    carry = high * both(0x1p-52);
  }
  Pair v = a.limb[4], turned = (Pair){-v[1], v[0]};
  r.limb[4] = fma(v, both(9.0), turned) + carry;
  return reduce(r);
}

/** Makes a sum a factor of lanewise. */
INLINE LaneFactor lane_factor(const Sum &a) { return normalize(a); }

/** The lane products of these two are the square of a: (a0 + a1, 2 a0) and (a0 - a1, a1) */
INLINE Sum square_factor_1(const Norm &a) {
  Sum r;
  UNROLL for (int i = 0; i < 5; i++) r.limb[i] = (Pair){a.limb[i][0] + a.limb[i][1], a.limb[i][0] + a.limb[i][0]};
  return r;
}
INLINE Sum square_factor_2(const Norm &a) {
  Sum r;
  UNROLL for (int i = 0; i < 5; i++) r.limb[i] = (Pair){a.limb[i][0] - a.limb[i][1], a.limb[i][1]};
  return r;
}

INLINE Fp real(const Norm &a) {
  Fp r;
  UNROLL for (int i = 0; i < 5; i++) r.limb[i] = a.limb[i][0];
  return r;
}
INLINE Fp imag(const Norm &a) {
  Fp r;
  UNROLL for (int i = 0; i < 5; i++) r.limb[i] = a.limb[i][1];
  return r;
}
INLINE Norm lanes(const Fp &a, const Fp &b) {
  Norm r;
  UNROLL for (int i = 0; i < 5; i++) r.limb[i] = (Pair){a.limb[i], b.limb[i]};
  return r;
}
INLINE Norm constant(const double (&value)[2][5]) {
  Norm r;
  UNROLL for (int i = 0; i < 5; i++) r.limb[i] = (Pair){value[0][i], value[1][i]};
  return r;
}
INLINE Norm zero() { return lanes(Fp{}, Fp{}); }

/** The digits of two numbers below 2^256, each four words, least significant first. Not in Montgomery form. */
INLINE Norm digits_of(const Word *words) {
  Sum r;
  for (int lane = 0; lane < 2; lane++) {
    const Word *w = words + 4 * lane;
    const Word digits[5] = {w[0] & MASK, (w[0] >> 52 | w[1] << 12) & MASK, (w[1] >> 40 | w[2] << 24) & MASK,
                            (w[2] >> 28 | w[3] << 36) & MASK, w[3] >> 16};
    for (int i = 0; i < 5; i++) r.limb[i][lane] = (double)digits[i];
  }
  return normalize(r);
}

/** Writes two elements as numbers in [0, p). Expects reduced elements, not in Montgomery form. */
INLINE void write_words(Word *words, const Norm &a) {
  for (int lane = 0; lane < 2; lane++) {
    Word digits[5];
    const bool negative = [&] {
      long long carry = 0;
      for (int i = 0; i < 5; i++) carry = ((long long)a.limb[i][lane] + carry) >> 52;
      return carry < 0;
    }();
    long long carry = 0;
    for (int i = 0; i < 5; i++) {
      const long long value = (long long)a.limb[i][lane] + (negative ? (long long)PRIME[i] : 0) + carry;
      digits[i] = value & MASK;
      carry = value >> 52;
    }
    Word *w = words + 4 * lane;
    w[0] = digits[0] | digits[1] << 52;
    w[1] = digits[1] >> 12 | digits[2] << 40;
    w[2] = digits[2] >> 24 | digits[3] << 28;
    w[3] = digits[3] >> 36 | digits[4] << 16;
  }
}
