#include "agreement8.h"

#if !defined(__x86_64__) || defined(WITHOUT_AVX512)

namespace eight {

const char* whyNot() {
#if defined(__x86_64__)
  return "the compiler does not know AVX-512 IFMA";
#else
  return "only x86-64 processors have AVX-512 IFMA";
#endif
}

void FreeWork::operator()(Work*) const {}
Lanes8Agreement::Lanes8Agreement(const EC_GROUP*) { must(false); }
Verdicts Lanes8Agreement::agree(const uint8_t*, const uint8_t*, size_t, Agreed*) { return {}; }

}  // namespace eight

#else

#include <immintrin.h>

#include <algorithm>
#include <cstring>

#include "avx512-begin.h"
#include "points8.h"

namespace eight {

constexpr size_t eightsAtMost = groupAtMost / lanes;
constexpr size_t words = 4;

/** An integer of 256 bits for each lane, 64 bits a word. */
struct alignas(64) Words {
  uint64_t word[words][lanes];
};

/** All of one eight that is secret; wiped after use. */
struct Secrets {
  Words scalars;
  Digits digits;
  Projective shared, ours;
  Product inverseOfShared, inverseOfOurs;
  GeneratorProduct generatorProduct;
  Words x, y;
  /** The lanes with an even scalar, for which its negative was taken. */
  __mmask8 isEven;
};

struct Work {
  OddMultiples tables[eightsAtMost];
  Secrets secrets[eightsAtMost];
};

void FreeWork::operator()(Work* work) const { delete work; }

/** The order of the curve. */
constexpr uint64_t order[words] = {0xf3b9cac2fc632551, 0xbce6faada7179e84, 0xffffffffffffffff, 0xffffffff00000000};

static uint64_t readWord(const uint8_t* bytes) {
  uint64_t word;
  memcpy(&word, bytes, sizeof word);
  return __builtin_bswap64(word);
}
static void writeWord(uint8_t* bytes, uint64_t word) {
  word = __builtin_bswap64(word);
  memcpy(bytes, &word, sizeof word);
}
/** Reads, or writes, the 32 bytes of one lane, big-endian. */
static void readLane(Words& to, size_t lane, const uint8_t* bytes) {
  for (size_t i = 0; i < words; i++) to.word[words - 1 - i][lane] = readWord(bytes + i * sizeof(uint64_t));
}
static void writeLane(const Words& from, size_t lane, uint8_t* bytes) {
  for (size_t i = 0; i < words; i++) writeWord(bytes + i * sizeof(uint64_t), from.word[words - 1 - i][lane]);
}

/** Words of 64 bits to limbs of 52. The integers may be above p. */
static Element<mostThatFits> toLimbs(const Words& from) {
  Lanes word[words];
  for (size_t i = 0; i < words; i++) word[i] = _mm512_load_si512(from.word[i]);
  Element<mostThatFits> to;
  to.limb[0] = word[0];
  to.limb[1] = _mm512_or_si512(_mm512_srli_epi64(word[0], 52), _mm512_slli_epi64(word[1], 12));
  to.limb[2] = _mm512_or_si512(_mm512_srli_epi64(word[1], 40), _mm512_slli_epi64(word[2], 24));
  to.limb[3] = _mm512_or_si512(_mm512_srli_epi64(word[2], 28), _mm512_slli_epi64(word[3], 36));
  to.limb[4] = _mm512_srli_epi64(word[3], 16);
  for (size_t i = 0; i + 1 < limbs; i++) to.limb[i] = _mm512_and_si512(to.limb[i], same(limbMask));
  return to;
}

static void toWords(Words& to, const Element<wholePrime>& from) {
  const Lanes* limb = from.limb;
  _mm512_store_si512(to.word[0], _mm512_or_si512(limb[0], _mm512_slli_epi64(limb[1], 52)));
  _mm512_store_si512(to.word[1], _mm512_or_si512(_mm512_srli_epi64(limb[1], 12), _mm512_slli_epi64(limb[2], 40)));
  _mm512_store_si512(to.word[2], _mm512_or_si512(_mm512_srli_epi64(limb[2], 24), _mm512_slli_epi64(limb[3], 28)));
  _mm512_store_si512(to.word[3], _mm512_or_si512(_mm512_srli_epi64(limb[3], 36), _mm512_slli_epi64(limb[4], 16)));
}

/** Computes the multiples of the generator, by OpenSSL. */
class GeneratorMultiples {
 public:
  explicit GeneratorMultiples(const EC_GROUP* curve)
      : curve_(curve), scratch_(BN_CTX_new()), prime_(BN_new()), number_(BN_new()) {
    must(scratch_ && prime_ && number_);
  }

  void fill(GeneratorTable& table) {
    const EC_GROUP* curve = curve_;
    Point base(EC_POINT_dup(EC_GROUP_get0_generator(curve), curve)), twiceBase(EC_POINT_new(curve));
    must(base && twiceBase);
    must(EC_GROUP_get_curve(curve, prime_.get(), nullptr, nullptr, scratch_.get()) == 1);
    Point multiples[generatorEntries];
    for (Point& multiple : multiples) must((multiple = Point(EC_POINT_new(curve))) != nullptr);
    for (auto& entries : table.limb) {
      must(EC_POINT_copy(multiples[0].get(), base.get()) == 1);
      must(EC_POINT_dbl(curve, twiceBase.get(), base.get(), scratch_.get()) == 1);
      for (size_t i = 1; i < generatorEntries; i++) {
        must(EC_POINT_add(curve, multiples[i].get(), multiples[i - 1].get(), twiceBase.get(), scratch_.get()) == 1);
      }
      fillDigit(entries, multiples);
      for (int i = 0; i < generatorWidth; i++) must(EC_POINT_dbl(curve, base.get(), base.get(), scratch_.get()) == 1);
    }
  }

 private:
  void fillDigit(uint64_t (&entries)[2 * limbs][generatorEntries], const Point (&multiples)[generatorEntries]) {
    EC_POINT* all[generatorEntries];
    for (size_t i = 0; i < generatorEntries; i++) all[i] = multiples[i].get();
    must(EC_POINTs_make_affine(curve_, generatorEntries, all, scratch_.get()) == 1);
    Number x(BN_new()), y(BN_new());
    must(x && y);
    for (size_t i = 0; i < generatorEntries; i++) {
      must(EC_POINT_get_affine_coordinates(curve_, all[i], x.get(), y.get(), scratch_.get()) == 1);
      writeLimbs(entries, i, x.get());
      writeLimbs(entries + limbs, i, y.get());
    }
  }

  /** In Montgomery's form. */
  void writeLimbs(uint64_t (*limb)[generatorEntries], size_t entry, const BIGNUM* coordinate) {
    must(BN_lshift(number_.get(), coordinate, 260) == 1);
    must(BN_nnmod(number_.get(), number_.get(), prime_.get(), scratch_.get()) == 1);
    for (size_t i = 0; i < limbs; i++) {
      uint8_t bytes[40];
      must(BN_bn2lebinpad(number_.get(), bytes, sizeof bytes) == sizeof bytes);
      uint64_t word;
      memcpy(&word, bytes, sizeof word);
      limb[i][entry] = word & limbMask;
      must(BN_rshift(number_.get(), number_.get(), 52) == 1);
    }
  }

  const EC_GROUP* curve_;
  Scratch scratch_;
  Number prime_, number_;
};

struct FilledTable : GeneratorTable {
  explicit FilledTable(const EC_GROUP* curve) { GeneratorMultiples(curve).fill(*this); }
};

static const GeneratorTable& generatorTable(const EC_GROUP* curve = nullptr) {
  // One for all threads. A local static is initialised once, by the first constructor of Lanes8Agreement.
  static const FilledTable table(curve);
  return table;
}

const char* whyNot() {
  __builtin_cpu_init();
  // These also ask the system whether it saves the registers (XCR0).
  const bool canAll = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                      __builtin_cpu_supports("avx512ifma");
  return canAll ? nullptr : "the processor has no AVX-512 IFMA";
}

Lanes8Agreement::Lanes8Agreement(const EC_GROUP* curve) : work_(new Work) { generatorTable(curve); }

/** Reads the scalars, and where one is even its negative modulo the order, whose products are the negative points. */
static void readScalars(Secrets& secrets, const uint8_t* scalars, size_t count) {
  secrets.isEven = 0;
  for (size_t lane = 0; lane < lanes; lane++) {
    if (lane < count) {
      readLane(secrets.scalars, lane, scalars + lane * secretBytes);
    } else {
      for (size_t i = 0; i < words; i++) secrets.scalars.word[i][lane] = i == 0;
    }
  }
  Lanes word[words], borrow = _mm512_setzero_si512();
  for (size_t i = 0; i < words; i++) word[i] = _mm512_load_si512(secrets.scalars.word[i]);
  secrets.isEven = _mm512_testn_epi64_mask(word[0], same(1));
  for (size_t i = 0; i < words; i++) {
    // The order less the scalar, with the borrow of the lower word.
    const Lanes difference = minus(same(order[i]), word[i]);
    const __mmask8 borrows =
        _mm512_cmplt_epu64_mask(same(order[i]), word[i]) | _mm512_cmplt_epu64_mask(difference, borrow);
    word[i] = _mm512_mask_sub_epi64(word[i], secrets.isEven, difference, borrow);
    borrow = _mm512_maskz_set1_epi64(borrows, 1);
  }
  for (size_t i = 0; i < words; i++) {
    const Lanes upper = i + 1 < words ? _mm512_slli_epi64(word[i + 1], 63) : _mm512_setzero_si512();
    secrets.digits.word[i] = _mm512_or_si512(_mm512_srli_epi64(word[i], 1), upper);
  }
  secrets.digits.word[words] = _mm512_setzero_si512();
}

/** Reads subscribers' keys. Returns the lanes of those on the curve; the generator takes the place of others. */
static __mmask8 readKeys(Affine& points, const uint8_t* keys, size_t count) {
  Words x{}, y{};
  __mmask8 isUncompressed = 0;
  for (size_t lane = 0; lane < count; lane++) {
    const uint8_t* key = keys + lane * publicKeyBytes;
    if (key[0] == 4) isUncompressed |= 1 << lane;
    readLane(x, lane, key + 1);
    readLane(y, lane, key + 33);
  }
  const auto xLimbs = toLimbs(x), yLimbs = toLimbs(y);
  const Affine read{fold(term(toMontgomery(xLimbs))), fold(term(toMontgomery(yLimbs)))};
  const __mmask8 isValid = isUncompressed & isBelowPrime(xLimbs) & isBelowPrime(yLimbs) & isOnCurve(read);
  const Affine generator = select(generatorTable().limb[0], _mm512_setzero_si512());
  points = {choose(isValid, read.x, generator.x), choose(isValid, read.y, generator.y)};
  return isValid;
}

/** Writes the results. Returns the lanes in which both are on the curve. */
static __mmask8 writeResults(Secrets& secrets, Agreed* results, size_t count) {
  const Projective& ours = secrets.ours;
  const Projective& shared = secrets.shared;
  const auto ourX = fromMontgomery(multiply(ours.x, secrets.inverseOfOurs));
  const auto ourY = fromMontgomery(fold(negated(multiply(ours.y, secrets.inverseOfOurs), secrets.isEven)));
  toWords(secrets.x, ourX);
  toWords(secrets.y, ourY);
  for (size_t lane = 0; lane < count; lane++) {
    results[lane].ourKey[0] = 4;
    writeLane(secrets.x, lane, results[lane].ourKey + 1);
    writeLane(secrets.y, lane, results[lane].ourKey + 33);
  }
  const auto sharedX = fromMontgomery(multiply(shared.x, secrets.inverseOfShared));
  toWords(secrets.x, sharedX);
  for (size_t lane = 0; lane < count; lane++) writeLane(secrets.x, lane, results[lane].shared.bytes);
  // The integers as written are taken into the field again: this checks inversion and reduction, too.
  return isOnCurve({toMontgomery(ourX), toMontgomery(ourY)}) &
         isOnCurve({toMontgomery(sharedX), multiply(shared.y, secrets.inverseOfShared)});
}

static void multiplyGenerator(Secrets* secrets, size_t eights) {
  const GeneratorTable& table = generatorTable();
  for (size_t j = 0; j < eights; j++) secrets[j].generatorProduct.begin(table, secrets[j].digits);
  for (int i = 1; i < generatorDigits - 1; i++) {
    for (size_t j = 0; j < eights; j++) secrets[j].generatorProduct.addDigit(table, i);
  }
  for (size_t j = 0; j < eights; j++) secrets[j].ours = secrets[j].generatorProduct.end(table);
}

static ONE_COPY Verdicts agreeGroup(Work& work, const uint8_t* scalars, const uint8_t* theirKeys,
                                                     size_t count, Agreed* results) {
  const size_t eights = (count + lanes - 1) / lanes;
  const auto inEight = [count](size_t j) { return std::min(count - j * lanes, lanes); };
  Product* inverted[2 * eightsAtMost];
  Verdicts verdicts{};
  for (size_t j = 0; j < eights; j++) {
    Affine theirs;
    readScalars(work.secrets[j], scalars + j * lanes * secretBytes, inEight(j));
    const __mmask8 isValid = readKeys(theirs, theirKeys + j * lanes * publicKeyBytes, inEight(j));
    verdicts.rejected |= static_cast<uint32_t>(static_cast<uint8_t>(~isValid)) << (j * lanes);
    beginOddMultiples(work.tables[j], theirs);
    inverted[j] = &work.tables[j].z;
  }
  invertAll(inverted, eights);
  for (size_t j = 0; j < eights; j++) {
    endOddMultiples(work.tables[j]);
    multiplyPoints(work.secrets[j].shared, work.secrets[j].digits, work.tables[j]);
  }
  multiplyGenerator(work.secrets, eights);
  for (size_t j = 0; j < eights; j++) {
    Secrets& secrets = work.secrets[j];
    secrets.inverseOfShared = secrets.shared.z;
    secrets.inverseOfOurs = secrets.ours.z;
    inverted[2 * j] = &secrets.inverseOfShared;
    inverted[2 * j + 1] = &secrets.inverseOfOurs;
  }
  invertAll(inverted, 2 * eights);
  for (size_t j = 0; j < eights; j++) {
    const __mmask8 isSound = writeResults(work.secrets[j], results + j * lanes, inEight(j));
    verdicts.unsound |= static_cast<uint32_t>(static_cast<uint8_t>(~isSound)) << (j * lanes);
  }
  return verdicts;
}

/** More than the functions above use: what the compiler put on the stack is overwritten. */
static ONE_COPY void wipeStack() {
  uint8_t used[32 * 1024];
  OPENSSL_cleanse(used, sizeof used);
}

Verdicts Lanes8Agreement::agree(const uint8_t* scalars, const uint8_t* theirKeys, size_t count, Agreed* results) {
  Verdicts verdicts{};
  if (count > 0) {
    verdicts = agreeGroup(*work_, scalars, theirKeys, count, results);
    OPENSSL_cleanse(work_->secrets, sizeof work_->secrets);
    wipeStack();
  }
  const uint32_t all = count < 32 ? (uint32_t{1} << count) - 1 : ~uint32_t{0};
  return {verdicts.rejected & all, verdicts.unsound & all};
}

}  // namespace eight

#include "avx512-end.h"

#endif
