// The module's functions. They read and write one buffer. It holds a Key, Proofs and BatchSums, or what a function lists.
#include "groth16.hpp"

#define EXPORT(name) extern "C" __attribute__((export_name(#name)))

static struct {
  Proof proofs[MAX_PAIRS];
  BatchSums sums;
  /** A bit for each proof of a batch. */
  Word outside;
} buffer;
static Word *const words = reinterpret_cast<Word *>(&buffer);

EXPORT(buffer) const void *buffer_address() { return &buffer; }
EXPORT(supported) int supported() { return is_supported(); }

/** Reads a Key. Call it before `verify` and `verify_batch`. */
EXPORT(prepare) void prepare() { prepare_key(*reinterpret_cast<const Key *>(words)); }

/** Reads a Proof. 1 if it is valid. Writes `outside`. */
EXPORT(verify) int verify() { return verify_one(buffer.proofs[0], buffer.outside); }

/** Reads MAX_PAIRS slots for proofs, of which `count` are used, then BatchSums. 1 if all are valid. Writes `outside`. */
EXPORT(verify_batch) int verify_all(int count) { return verify_batch(buffer.proofs, count, buffer.sums, buffer.outside); }

// Parts of a verification, for tests and for the known-answer test.

/** Reads a point (x, y) over Fp2. 1 if it is in G2, 0 if it is only on the twist, -1 if it is off the twist. */
EXPORT(membership) int membership() {
  const G2Affine q = load_g2(words);
  if (!is_on_twist(q)) return -1;
  const Evaluation p = affine(real(ones()), real(ones()));
  Fp12 product;
  miller_loop(&product, 0, nullptr, nullptr, 1, &p, &q, batch_t);
  return is_in_g2(batch_t[0], q);
}

/** Reads `count` pairs, each a point of G1 and one of G2. Writes the twelve coefficients of the product of their pairings. */
EXPORT(pairing) void pairing(int count) {
  for (int i = 0; i < count; i++) {
    const G1Pair p = load_pair(words + 24 * i, words + 24 * i);
    batch_a[i] = affine(real(p.x), real(p.y));
    batch_b[i] = load_g2(words + 24 * i + 8);
  }
  Fp12 f;
  miller_loop(&f, 0, nullptr, nullptr, count, batch_a, batch_b, batch_t);
  final_exponentiation(&f, &f);
  store(words, f.a.a);
  store(words + 8, f.a.b);
  store(words + 16, f.a.c);
  store(words + 24, f.b.a);
  store(words + 32, f.b.b);
  store(words + 40, f.b.c);
}

/** Reads `count` points of G1, each followed by a factor below 2^256. Writes the sum of their multiples, (0, 0) for infinity. */
EXPORT(g1_combination) void g1_combination(int count) {
  G1Pair sum = infinity();
  for (int i = 0; i < count; i++) {
    const G1Pair p = load_pair(words + 12 * i, words + 12 * i);
    G1Pair multiple = infinity();
    for (int bit = 255; bit >= 0; bit--) {
      double_point(&multiple, &multiple);
      if (words[12 * i + 8 + (bit >> 6)] >> (bit & 63) & 1) add(&multiple, &multiple, &p);
    }
    add(&sum, &sum, &multiple);
  }
  Fp2 z = sum.z, inverse_z;
  invert_lanes(&inverse_z, &z);
  store(words, lanes(real(lanewise(sum.x, inverse_z)), real(lanewise(sum.y, inverse_z))));
}

static Fp2 operands[6];
EXPORT(operands) const void *operands_address() { return operands; }

/** Applies an operation to the operands, whose limbs the caller has written, and stores the result in the first. */
EXPORT(operate) void operate(int operation) {
  const Fp2 *o = operands;
  switch (operation) {
    case 0: operands[0] = o[0] * o[1]; break;
    case 1: operands[0] = lanewise(o[0], o[1]); break;
    case 2: operands[0] = dot(o[0], o[1], o[2], o[3]); break;
    case 3: operands[0] = dot(o[0], o[1], o[2], o[3], o[4], o[5]); break;
    case 4: operands[0] = square(o[0]); break;
    case 5: operands[0] = normalize(o[0]); break;
    case 6: operands[0] = reduce(o[0]); break;
    case 7: operands[0] = times_xi(o[0]); break;
  }
}
