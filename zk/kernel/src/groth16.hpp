// Groth16 verification with one key: a proof is valid if e(A, B) = e(alpha, beta) e(L, gamma) e(C, delta).
#pragma once
#include "g1.hpp"
#include "pairing.hpp"

constexpr int SIGNALS = 3;

/** Four words each, least significant first: coordinates and scalars are numbers below p and r. */
struct Key {
  Word alpha[8], beta[16], gamma[16], delta[16], ic[SIGNALS + 1][8];
};
struct Proof {
  Word a[8], b[16], c[8], signals[SIGNALS][4];
  /** In a batch, the proof's random factor is low + lambda * high. */
  Word low, high;
};
/** Sums over a batch: of the factors, and of the signals times their factors. */
struct BatchSums {
  Word factors[4], signals[SIGNALS][4];
};

static Table tables[SIGNALS + 2];
constexpr int ALPHA = SIGNALS + 1;
static Lines beta_lines, gamma_lines, delta_lines;
static Fp12 alpha_beta;

/** An affine point, given the coordinates. */
INLINE Evaluation affine(const Fp &x, const Fp &y) { return {twice(x), twice(y), zero(), true}; }
INLINE Evaluation at(const G1Point &p) { return {twice(p.x), twice(p.y), twice(p.z), false}; }
INLINE Evaluation at_negative(const G1Point &p) { return {twice(p.x), -twice(p.y), twice(p.z), false}; }

INLINE G2Affine load_g2(const Word *words) { return {load(words), load(words + 8)}; }
/** Two affine points, one in each lane. */
INLINE G1Pair load_pair(const Word *p, const Word *q) {
  Norm left_point = load(p), right_point = load(q);
  return {lanes(real(left_point), real(right_point)), lanes(imag(left_point), imag(right_point)), ones()};
}

/** Precomputes what depends on the key alone. */
static void prepare_key(const Key &key) {
  for (int k = 0; k <= SIGNALS; k += 2) fill_tables(tables[k], tables[k + 1], load_pair(key.ic[k], key.ic[k + 1]));
  G1Pair alpha = load_pair(key.alpha, key.alpha);
  fill_tables(tables[ALPHA], tables[ALPHA], alpha);
  prepare_lines(beta_lines, load_g2(key.beta));
  prepare_lines(gamma_lines, load_g2(key.gamma));
  prepare_lines(delta_lines, load_g2(key.delta));
  const Evaluation p = affine(real(alpha.x), real(alpha.y));
  const Lines *lines = &beta_lines;
  miller_loop(&alpha_beta, 1, &p, &lines, 0, nullptr, nullptr, nullptr);
  final_exponentiation(&alpha_beta, &alpha_beta);
}

static G1Pair batch_ac[MAX_PAIRS];
static G2Affine batch_b[MAX_PAIRS];
static G2Point batch_t[MAX_PAIRS];
static Evaluation batch_a[MAX_PAIRS];

/** G1 has prime order, so A and C are in their group if they are on the curve. */
INLINE bool are_on_curves(const G1Pair &ac, const G2Affine &b) { return are_on_curve(ac.x, ac.y) && is_on_twist(b); }

/** Whether the proof is valid and its points are in their groups. `outside` is 1 if a point is not in its group, otherwise 0. */
static bool verify_one(const Proof &proof, Word &outside) {
  outside = 1;
  const G1Pair ac = load_pair(proof.a, proof.c);
  const G2Affine b = load_g2(proof.b);
  if (!are_on_curves(ac, b)) return false;
  // IC0 + sum of signal * IC. The first term is the start.
  G1Pair sum = pair(tables[0][0][1], left(infinity()));
  add_terms(&sum, {&tables[1], proof.signals[0]}, {&tables[2], proof.signals[1]});
  add_term(&sum, {&tables[3], proof.signals[2]});
  fold(&sum);
  const Evaluation fixed[2] = {at_negative(left(sum)), affine(imag(ac.x), imag(-ac.y))};
  const Lines *const lines[2] = {&gamma_lines, &delta_lines};
  const Evaluation a = affine(real(ac.x), real(ac.y));
  Fp12 product;
  miller_loop(&product, 2, fixed, lines, 1, &a, &b, batch_t);
  if (!is_in_g2(batch_t[0], b)) return false;
  outside = 0;
  final_exponentiation(&product, &product);
  return equal(product, alpha_beta);
}

/**
 * Checks the product of the equations of up to MAX_PAIRS proofs, each raised to its factor z:
 *
 *     prod e(zA, B) e(-sum zL, gamma) e(-sum zC, delta) e(-(sum z) alpha, beta) = 1
 *
 * If a point is not in its group, the product means nothing, because no factor is sound for such a point. Then `outside` has a
 * bit for each proof with such a point. If any point is off its curve, it has bits for those only, and G2 is not checked.
 */
static bool verify_batch(const Proof *proofs, int count, const BatchSums &sums, Word &outside) {
  outside = 0;
  for (int i = 0; i < count; i++) {
    batch_ac[i] = load_pair(proofs[i].a, proofs[i].c);
    batch_b[i] = load_g2(proofs[i].b);
    if (!are_on_curves(batch_ac[i], batch_b[i])) outside |= 1ull << i;
  }
  if (outside != 0) return false;
  G1Pair c_sum = infinity();
  for (int i = 0; i < count; i++) {
    multiply(&batch_ac[i], proofs[i].low, proofs[i].high);
    batch_a[i] = at(left(batch_ac[i]));
    add(&c_sum, &c_sum, &batch_ac[i]);
  }
  G1Pair l_sum = infinity(), alpha_sum = infinity();
  add_terms(&l_sum, {&tables[0], sums.factors}, {&tables[1], sums.signals[0]});
  add_terms(&l_sum, {&tables[2], sums.signals[1]}, {&tables[3], sums.signals[2]});
  add_term(&alpha_sum, {&tables[ALPHA], sums.factors});
  fold(&l_sum);
  fold(&alpha_sum);
  const Evaluation fixed[3] = {at_negative(left(l_sum)), at_negative(right(c_sum)), at_negative(left(alpha_sum))};
  const Lines *const lines[3] = {&gamma_lines, &delta_lines, &beta_lines};
  Fp12 product;
  miller_loop(&product, 3, fixed, lines, count, batch_a, batch_b, batch_t);
  for (int i = 0; i < count; i++)
    if (!is_in_g2(batch_t[i], batch_b[i])) outside |= 1ull << i;
  if (outside != 0) return false;
  final_exponentiation(&product, &product);
  return equal(product, one_fp12());
}
