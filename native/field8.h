// Arithmetic modulo the prime of P-256, p = 2^256 - 2^224 + 2^192 + 2^96 - 1, for eight messages at once.
//
// An element has five limbs of 52 bits, as the multiplier of AVX-512 IFMA takes them, and is in Montgomery form with
// R = 2^260. Values stay unreduced: up to 16 p fit. The compiler does the bookkeeping, because the bound of a value is
// part of its type, in sixteenths of p. A formula whose values could become too large does not compile.
#pragma once
#include <immintrin.h>

#include <cstddef>
#include <cstdint>

namespace eight {

/** One integer of 64 bits for each of eight messages. */
using Lanes = __m512i;

constexpr size_t lanes = 8;
constexpr size_t limbs = 5;
constexpr uint64_t limbMask = (uint64_t{1} << 52) - 1;
constexpr uint64_t prime[limbs] = {limbMask, (uint64_t{1} << 44) - 1, 0, uint64_t{1} << 36,
                                   (uint64_t{1} << 48) - (uint64_t{1} << 16)};

#define ALWAYS_INLINE inline __attribute__((always_inline))
/** Not copied to its callers: the code must stay small enough to compile in seconds and to fit into the CPU cache. */
#define ONE_COPY __attribute__((noinline))

ALWAYS_INLINE Lanes same(uint64_t value) { return _mm512_set1_epi64(static_cast<long long>(value)); }
ALWAYS_INLINE Lanes plus(Lanes a, Lanes b) { return _mm512_add_epi64(a, b); }
ALWAYS_INLINE Lanes minus(Lanes a, Lanes b) { return _mm512_sub_epi64(a, b); }
/** Adds the low, or the high, 52 bits of a product of two 52-bit integers. Ignores their upper bits. */
ALWAYS_INLINE Lanes addLow(Lanes to, Lanes a, Lanes b) { return _mm512_madd52lo_epu64(to, a, b); }
ALWAYS_INLINE Lanes addHigh(Lanes to, Lanes a, Lanes b) { return _mm512_madd52hi_epu64(to, a, b); }

/** What the limbs of an element allow. */
enum class Limbs {
  /** Below 2^52: anything. */
  clean,
  /** Carried, but the lower four keep the bits above 2^52 that were carried: only products, which ignore these. */
  factor,
  /** Not carried, up to 2^58: only sums. */
  term,
};

constexpr int wholePrime = 16;
/** 16 p < 2^260: the upper limb of such a value is below 2^52. */
constexpr int mostThatFits = 16 * wholePrime;
/** What `fold` leaves: p and 2^-26 of it. */
constexpr int folded = wholePrime + 1;

/** A value below `bound` sixteenths of p. */
template <int bound, Limbs form = Limbs::clean>
struct Element {
  static_assert(0 < bound && bound <= mostThatFits);
  Lanes limb[limbs];

  Element() = default;
  /** A value below a smaller bound is also below a larger one, and clean limbs may be used for anything. */
  template <int smaller, Limbs other>
  ALWAYS_INLINE Element(const Element<smaller, other>& from) {
    static_assert(smaller <= bound && (other == form || other == Limbs::clean));
    for (size_t i = 0; i < limbs; i++) limb[i] = from.limb[i];
  }
};

/** A sum and difference of at most eight elements, not carried: above -`below` and below `above` sixteenths of p. */
template <int below, int above>
struct Sum {
  Lanes limb[limbs];

  Sum() = default;
  template <int bound, Limbs form>
  ALWAYS_INLINE Sum(const Element<bound, form>& from) {
    static_assert(bound <= above && form != Limbs::factor);
    for (size_t i = 0; i < limbs; i++) limb[i] = from.limb[i];
  }
};

template <int bound, Limbs form>
ALWAYS_INLINE Sum<0, bound> term(const Element<bound, form>& a) {
  return a;
}
template <int below, int above>
ALWAYS_INLINE Sum<below, above> term(const Sum<below, above>& a) {
  return a;
}

template <int aBelow, int aAbove, int bBelow, int bAbove>
ALWAYS_INLINE Sum<aBelow + bBelow, aAbove + bAbove> addTerms(Sum<aBelow, aAbove> a, Sum<bBelow, bAbove> b) {
  Sum<aBelow + bBelow, aAbove + bAbove> sum;
  for (size_t i = 0; i < limbs; i++) sum.limb[i] = plus(a.limb[i], b.limb[i]);
  return sum;
}
template <int aBelow, int aAbove, int bBelow, int bAbove>
ALWAYS_INLINE Sum<aBelow + bAbove, aAbove + bBelow> subtractTerms(Sum<aBelow, aAbove> a, Sum<bBelow, bAbove> b) {
  Sum<aBelow + bAbove, aAbove + bBelow> difference;
  for (size_t i = 0; i < limbs; i++) difference.limb[i] = minus(a.limb[i], b.limb[i]);
  return difference;
}

/** Found only for operands of this namespace, since `term` takes no others. */
template <typename A, typename B>
ALWAYS_INLINE auto operator+(const A& a, const B& b) -> decltype(addTerms(term(a), term(b))) {
  return addTerms(term(a), term(b));
}
template <typename A, typename B>
ALWAYS_INLINE auto operator-(const A& a, const B& b) -> decltype(subtractTerms(term(a), term(b))) {
  return subtractTerms(term(a), term(b));
}

/** Carries signed limbs; the value must not be negative. */
template <Limbs form>
ALWAYS_INLINE void carry(Lanes* limb) {
  static_assert(form != Limbs::term);
  for (size_t i = 0; i + 1 < limbs; i++) {
    limb[i + 1] = plus(limb[i + 1], _mm512_srai_epi64(limb[i], 52));
    if (form == Limbs::clean) limb[i] = _mm512_and_si512(limb[i], same(limbMask));
  }
}

/** The sum as an element, with as many p added as make it positive. */
template <Limbs form = Limbs::clean, int below, int above>
ALWAYS_INLINE auto carried(Sum<below, above> sum) {
  constexpr int primes = (below + wholePrime - 1) / wholePrime;
  if (primes > 0) {
    for (size_t i = 0; i < limbs; i++) {
      if (prime[i] > 0) sum.limb[i] = plus(sum.limb[i], same(primes * prime[i]));
    }
  }
  carry<form>(sum.limb);
  Element<above + primes * wholePrime, form> result;
  for (size_t i = 0; i < limbs; i++) result.limb[i] = sum.limb[i];
  return result;
}

/**
 * The sum modulo p, below (1 + 2^-26) p. Subtracts floor((t - 2^21) / 2^48) p, t being the upper limb. The other limbs
 * count less than 2^217, and this quotient times (2^256 - p) less than 2^228.1. Both are less than the 2^21 2^208 that
 * were kept, so the result is not negative.
 */
template <int below, int above>
ALWAYS_INLINE Element<folded> fold(Sum<below, above> sum) {
  static_assert(below <= mostThatFits && above <= mostThatFits);
  Lanes* limb = sum.limb;
  const Lanes quotient = _mm512_srai_epi64(minus(limb[4], same(uint64_t{1} << 21)), 48);
  limb[0] = plus(limb[0], quotient);
  limb[1] = minus(limb[1], _mm512_slli_epi64(quotient, 44));
  limb[3] = minus(limb[3], _mm512_slli_epi64(quotient, 36));
  limb[4] = plus(minus(limb[4], _mm512_slli_epi64(quotient, 48)), _mm512_slli_epi64(quotient, 16));
  carry<Limbs::clean>(limb);
  Element<folded> result;
  for (size_t i = 0; i < limbs; i++) result.limb[i] = limb[i];
  return result;
}

/** The negative in the lanes of `where`. */
template <int bound, Limbs form>
ALWAYS_INLINE Sum<bound, bound> negated(const Element<bound, form>& a, __mmask8 where) {
  Sum<bound, bound> result(a);
  for (size_t i = 0; i < limbs; i++) {
    result.limb[i] = _mm512_mask_sub_epi64(a.limb[i], where, _mm512_setzero_si512(), a.limb[i]);
  }
  return result;
}

/**
 * One step of Montgomery's reduction: adds the multiple of p that cancels limb i modulo 2^52, and carries. As p = -1
 * modulo 2^96, that multiple is the limb itself. p = -1 + 2^44 2^52 + 2^36 2^156 + (2^48 - 2^16) 2^208.
 */
template <size_t i>
ALWAYS_INLINE void cancel(Lanes* t) {
  const Lanes m = t[i];
  t[i + 1] = plus(t[i + 1], _mm512_srli_epi64(m, 52));
  t[i + 1] = addLow(t[i + 1], m, same(uint64_t{1} << 44));
  // The high part of 2^44 m, by a shift: the multiplier is what everything waits for.
  t[i + 2] = plus(t[i + 2], _mm512_srli_epi64(_mm512_and_si512(m, same(limbMask)), 8));
  t[i + 3] = addLow(t[i + 3], m, same(prime[3]));
  t[i + 4] = addHigh(t[i + 4], m, same(prime[3]));
  t[i + 4] = addLow(t[i + 4], m, same(prime[4]));
  t[i + 5] = addHigh(t[i + 5], m, same(prime[4]));
}

/** Adds a product of two limbs at limb i. */
template <size_t i>
ALWAYS_INLINE void addProduct(Lanes* t, Lanes a, Lanes b) {
  t[i] = addLow(t[i], a, b);
  t[i + 1] = addHigh(t[i + 1], a, b);
}

/** The bound of `times` a b / R: reduction adds less than p, and p / R is below 1/16. */
constexpr int productBound(int times, int a, int b) { return times * ((a * b + 255) / 256 + wholePrime); }

/** The upper limbs of a reduced product, `times` over. */
template <int bound, Limbs form, int times>
ALWAYS_INLINE Element<bound, form> upperLimbs(Lanes* t) {
  static_assert(1 <= times && times <= 3);
  for (size_t i = limbs; i < 2 * limbs; i++) {
    const Lanes once = t[i];
    for (int j = 1; j < times; j++) t[i] = plus(t[i], once);
  }
  if (form != Limbs::term) carry<form == Limbs::term ? Limbs::factor : form>(t + limbs);
  Element<bound, form> result;
  for (size_t i = 0; i < limbs; i++) result.limb[i] = t[limbs + i];
  return result;
}

template <size_t i>
ALWAYS_INLINE void multiplyRow(Lanes* t, const Lanes* a, const Lanes* b) {
  addProduct<i>(t, a[i], b[0]);
  addProduct<i + 1>(t, a[i], b[1]);
  addProduct<i + 2>(t, a[i], b[2]);
  addProduct<i + 3>(t, a[i], b[3]);
  addProduct<i + 4>(t, a[i], b[4]);
  cancel<i>(t);
}

/** `times` the Montgomery product. */
template <Limbs form = Limbs::clean, int times = 1, int aBound, Limbs aForm, int bBound, Limbs bForm>
ALWAYS_INLINE auto multiply(const Element<aBound, aForm>& a, const Element<bBound, bForm>& b) {
  static_assert(aForm != Limbs::term && bForm != Limbs::term);
  Lanes t[2 * limbs];
  for (Lanes& limb : t) limb = _mm512_setzero_si512();
  multiplyRow<0>(t, a.limb, b.limb);
  multiplyRow<1>(t, a.limb, b.limb);
  multiplyRow<2>(t, a.limb, b.limb);
  multiplyRow<3>(t, a.limb, b.limb);
  multiplyRow<4>(t, a.limb, b.limb);
  return upperLimbs<productBound(times, aBound, bBound), form, times>(t);
}

/** `times` the Montgomery square. */
template <Limbs form = Limbs::clean, int times = 1, int bound, Limbs aForm>
ALWAYS_INLINE auto square(const Element<bound, aForm>& element) {
  static_assert(aForm != Limbs::term);
  const Lanes* a = element.limb;
  Lanes t[2 * limbs];
  for (Lanes& limb : t) limb = _mm512_setzero_si512();
  addProduct<1>(t, a[0], a[1]);
  addProduct<2>(t, a[0], a[2]);
  addProduct<3>(t, a[0], a[3]);
  addProduct<4>(t, a[0], a[4]);
  addProduct<3>(t, a[1], a[2]);
  addProduct<4>(t, a[1], a[3]);
  addProduct<5>(t, a[1], a[4]);
  addProduct<5>(t, a[2], a[3]);
  addProduct<6>(t, a[2], a[4]);
  addProduct<7>(t, a[3], a[4]);
  for (size_t i = 1; i + 1 < 2 * limbs; i++) t[i] = plus(t[i], t[i]);
  addProduct<0>(t, a[0], a[0]);
  addProduct<2>(t, a[1], a[1]);
  addProduct<4>(t, a[2], a[2]);
  addProduct<6>(t, a[3], a[3]);
  addProduct<8>(t, a[4], a[4]);
  cancel<0>(t);
  cancel<1>(t);
  cancel<2>(t);
  cancel<3>(t);
  cancel<4>(t);
  return upperLimbs<productBound(times, bound, bound), form, times>(t);
}

/** The same element in all lanes. */
ALWAYS_INLINE Element<wholePrime> constant(const uint64_t (&limb)[limbs]) {
  Element<wholePrime> result;
  for (size_t i = 0; i < limbs; i++) result.limb[i] = same(limb[i]);
  return result;
}

/** R, the one of Montgomery's form, and R^2. */
constexpr uint64_t montgomeryOne[limbs] = {0x0000000000010, 0xf000000000000, 0xfffffffffffff, 0xffeffffffffff,
                                           0x00000000fffff};
constexpr uint64_t montgomerySquared[limbs] = {0x0000000000300, 0xffffffff00000, 0xffffefffffffb, 0xfdfffffffffff,
                                               0x0000004ffffff};

template <int bound, Limbs form>
ALWAYS_INLINE Element<productBound(1, bound, wholePrime)> toMontgomery(const Element<bound, form>& integer) {
  return multiply(integer, constant(montgomerySquared));
}

/** The lanes whose value is below p. The limbs are clean. */
template <int bound>
ALWAYS_INLINE __mmask8 isBelowPrime(const Element<bound>& integer) {
  Lanes borrow = _mm512_setzero_si512();
  for (size_t i = 0; i < limbs; i++) {
    borrow = _mm512_srai_epi64(plus(minus(integer.limb[i], same(prime[i])), borrow), 52);
  }
  return _mm512_movepi64_mask(borrow);
}

/** Out of Montgomery's form: the one integer below p. */
template <int bound, Limbs form>
ALWAYS_INLINE Element<wholePrime> fromMontgomery(const Element<bound, form>& element) {
  constexpr uint64_t one[limbs] = {1};
  // (a + m p) / R with a below 16 p and m below R: at most p.
  const auto atMostPrime = multiply(element, constant(one));
  const __mmask8 isPrime = static_cast<__mmask8>(~isBelowPrime(atMostPrime));
  Element<wholePrime> result;
  for (size_t i = 0; i < limbs; i++) {
    result.limb[i] = _mm512_mask_sub_epi64(atMostPrime.limb[i], isPrime, atMostPrime.limb[i], same(prime[i]));
  }
  return result;
}

/** The lanes in which the sum is a multiple of p. */
template <int below, int above>
ALWAYS_INLINE __mmask8 isZero(const Sum<below, above>& sum) {
  const auto integer = fromMontgomery(fold(sum));
  Lanes any = integer.limb[0];
  for (size_t i = 1; i < limbs; i++) any = _mm512_or_si512(any, integer.limb[i]);
  return _mm512_testn_epi64_mask(any, any);
}

/** `a` in the lanes of `where`, else `b`. */
template <int bound>
ALWAYS_INLINE Element<bound> choose(__mmask8 where, const Element<bound>& a, const Element<bound>& b) {
  Element<bound> result;
  for (size_t i = 0; i < limbs; i++) result.limb[i] = _mm512_mask_blend_epi64(where, b.limb[i], a.limb[i]);
  return result;
}

/** An element that a product left, and what chains of products hand on. */
using Product = Element<wholePrime + 4>;

inline ONE_COPY void multiplyInto(Product& to, const Product& a, const Product& b) {
  to = multiply(a, b);
}
inline ONE_COPY void squareRepeatedly(Product& a, int times) {
  for (int i = 0; i < times; i++) a = square(a);
}

/** a^(p - 2) = 1 / a, and 0 for 0: 255 squarings and 13 products, always the same. Writes over `a`. */
inline void invert(Product& a) {
  // onesN = a^(2^N - 1): a power whose exponent has N ones.
  const Product ones1 = a;
  const auto extended = [](const Product& power, int by, const Product& lower) {
    Product longer = power;
    squareRepeatedly(longer, by);
    multiplyInto(longer, longer, lower);
    return longer;
  };
  const Product ones2 = extended(ones1, 1, ones1);
  const Product ones3 = extended(ones2, 1, ones1);
  const Product ones6 = extended(ones3, 3, ones3);
  const Product ones12 = extended(ones6, 6, ones6);
  const Product ones15 = extended(ones12, 3, ones3);
  const Product ones30 = extended(ones15, 15, ones15);
  const Product ones32 = extended(ones30, 2, ones2);
  // p - 2: 32 ones, 31 zeros, a one, 96 zeros, 94 ones, a zero, a one.
  Product power = extended(ones32, 32, ones1);
  power = extended(power, 96 + 32, ones32);
  power = extended(power, 32, ones32);
  power = extended(power, 30, ones30);
  a = extended(power, 2, ones1);
}

}  // namespace eight
