// For tests and measurements only, never loaded by the service: the parts of the eight agreements, one by one.
// test/delivery/eight-*.test.ts compare them with BigInt and OpenSSL, bench/agreement-timing.ts takes their time.
#include <node_api.h>
#include <x86intrin.h>

#include <cstring>

#include "../agreement-checked.h"
#include "../avx512-begin.h"
#include "../points8.h"

namespace {

using namespace eight;

constexpr size_t elementBytes = limbs * lanes * sizeof(uint64_t);

template <int bound, Limbs form = Limbs::clean>
Element<bound, form> read(const uint8_t* from) {
  Element<bound, form> element;
  for (size_t i = 0; i < limbs; i++) element.limb[i] = _mm512_loadu_si512(from + i * sizeof(Lanes));
  return element;
}

template <int bound, Limbs form>
int write(uint8_t* to, const Element<bound, form>& element) {
  for (size_t i = 0; i < limbs; i++) _mm512_storeu_si512(to + i * sizeof(Lanes), element.limb[i]);
  return bound;
}

/** One operation on operands up to the bounds that eight-fields.test.ts has, too. Returns the bound, or a mask. */
int compute(int operation, const uint8_t* a, const uint8_t* b, uint8_t* out) {
  switch (operation) {
    case 0: return write(out, multiply(read<240, Limbs::factor>(a), read<256, Limbs::factor>(b)));
    case 1: return write(out, multiply<Limbs::term, 2>(read<112, Limbs::factor>(a), read<256, Limbs::factor>(b)));
    case 2: return write(out, multiply<Limbs::factor, 3>(read<69, Limbs::factor>(a), read<256, Limbs::factor>(b)));
    case 3: return write(out, square(read<247, Limbs::factor>(a)));
    case 4: return write(out, square<Limbs::term, 2>(read<169, Limbs::factor>(a)));
    case 5: return write(out, carried(read<128>(a) - read<112>(b)));
    case 6: return write(out, carried<Limbs::factor>(read<128>(a) + read<128>(b)));
    case 7: return write(out, fold(read<256, Limbs::term>(a) - read<256, Limbs::term>(b)));
    case 8: return write(out, fold(negated(read<256>(a), 0xaa)));
    case 9: return write(out, fromMontgomery(read<240>(a)));
    case 10: return write(out, toMontgomery(read<256>(a)));
    case 11: {
      Product inverse = read<20>(a);
      invert(inverse);
      return write(out, inverse);
    }
    case 12: return isBelowPrime(read<256>(a));
    default: return isZero(read<256>(a) - read<256>(b));
  }
}

/** Adds affine points to projective ones: a = X, Y, Z; b = x, y; out = X, Y, Z. Both in Montgomery's form. */
void add(const uint8_t* a, const uint8_t* b, uint8_t* out) {
  const Projective p{read<folded>(a), read<folded>(a + elementBytes), read<folded>(a + 2 * elementBytes)};
  const Projective sum = addCompletely(p, {read<20>(b), read<20>(b + elementBytes)}, 0xf0);
  write(out, sum.x);
  write(out + elementBytes, sum.y);
  write(out + 2 * elementBytes, sum.z);
}

}  // namespace

#include "../avx512-end.h"

namespace {

const uint8_t* bytesOf(napi_env env, napi_value value, size_t* size = nullptr) {
  void* data = nullptr;
  size_t length = 0;
  napi_get_typedarray_info(env, value, nullptr, &length, &data, nullptr, nullptr);
  if (size != nullptr) *size = length;
  return static_cast<const uint8_t*>(data);
}

/** field(operation, a, b, out): bound or mask. */
napi_value field(napi_env env, napi_callback_info info) {
  napi_value arguments[4], result;
  size_t given = 4;
  napi_get_cb_info(env, info, &given, arguments, nullptr, nullptr);
  int operation = 0;
  napi_get_value_int32(env, arguments[0], &operation);
  uint8_t* out = const_cast<uint8_t*>(bytesOf(env, arguments[3]));
  napi_create_int32(env, compute(operation, bytesOf(env, arguments[1]), bytesOf(env, arguments[2]), out), &result);
  return result;
}

/** addPoints(p, q, out) */
napi_value addPoints(napi_env env, napi_callback_info info) {
  napi_value arguments[3];
  size_t given = 3;
  napi_get_cb_info(env, info, &given, arguments, nullptr, nullptr);
  add(bytesOf(env, arguments[0]), bytesOf(env, arguments[1]), const_cast<uint8_t*>(bytesOf(env, arguments[2])));
  return nullptr;
}

/**
 * agree(way, scalars, theirKeys, ours, shared): agrees for at most 32 messages. Way 0 is AVX-512: returns rejected
 * lanes and, from bit 32, unsound ones. Way 1 is OpenSSL: returns rejected lanes. Way 2 is AVX-512: returns cycles.
 */
napi_value agree(napi_env env, napi_callback_info info) {
  napi_value arguments[5], result;
  size_t given = 5, ourBytes = 0;
  napi_get_cb_info(env, info, &given, arguments, nullptr, nullptr);
  int way = 0;
  napi_get_value_int32(env, arguments[0], &way);
  const uint8_t* scalars = bytesOf(env, arguments[1]);
  const uint8_t* theirKeys = bytesOf(env, arguments[2]);
  uint8_t* ours = const_cast<uint8_t*>(bytesOf(env, arguments[3], &ourBytes));
  uint8_t* shared = const_cast<uint8_t*>(bytesOf(env, arguments[4]));
  const size_t count = ourBytes / publicKeyBytes;
  static const Curve curve(EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1));
  static OpenSslAgreement openSsl(curve.get());
  static Lanes8Agreement eight(curve.get());
  static Agreed results[groupAtMost];
  uint64_t told = 0;
  if (way == 1) {
    for (size_t i = 0; i < count; i++) {
      openSsl.agree(theirKeys + i * publicKeyBytes, 1, scalars + i * secretBytes, results + i);
      told |= static_cast<uint64_t>(!results[i].isValid) << i;
    }
  } else {
    unsigned processor;
    const uint64_t before = __rdtscp(&processor);
    const Verdicts verdicts = eight.agree(scalars, theirKeys, count, results);
    const uint64_t cycles = __rdtscp(&processor) - before;
    told = way == 0 ? verdicts.rejected | static_cast<uint64_t>(verdicts.unsound) << 32 : cycles;
  }
  for (size_t i = 0; i < count; i++) {
    memcpy(ours + i * publicKeyBytes, results[i].ourKey, publicKeyBytes);
    memcpy(shared + i * secretBytes, results[i].shared.bytes, secretBytes);
  }
  napi_create_bigint_uint64(env, told, &result);
  return result;
}

/** openSslAnswersAsKnown(): whether OpenSSL comes to the known answers. */
napi_value openSslAnswersAsKnown(napi_env env, napi_callback_info) {
  const Curve curve(EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1));
  OpenSslAgreement openSsl(curve.get());
  uint8_t digest[SHA256_DIGEST_LENGTH];
  digestOfAnswers(digest, [&](const uint8_t* scalars, const uint8_t* theirKeys, Agreed* results) {
    for (size_t i = 0; i < groupAtMost; i++) {
      openSsl.agree(theirKeys + i * publicKeyBytes, 1, scalars + i * secretBytes, results + i);
    }
  });
  napi_value result;
  napi_get_boolean(env, memcmp(digest, knownDigest, sizeof digest) == 0, &result);
  return result;
}

void exportFunction(napi_env env, napi_value exports, const char* name, napi_callback callback) {
  napi_value function;
  napi_create_function(env, name, NAPI_AUTO_LENGTH, callback, nullptr, &function);
  napi_set_named_property(env, exports, name, function);
}

}  // namespace

NAPI_MODULE_INIT() {
  exportFunction(env, exports, "field", field);
  exportFunction(env, exports, "addPoints", addPoints);
  exportFunction(env, exports, "agree", agree);
  exportFunction(env, exports, "openSslAnswersAsKnown", openSslAnswersAsKnown);
  return exports;
}
