// Points of P-256 for eight messages at once: y^2 = x^3 - 3x + b over the field of field8.h.
//
// No branch and no address depends on a scalar: digits select by masks from tables that are read whole. Formulas for
// additions fail where both operands are the same or opposite points, or infinity. Where they are used this cannot be
// (docs/decisions/0016), except in the last addition of a product, which uses a complete formula.
#pragma once
#include "field8.h"

namespace eight {

/** In Montgomery's form. */
constexpr uint64_t curveB[limbs] = {0xdf6229c4bddfd, 0xca8843090d89c, 0x212ed6acf005c, 0x83415a220abf7,
                                    0x0c30061dd4874};

using Coordinate = Element<folded>;

struct Affine {
  Product x, y;
};
/** x = X / Z^2, y = Y / Z^3. */
struct Jacobian {
  Coordinate x, y;
  /** The fixed point of what `twice` makes of it. */
  Element<38, Limbs::factor> z;
};
/** x = X / Z, y = Y / Z. Only this form can be infinity: Z is 0. */
struct Projective {
  Coordinate x, y, z;
};

ALWAYS_INLINE Jacobian toJacobian(const Affine& a) {
  return {fold(term(a.x)), fold(term(a.y)), constant(montgomeryOne)};
}

ALWAYS_INLINE Projective toProjective(const Jacobian& p) {
  const auto zz = square<Limbs::factor>(p.z);
  return {fold(term(multiply<Limbs::term>(p.x, p.z))), p.y, fold(term(multiply<Limbs::term>(zz, p.z)))};
}

/** The lanes in which the point satisfies the curve's equation. */
inline ONE_COPY __mmask8 isOnCurve(const Affine& a) {
  const auto xxx = multiply<Limbs::term>(square<Limbs::factor>(a.x), a.x);
  return isZero(square<Limbs::term>(a.y) - xxx + (a.x + a.x + a.x) - constant(curveB));
}

/** p = 2 p: 4 products and 4 squares, dbl-2001-b of the Explicit-Formulas Database. */
ALWAYS_INLINE void twice(Jacobian& p) {
  const auto zz = square<Limbs::term>(p.z);
  const auto yy2 = square<Limbs::factor, 2>(p.y);
  p.z = multiply<Limbs::factor, 2>(p.y, p.z);
  const auto xyy4 = multiply<Limbs::term, 2>(p.x, yy2);
  const auto slope = multiply<Limbs::factor, 3>(carried<Limbs::factor>(p.x - zz), carried<Limbs::factor>(p.x + zz));
  const auto yyyy8 = square<Limbs::term, 2>(yy2);
  p.x = fold(square<Limbs::term>(slope) - (xyy4 + xyy4));
  p.y = fold(multiply<Limbs::term>(slope, carried<Limbs::factor>(xyy4 - p.x)) - yyyy8);
}

inline ONE_COPY void twiceRepeatedly(Jacobian& to, int times) {
  Jacobian p = to;
  for (int i = 0; i < times; i++) twice(p);
  to = p;
}

/** p += q, or -q in the lanes of `negative`: 8 products and 3 squares. Not for p = q, p = -q, or infinity. */
ALWAYS_INLINE void add(Jacobian& p, const Affine& q, __mmask8 negative) {
  const auto zz = square<Limbs::factor>(p.z);
  const auto zzz = multiply<Limbs::factor>(p.z, zz);
  const auto h = carried<Limbs::factor>(multiply<Limbs::term>(q.x, zz) - p.x);
  const auto r = carried<Limbs::factor>(negated(multiply<Limbs::term>(q.y, zzz), negative) - p.y);
  const auto hh = square<Limbs::factor>(h);
  const auto hhh = multiply(h, hh);
  const auto v = multiply<Limbs::term>(p.x, hh);
  p.z = multiply<Limbs::factor>(p.z, h);
  p.x = fold(square<Limbs::term>(r) - hhh - (v + v));
  p.y = fold(multiply<Limbs::term>(r, carried<Limbs::factor>(v - p.x)) - multiply<Limbs::term>(p.y, hhh));
}

/**
 * p + q, or p - q in the lanes of `negative`, for any p, infinity and q itself included: algorithm 5 of Renes, Costello
 * and Batina, "Complete addition formulas for prime order elliptic curves" (2015), for a = -3.
 */
inline ONE_COPY Projective addCompletely(const Projective& p, const Affine& q, __mmask8 negative) {
  const auto b = constant(curveB);
  const auto qy = fold(negated(q.y, negative));
  const auto xx = fold(term(multiply<Limbs::term>(p.x, q.x)));
  const auto yy = fold(term(multiply<Limbs::term>(p.y, qy)));
  const auto xy = fold(multiply<Limbs::term>(p.x, qy) + multiply<Limbs::term>(p.y, q.x));
  const auto xz = fold(multiply<Limbs::term>(q.x, p.z) + p.x);
  const auto yz = fold(multiply<Limbs::term>(qy, p.z) + p.y);
  const auto u1 = fold(xz - multiply<Limbs::term>(b, p.z));
  const auto v1 = fold(multiply<Limbs::term>(b, xz) - (p.z + p.z + p.z) - xx);
  const auto w1 = fold(xx - p.z);
  const auto v = fold(v1 + v1 + v1);
  const auto w = fold(w1 + w1 + w1);
  const auto sum = fold(yy + (u1 + u1 + u1));
  const auto difference = fold(yy - (u1 + u1 + u1));
  return {fold(multiply<Limbs::term>(xy, sum) - multiply<Limbs::term>(yz, v)),
          fold(multiply<Limbs::term>(difference, sum) + multiply<Limbs::term>(w, v)),
          fold(multiply<Limbs::term>(yz, difference) + multiply<Limbs::term>(xy, w))};
}

/**
 * An odd scalar of 256 bits as digits to the base 2^width that are odd, and positive or negative: none is zero, so each
 * costs the same addition. Halved, with a one put above its top bit, the scalar shows digit i in its bits i * width and
 * following: the upper bit of these says whether the digit is positive, the others (negated if not) half of its size.
 */
struct Digits {
  /** The scalar without its lowest bit, 64 bits a word. */
  Lanes word[5];
};

struct Digit {
  /** The digit is 2 * half + 1. */
  Lanes half;
  __mmask8 isNegative;
};

template <int width>
constexpr int digitsOf = (256 + width - 1) / width;

/** Digit number i of what `withTop` returns. */
template <int width>
ALWAYS_INLINE Digit digitAt(const Digits& digits, int i) {
  const int word = i * width / 64, shift = i * width % 64;
  Lanes bits = _mm512_srl_epi64(digits.word[word], _mm_cvtsi32_si128(shift));
  if (shift + width > 64) {
    bits = _mm512_or_si512(bits, _mm512_sll_epi64(digits.word[word + 1], _mm_cvtsi32_si128(64 - shift)));
  }
  const __mmask8 isNegative = _mm512_testn_epi64_mask(bits, same(uint64_t{1} << (width - 1)));
  bits = _mm512_mask_xor_epi64(bits, isNegative, bits, same(~uint64_t{0}));
  return {_mm512_and_si512(bits, same((uint64_t{1} << (width - 1)) - 1)), isNegative};
}

/** The digits with the one that `digitsOf<width>` digits have above the top bit. */
template <int width>
ALWAYS_INLINE Digits withTop(Digits digits) {
  constexpr int top = digitsOf<width> * width - 1;
  digits.word[top / 64] = _mm512_or_si512(digits.word[top / 64], same(uint64_t{1} << (top % 64)));
  return digits;
}

constexpr int pointWidth = 5;
constexpr size_t oddMultiplesKept = 1 << (pointWidth - 1);

/** Q, 3 Q, 5 Q … 31 Q. */
struct OddMultiples {
  Affine multiple[oddMultiplesKept];
  /** While they are computed: multiple i is over Z_i = Z_(i-1) ratio_i. */
  Product ratio[oddMultiplesKept];
  /** Their last Z, and after an inversion 1 / Z. */
  Product z;
};

/**
 * The first half of the table: each multiple but the first over a Z of its own. Repeated addition of 2 Q, whose
 * coordinates follow the Z of the sum (co-Z addition: Meloni, 2007): 5 products and 2 squares each.
 */
inline ONE_COPY void beginOddMultiples(OddMultiples& table, const Affine& q) {
  const auto yy = square(q.y);
  const auto yy2 = carried(yy + yy);
  const auto yy4 = carried(yy2 + yy2);
  const auto xyy4 = multiply(q.x, yy4);
  const auto yyyy4 = square<Limbs::term>(yy2);
  const auto one = constant(montgomeryOne);
  const auto slope = multiply<Limbs::factor, 3>(carried<Limbs::factor>(q.x - one), carried<Limbs::factor>(q.x + one));
  // Q and 2 Q over Z = 2 y.
  Coordinate x = fold(term(xyy4)), y = fold(yyyy4 + yyyy4);
  Product twiceX = fold(square<Limbs::term>(slope) - (xyy4 + xyy4));
  Product twiceY = fold(multiply<Limbs::term>(slope, carried<Limbs::factor>(x - twiceX)) - y);
  table.multiple[0] = q;
  table.z = fold(q.y + q.y);
  for (size_t i = 1; i < oddMultiplesKept; i++) {
    const auto h = fold(twiceX - x);
    const auto r = carried<Limbs::factor>(twiceY - y);
    const auto hh = square<Limbs::factor>(h);
    // 2 Q, over the new Z.
    const auto v = multiply(twiceX, hh);
    const auto w = multiply<Limbs::term>(x, hh);
    table.ratio[i] = h;
    table.z = multiply(table.z, h);
    x = fold(square<Limbs::term>(r) - (v + w));
    twiceY = multiply(twiceY, carried<Limbs::factor>(v - w));
    y = fold(multiply<Limbs::term>(r, carried<Limbs::factor>(v - x)) - twiceY);
    twiceX = v;
    table.multiple[i] = {x, y};
  }
}

/** The second half, with `table.z` inverted: divides each multiple by its Z. */
inline ONE_COPY void endOddMultiples(OddMultiples& table) {
  Product z = table.z;
  for (size_t i = oddMultiplesKept - 1; i > 0; i--) {
    const auto zz = square<Limbs::factor>(z);
    Affine& multiple = table.multiple[i];
    multiple.x = multiply(multiple.x, zz);
    multiple.y = multiply(multiple.y, multiply<Limbs::factor>(z, zz));
    z = multiply(z, table.ratio[i]);
  }
}

/** The multiple that the digit names in each lane. Reads all of them. */
ALWAYS_INLINE Affine select(const OddMultiples& table, Lanes half) {
  Affine chosen = table.multiple[0];
  for (size_t i = 1; i < oddMultiplesKept; i++) {
    const __mmask8 isHere = _mm512_cmpeq_epi64_mask(half, same(i));
    chosen = {choose(isHere, table.multiple[i].x, chosen.x), choose(isHere, table.multiple[i].y, chosen.y)};
  }
  return chosen;
}

/** The scalars times the points of the table, from the top digit, which is one, downwards. */
inline ONE_COPY void multiplyPoints(Projective& product, const Digits& scalars,
                                                     const OddMultiples& table) {
  const Digits digits = withTop<pointWidth>(scalars);
  Jacobian p = toJacobian(table.multiple[0]);
  for (int i = digitsOf<pointWidth> - 2; i > 0; i--) {
    twiceRepeatedly(p, pointWidth);
    const Digit digit = digitAt<pointWidth>(digits, i);
    add(p, select(table, digit.half), digit.isNegative);
  }
  twiceRepeatedly(p, pointWidth);
  const Digit last = digitAt<pointWidth>(digits, 0);
  product = addCompletely(toProjective(p), select(table, last.half), last.isNegative);
}

constexpr int generatorWidth = 7;
constexpr int generatorDigits = digitsOf<generatorWidth>;
constexpr size_t generatorEntries = 1 << (generatorWidth - 1);

/** For each digit the odd multiples of 2^(width digit) G, limb by limb: first those of x, then those of y. */
struct GeneratorTable {
  alignas(64) uint64_t limb[generatorDigits][2 * limbs][generatorEntries];
};

/** The limb that the digit names in each lane: permutes registers, of which all are read. */
ALWAYS_INLINE Lanes select(const uint64_t (&entries)[generatorEntries], Lanes half) {
  constexpr size_t perPermutation = 2 * lanes;
  Lanes part[generatorEntries / perPermutation];
  for (size_t i = 0; i < generatorEntries / perPermutation; i++) {
    const uint64_t* at = entries + i * perPermutation;
    // Takes the lower four bits of each index.
    part[i] = _mm512_permutex2var_epi64(_mm512_load_si512(at), half, _mm512_load_si512(at + lanes));
  }
  const __mmask8 bit4 = _mm512_test_epi64_mask(half, same(16)), bit5 = _mm512_test_epi64_mask(half, same(32));
  static_assert(generatorEntries == 64);
  return _mm512_mask_blend_epi64(bit5, _mm512_mask_blend_epi64(bit4, part[0], part[1]),
                                 _mm512_mask_blend_epi64(bit4, part[2], part[3]));
}

ALWAYS_INLINE Affine select(const uint64_t (&entries)[2 * limbs][generatorEntries], Lanes half) {
  Element<wholePrime> x, y;
  for (size_t i = 0; i < limbs; i++) x.limb[i] = select(entries[i], half);
  for (size_t i = 0; i < limbs; i++) y.limb[i] = select(entries[limbs + i], half);
  return {x, y};
}

/**
 * Scalars times the generator, from the lowest digit upwards, one digit in each call: the eights of a group share what
 * each digit reads of the table.
 */
class GeneratorProduct {
 public:
  ALWAYS_INLINE void begin(const GeneratorTable& table, const Digits& scalars) {
    digits_ = withTop<generatorWidth>(scalars);
    const Digit digit = digitAt<generatorWidth>(digits_, 0);
    Affine first = select(table.limb[0], digit.half);
    first.y = fold(negated(first.y, digit.isNegative));
    sum_ = toJacobian(first);
  }
  /** For i from 1 to generatorDigits - 2. */
  ALWAYS_INLINE void addDigit(const GeneratorTable& table, int i) {
    const Digit digit = digitAt<generatorWidth>(digits_, i);
    Jacobian sum = sum_;
    add(sum, select(table.limb[i], digit.half), digit.isNegative);
    sum_ = sum;
  }
  ALWAYS_INLINE Projective end(const GeneratorTable& table) {
    const Digit digit = digitAt<generatorWidth>(digits_, generatorDigits - 1);
    return addCompletely(toProjective(sum_), select(table.limb[generatorDigits - 1], digit.half), digit.isNegative);
  }

 private:
  Digits digits_;
  Jacobian sum_;
};

/** Inverts all, none of them zero, with one inversion in each lane (Montgomery). */
template <size_t atMost>
ONE_COPY void invertAll(Product* (&all)[atMost], size_t count) {
  Product upTo[atMost];
  upTo[0] = *all[0];
  for (size_t i = 1; i < count; i++) upTo[i] = multiply(upTo[i - 1], *all[i]);
  Product inverse = upTo[count - 1];
  invert(inverse);
  for (size_t i = count - 1; i > 0; i--) {
    const Product one = multiply(inverse, upTo[i - 1]);
    inverse = multiply(inverse, *all[i]);
    *all[i] = one;
  }
  *all[0] = inverse;
}

}  // namespace eight
