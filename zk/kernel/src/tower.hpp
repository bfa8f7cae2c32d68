// Fp6 = Fp2[v] / (v^3 - xi) and Fp12 = Fp6[w] / (w^2 - v), with xi = 9 + i.
#pragma once
#include "fp2.hpp"

/** a + bv + cv^2 */
struct Fp6 {
  Norm a, b, c;
};
struct StoredFp6 {
  Fp2 a, b, c;
  INLINE_MEMBER operator Fp6() const { return {a, b, c}; }
};
/** a + bw */
struct Fp12 {
  StoredFp6 a, b;
};

INLINE StoredFp6 stored(const Fp6 &x) { return {x.a, x.b, x.c}; }
INLINE Fp6 add(const Fp6 &x, const Fp6 &y) { return {normalize(x.a + y.a), normalize(x.b + y.b), normalize(x.c + y.c)}; }
INLINE Fp6 reduced_sum(const Fp6 &x, const Fp6 &y) { return {reduce(x.a + y.a), reduce(x.b + y.b), reduce(x.c + y.c)}; }
INLINE Fp6 reduced_difference(const Fp6 &x, const Fp6 &y) { return {reduce(x.a - y.a), reduce(x.b - y.b), reduce(x.c - y.c)}; }
INLINE Fp6 negative(const Fp6 &x) { return {-x.a, -x.b, -x.c}; }
INLINE Fp6 times_v(const Fp6 &x) { return {times_xi(x.c), x.a, x.b}; }

NOINLINE void multiply(Fp6 *r, const Fp6 *x, const Fp6 *y) {
  Norm b = times_xi(y->b), c = times_xi(y->c);
  *r = {dot(x->a, y->a, x->b, c, x->c, b), dot(x->a, y->b, x->b, y->a, x->c, c),
        dot(x->a, y->c, x->b, y->b, x->c, y->a)};
}
INLINE Fp6 operator*(const Fp6 &x, const Fp6 &y) {
  Fp6 r;
  multiply(&r, &x, &y);
  return r;
}

NOINLINE void multiply(Fp12 *r, const Fp12 *x, const Fp12 *y) {
  Fp6 low = Fp6(x->a) * y->a, high = Fp6(x->b) * y->b;
  Fp6 cross = add(x->a, x->b) * add(y->a, y->b);
  *r = {stored(add(low, times_v(high))), stored({reduce(cross.a - low.a - high.a), reduce(cross.b - low.b - high.b),
                                                 reduce(cross.c - low.c - high.c)})};
}
NOINLINE void square(Fp12 *r, const Fp12 *x) {
  Fp6 product = Fp6(x->a) * x->b;
  Fp6 cross = add(x->a, x->b) * add(x->a, times_v(x->b)), xi_product = times_v(product);
  *r = {stored({reduce(cross.a - product.a - xi_product.a), reduce(cross.b - product.b - xi_product.b),
                reduce(cross.c - product.c - xi_product.c)}),
        stored(reduced_sum(product, product))};
}
INLINE Fp12 operator*(const Fp12 &x, const Fp12 &y) {
  Fp12 r;
  multiply(&r, &x, &y);
  return r;
}
INLINE Fp12 conjugate(const Fp12 &x) { return {x.a, stored(negative(x.b))}; }
INLINE Fp12 one_fp12() { return {{one(), zero(), zero()}, {zero(), zero(), zero()}}; }

/** f (y + x w + z w^3), where y, x and z are in Fp2: multiplication by a line's value. */
NOINLINE void multiply_line(Fp12 *f, const Norm *y, const Norm *x, const Norm *z) {
  const StoredFp6 &p = f->a, &q = f->b;
  Norm xi_x = times_xi(*x), xi_z = times_xi(*z);
  Norm a0 = dot(p.a, *y, q.c, xi_x, q.b, xi_z), a1 = dot(p.b, *y, q.a, *x, q.c, xi_z), a2 = dot(p.c, *y, q.b, *x, q.a, *z);
  Norm b0 = dot(q.a, *y, p.a, *x, p.c, xi_z), b1 = dot(q.b, *y, p.b, *x, p.a, *z), b2 = dot(q.c, *y, p.c, *x, p.b, *z);
  *f = {{a0, a1, a2}, {b0, b1, b2}};
}

struct Fp4 {
  Norm a, b;
};
/** (a + bs)^2 where s^2 = xi */
INLINE Fp4 square_fp4(const Norm &a, const Norm &b) {
  Norm aa = square(a), bb = square(b), sum = square(normalize(a + b));
  return {normalize(times_xi(bb) + aa), normalize(sum - aa - bb)};
}
/** 3t - 2z, and 3t + 2z */
INLINE Norm cyclotomic_difference(const Norm &t, const Norm &z) {
  Norm difference = normalize(t - z);
  return reduce(difference + difference + t);
}
INLINE Norm cyclotomic_sum(const Norm &t, const Norm &z) {
  Norm sum = normalize(t + z);
  return reduce(sum + sum + t);
}
/** The square of an element of the cyclotomic subgroup (Granger and Scott, https://eprint.iacr.org/2009/565). */
NOINLINE void cyclotomic_square(Fp12 *r, const Fp12 *x) {
  Fp4 t0 = square_fp4(x->a.a, x->b.b), t1 = square_fp4(x->b.a, x->a.c), t2 = square_fp4(x->a.b, x->b.c);
  *r = {{cyclotomic_difference(t0.a, x->a.a), cyclotomic_difference(t1.a, x->a.b), cyclotomic_difference(t2.a, x->a.c)},
        {cyclotomic_sum(times_xi(t2.b), x->b.a), cyclotomic_sum(t0.b, x->b.b), cyclotomic_sum(t1.b, x->b.c)}};
}

/** x^p */
INLINE Fp12 frobenius(const Fp12 &x) {
  return {{conjugate(x.a.a), conjugate(x.a.b) * constant(FROBENIUS_2), conjugate(x.a.c) * constant(FROBENIUS_4)},
          {conjugate(x.b.a) * constant(FROBENIUS_1), conjugate(x.b.b) * constant(FROBENIUS_3),
           conjugate(x.b.c) * constant(FROBENIUS_5)}};
}
/** x^(p^2) */
INLINE Fp12 frobenius_squared(const Fp12 &x) {
  return {{x.a.a, lanewise(x.a.b, constant(FROBENIUS_SQUARED_2)), lanewise(x.a.c, constant(FROBENIUS_SQUARED_4))},
          {lanewise(x.b.a, constant(FROBENIUS_SQUARED_1)), lanewise(x.b.b, constant(FROBENIUS_SQUARED_3)),
           lanewise(x.b.c, constant(FROBENIUS_SQUARED_5))}};
}

INLINE Fp6 inverse(const Fp6 &x) {
  Fp6 r = {reduce(square(x.a) - times_xi(x.b * x.c)), reduce(times_xi(square(x.c)) - x.a * x.b),
           reduce(square(x.b) - x.a * x.c)};
  Fp2 norm = normalize(x.a * r.a + times_xi(dot(x.c, r.b, x.b, r.c)));
  Norm d = inverse(norm);
  return {r.a * d, r.b * d, r.c * d};
}
NOINLINE void invert(Fp12 *r, const Fp12 *x) {
  Fp6 a = x->a, b = x->b;
  Fp6 d = inverse(reduced_difference(a * a, times_v(b * b)));
  *r = {stored(a * d), stored(negative(b * d))};
}
