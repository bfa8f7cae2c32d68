// Fp2 as bounds instead of numbers: interval arithmetic over every formula of the kernel.
//
// The kernel is compiled with this layout for a test. Each operation checks that its operands are within its bounds and returns
// the bounds of its result. Values that are stored between functions have a declared bound (Stored), so each formula is checked
// for every value that can ever reach it. The test also disables one normalisation at a time and expects a check to fail
// (zk/test/kernel/bounds.test.ts).
#pragma once
#include "constants.hpp"

#define INLINE static inline
#define INLINE_MEMBER inline
#define NOINLINE static

using Word = unsigned long long;

#if defined(LAYOUT_FMA)
/** The largest normalised limb, 2^51 + 2, in units of 2^51. The 2 is for a carry. Limbs of products are at most 2^51. */
constexpr double NORMAL_LIMB = 1 + 0x1p-50;
/** Doubles up to 2^53 are exact. */
constexpr double MAX_SUM_LIMB = 4;
/** |ab| <= 2^103 for every product of limbs. */
constexpr double MAX_PRODUCT = 2;
/** The top limb is below 2^51. */
constexpr double MAX_VALUE = 42;
/** The top limb of a sum is below 2^53. */
constexpr double MAX_SUM_VALUE = 160;
/** p / 2^260 */
constexpr double P_OVER_R = 0.01182;
constexpr bool NORMALIZES_LANE_FACTORS = true;
#else
/** The largest normalised limb, 2^28 + 8, in units of 2^28. The 8 is for a carry. */
constexpr double NORMAL_LIMB = 1 + 0x1p-25;
/** Limbs are 32-bit integers, and `normalize` adds half a digit before it carries. */
constexpr double MAX_SUM_LIMB = 6;
/** A column holds 127 products of normalised limbs. The reduction needs 10, and lane products have 9 in a column. */
constexpr double MAX_PRODUCT = 117.0 / 9;
/** The top limb is below 2^28. */
constexpr double MAX_VALUE = 80;
/** The top limb of a sum is below 2^31. */
constexpr double MAX_SUM_VALUE = 500;
/** p / 2^261 */
constexpr double P_OVER_R = 0.00591;
constexpr bool NORMALIZES_LANE_FACTORS = false;
#endif

/** At most `limb` units in every limb but the top one, and `value` p. */
struct Sum {
  double limb, value;
};
struct LaneFactor : Sum {};
struct Norm : LaneFactor {
  Norm() : LaneFactor{{0, 0}} {}
  Norm(double limb, double value) : LaneFactor{{limb, value}} {}
};
using Fp = Norm;

static int violations;
/** The last normalisation before the first violated check. */
static int violation_line;
static const char *violation_file;

/** Calls of `normalize` and `reduce` in the source. */
constexpr int MAX_SITES = 256;
static struct Site {
  int line, column;
  const char *file;
} sites[MAX_SITES];
static int site_count, disabled_site = -1, last_site;

#define SITE int line = __builtin_LINE(), int column = __builtin_COLUMN(), const char *file = __builtin_FILE()

static void require(bool holds) {
  if (holds) return;
  if (violations++ == 0) {
    violation_line = sites[last_site].line;
    violation_file = sites[last_site].file;
  }
}

/** Whether the test disabled this call. The first run registers all calls. */
static bool is_disabled(int line, int column, const char *file) {
  for (last_site = 0; last_site < site_count; last_site++)
    if (sites[last_site].line == line && sites[last_site].column == column && sites[last_site].file == file)
      return last_site == disabled_site;
  if (site_count < MAX_SITES - 1) sites[site_count++] = {line, column, file};
  else require(false);
  return false;
}

static double larger(double a, double b) { return a > b ? a : b; }

/** A value that is stored between functions: normalised, and at most `max` p. */
template <int max>
struct Stored : Norm {
  Stored() {}
  Stored(const Norm &a) : Norm(NORMAL_LIMB, max) { require(a.limb <= NORMAL_LIMB && a.value <= max); }
};

static bool is_supported() { return true; }

INLINE Sum operator+(const Sum &a, const Sum &b) { return {a.limb + b.limb, a.value + b.value}; }
INLINE Sum operator-(const Sum &a, const Sum &b) { return a + b; }
INLINE Norm operator-(const Norm &a) { return a; }
INLINE Norm conjugate(const Norm &a) { return a; }

INLINE Norm normalize(const Sum &a, SITE) {
  if (is_disabled(line, column, file)) return {a.limb, a.value};
  require(a.limb <= MAX_SUM_LIMB && a.value <= MAX_SUM_VALUE);
  return {NORMAL_LIMB, a.value};
}
INLINE Norm reduced(const Sum &a) {
  require(a.limb <= MAX_SUM_LIMB && a.value <= MAX_SUM_VALUE);
  return {NORMAL_LIMB, 0.51};
}
INLINE Norm reduce(const Sum &a, SITE) {
  return is_disabled(line, column, file) ? Norm{a.limb, a.value} : reduced(a);
}
template <int factor>
INLINE Norm times(const Sum &a) {
  require(a.limb <= MAX_SUM_LIMB);
  return reduced(Sum{1 + 0x1p-20, factor * a.value});
}
INLINE Norm times_xi(const Norm &a) {
  require(a.limb <= NORMAL_LIMB);
  return reduced(Sum{2 + 0x1p-20, 10 * a.value});
}

/** The result of a Montgomery reduction of products of at most `products` p^2. */
INLINE Norm montgomery(double products) {
  const double value = 1 + products * P_OVER_R;
  require(value <= MAX_VALUE);
  return {1, value};
}
template <int n>
INLINE Norm dot(const Norm *const (&a)[n], const Norm *const (&b)[n]) {
  double products = 0;
  for (int t = 0; t < n; t++) {
    require(a[t]->limb <= NORMAL_LIMB && b[t]->limb <= NORMAL_LIMB);
    require(a[t]->value <= MAX_VALUE && b[t]->value <= MAX_VALUE);
    products += 2 * a[t]->value * b[t]->value;
  }
  return montgomery(products);
}
INLINE Norm lane_products(const LaneFactor &a, const LaneFactor &b) {
  require(a.limb * b.limb <= MAX_PRODUCT && a.value <= MAX_VALUE && b.value <= MAX_VALUE);
  return montgomery(a.value * b.value);
}
INLINE LaneFactor lane_factor(const Sum &a, SITE) {
  return NORMALIZES_LANE_FACTORS ? LaneFactor(normalize(a, line, column, file)) : LaneFactor{a};
}
INLINE Sum square_factor_1(const Norm &a) { return a + a; }
INLINE Sum square_factor_2(const Norm &a) { return a + a; }

INLINE Fp real(const Norm &a) { return a; }
INLINE Fp imag(const Norm &a) { return a; }
INLINE Norm lanes(const Fp &a, const Fp &b) { return {larger(a.limb, b.limb), larger(a.value, b.value)}; }
template <class Limbs>
INLINE Norm constant(const Limbs &) {
  return {1, 1};
}
INLINE Norm zero() { return {0, 0}; }

/** Any number below 2^256, which is 5.3 p. */
INLINE Norm digits_of(const Word *) { return {NORMAL_LIMB, 5.3}; }
INLINE void write_words(Word *words, const Norm &a) {
  require(a.limb <= NORMAL_LIMB && a.value <= 0.51);
  for (int i = 0; i < 8; i++) words[i] = 0;
}
