// Message encryption for web push (RFC 8291, content coding aes128gcm of RFC 8188), one batch per call, by the OpenSSL
// inside the running Node.js. Does the same as src/delivery/crypto/encrypt.ts, which documents the buffers.
#include <node_api.h>

#include <algorithm>
#include <memory>
#include <new>
#include <string_view>

#include "agreement-checked.h"

namespace {

constexpr size_t tagBytes = 16;
constexpr size_t headerBytes = saltBytes + 4 + 1 + publicKeyBytes;
constexpr uint8_t recordSize[] = {0, 0, 0x10, 0};
constexpr uint8_t lastRecordDelimiter = 2;

struct Bytes {
  uint8_t* data;
  size_t size;
};

struct Batch {
  Bytes publicKeys, authSecrets, plaintexts, bodies, invalid;
  size_t count, plaintextBytes, bodyBytes;
  /** Set to verify the RFC's example; null otherwise. */
  const uint8_t* exampleKey;
  const uint8_t* exampleSalt;
};

/** Encrypts message i. */
void seal(EVP_CIPHER_CTX* cipher, const Batch& batch, size_t i, const Agreed& agreed, const uint8_t* salt) {
  MessageKeys keys;
  deriveKeys(agreed.shared, batch.authSecrets.data + i * authSecretBytes, batch.publicKeys.data + i * publicKeyBytes,
             agreed.ourKey, salt, keys);
  uint8_t* out = batch.bodies.data + i * batch.bodyBytes;
  memcpy(out, salt, saltBytes);
  memcpy(out + saltBytes, recordSize, sizeof recordSize);
  out[saltBytes + 4] = publicKeyBytes;
  memcpy(out + saltBytes + 5, agreed.ourKey, publicKeyBytes);

  uint8_t* text = out + headerBytes;
  const int textBytes = static_cast<int>(batch.plaintextBytes);
  int written = 0;
  must(EVP_EncryptInit_ex2(cipher, nullptr, keys.content.bytes, keys.nonce.bytes, nullptr) == 1);
  must(EVP_EncryptUpdate(cipher, text, &written, batch.plaintexts.data + i * batch.plaintextBytes, textBytes) == 1);
  must(written == textBytes);
  must(EVP_EncryptUpdate(cipher, text + textBytes, &written, &lastRecordDelimiter, 1) == 1 && written == 1);
  must(EVP_EncryptFinal_ex(cipher, text + textBytes + 1, &written) == 1 && written == 0);
  must(EVP_CIPHER_CTX_ctrl(cipher, EVP_CTRL_GCM_GET_TAG, tagBytes, text + textBytes + 1) == 1);
}

void sealAll(Agreement& agreement, const Batch& batch) {
  Cipher cipher(EVP_CIPHER_CTX_new());
  must(cipher != nullptr);
  must(EVP_EncryptInit_ex2(cipher.get(), EVP_aes_128_gcm(), nullptr, nullptr, nullptr) == 1);
  Agreed agreed[groupAtMost];
  uint8_t salts[groupAtMost * saltBytes];
  for (size_t from = 0; from < batch.count; from += groupAtMost) {
    const size_t count = std::min(groupAtMost, batch.count - from);
    agreement.agree(batch.publicKeys.data + from * publicKeyBytes, count, batch.exampleKey, agreed);
    must(RAND_bytes(salts, sizeof salts) == 1);
    for (size_t k = 0; k < count; k++) {
      const size_t i = from + k;
      batch.invalid.data[i] = !agreed[k].isValid;
      if (!agreed[k].isValid) memset(batch.bodies.data + i * batch.bodyBytes, 0, batch.bodyBytes);
      else seal(cipher.get(), batch, i, agreed[k], batch.exampleSalt ? batch.exampleSalt : salts + k * saltBytes);
    }
  }
}

napi_value refuse(napi_env env, const char* message) {
  napi_throw_error(env, nullptr, message);
  return nullptr;
}

bool readBytes(napi_env env, napi_value value, Bytes& bytes) {
  bool isTypedArray = false;
  if (napi_is_typedarray(env, value, &isTypedArray) != napi_ok || !isTypedArray) return false;
  napi_typedarray_type type;
  void* data = nullptr;
  if (napi_get_typedarray_info(env, value, &type, &bytes.size, &data, nullptr, nullptr) != napi_ok) return false;
  bytes.data = static_cast<uint8_t*>(data);
  return type == napi_uint8_array;
}

/** Checks the sizes once more: a wrong size would cause a write beyond the end of a buffer. */
bool readBatch(napi_env env, const napi_value* arguments, size_t given, Batch& batch) {
  Bytes* buffers[] = {&batch.publicKeys, &batch.authSecrets, &batch.plaintexts, &batch.bodies, &batch.invalid};
  for (size_t i = 0; i < 5; i++) {
    if (!readBytes(env, arguments[i], *buffers[i])) return false;
  }
  batch.count = batch.invalid.size;
  if (batch.count > 0) {
    batch.plaintextBytes = batch.plaintexts.size / batch.count;
    batch.bodyBytes = headerBytes + batch.plaintextBytes + 1 + tagBytes;
  }
  const bool fits = batch.publicKeys.size == batch.count * publicKeyBytes &&
                    batch.authSecrets.size == batch.count * authSecretBytes && batch.plaintextBytes <= 4096 &&
                    batch.plaintexts.size == batch.count * batch.plaintextBytes &&
                    batch.bodies.size == batch.count * batch.bodyBytes;
  if (!fits || given < 7) return fits;
  Bytes key, salt;
  if (!readBytes(env, arguments[5], key) || !readBytes(env, arguments[6], salt)) return false;
  batch.exampleKey = key.data;
  batch.exampleSalt = salt.data;
  return key.size == secretBytes && salt.size == saltBytes;
}

/** What a thread that has loaded this module uses. */
struct Instance {
  Curve curve;
  std::unique_ptr<OpenSslAgreement> oneByOne;
  /** Null until prepareEight has succeeded. */
  std::unique_ptr<CheckedAgreement> eight;
};

/** Calls `use`, and throws its failure into JavaScript. Returns whether it succeeded. */
template <typename Use>
bool guarded(napi_env env, Use use) {
  OwnErrors errors;
  try {
    use();
    return true;
  } catch (const OpenSslFailure&) {
    refuse(env, "OpenSSL could not encrypt: no memory or no randomness.");
  } catch (const std::bad_alloc&) {
    refuse(env, "No memory to encrypt in.");
  }
  return false;
}

/** Returns to JavaScript how many faults of the agreement were found and fixed. */
template <typename Way>
napi_value encryptBy(std::unique_ptr<Way> Instance::*way, napi_env env, napi_callback_info info) {
  napi_value arguments[7];
  size_t given = 7;
  void* data = nullptr;
  if (napi_get_cb_info(env, info, &given, arguments, nullptr, &data) != napi_ok || given < 5) {
    return refuse(env, "Five buffers are needed.");
  }
  Batch batch{};
  if (!readBatch(env, arguments, given, batch)) return refuse(env, "The buffers do not fit each other.");
  Agreement* const agreement = (static_cast<Instance*>(data)->*way).get();
  if (agreement == nullptr) return refuse(env, "prepareEight() comes first.");
  const uint64_t before = agreement->faults();
  if (!guarded(env, [&] { sealAll(*agreement, batch); })) return nullptr;
  napi_value faults = nullptr;
  napi_create_uint32(env, static_cast<uint32_t>(agreement->faults() - before), &faults);
  return faults;
}

/**
 * encryptBatch(publicKeys, authSecrets, plaintexts, bodies, invalid[, privateKey, salt]): fills `bodies` and `invalid`.
 */
napi_value encryptBatch(napi_env env, napi_callback_info info) { return encryptBy(&Instance::oneByOne, env, info); }

/** The same, with eight agreements at once. */
napi_value encryptBatchByEight(napi_env env, napi_callback_info info) {
  return encryptBy(&Instance::eight, env, info);
}

/**
 * prepareEight(): allows encryptBatchByEight in this thread. Returns why this machine cannot, or undefined. Throws where
 * the results are wrong.
 */
napi_value prepareEight(napi_env env, napi_callback_info info) {
  void* data = nullptr;
  napi_value reason = nullptr;
  if (napi_get_cb_info(env, info, nullptr, nullptr, nullptr, &data) != napi_ok) return nullptr;
  if (const char* why = eight::whyNot()) {
    napi_create_string_utf8(env, why, NAPI_AUTO_LENGTH, &reason);
    return reason;
  }
  Instance& instance = *static_cast<Instance*>(data);
  if (instance.eight != nullptr) return nullptr;
  guarded(env, [&] {
    auto agreement = std::make_unique<CheckedAgreement>(instance.curve.get());
    if (agreement->answersAsKnown()) instance.eight = std::move(agreement);
    else refuse(env, "AVX-512 does not reproduce known answers.");
  });
  return nullptr;
}

bool setProperty(napi_env env, napi_value object, const char* name, uint64_t value) {
  napi_value number;
  return napi_create_double(env, static_cast<double>(value), &number) == napi_ok &&
         napi_set_named_property(env, object, name, number) == napi_ok;
}

/** agreementState(): faults of AVX-512 in all threads of this process, and whether it was switched off. */
napi_value readAgreementState(napi_env env, napi_callback_info) {
  napi_value state, isOff;
  const bool isRead = napi_create_object(env, &state) == napi_ok &&
                      setProperty(env, state, "failedLanes", agreementState.failedLanes) &&
                      setProperty(env, state, "differences", agreementState.differences) &&
                      napi_get_boolean(env, agreementState.isOff, &isOff) == napi_ok &&
                      napi_set_named_property(env, state, "isOff", isOff) == napi_ok;
  return isRead ? state : nullptr;
}

bool exportFunction(napi_env env, napi_value exports, const char* name, napi_callback callback, Instance* instance) {
  napi_value function;
  return napi_create_function(env, name, NAPI_AUTO_LENGTH, callback, instance, &function) == napi_ok &&
         napi_set_named_property(env, exports, name, function) == napi_ok;
}

void freeInstance(napi_env, void* instance, void*) { delete static_cast<Instance*>(instance); }

}  // namespace

// Context-aware: each thread that loads this module has its own instance. Threads share only counters of faults.
NAPI_MODULE_INIT() {
  // Checks the library that runs, too, and not only the headers: a Node.js may use the system's OpenSSL.
  if (std::string_view(OpenSSL_version(OPENSSL_FULL_VERSION_STRING)) != FOR_OPENSSL) {
    return refuse(env, "another OpenSSL runs than this was built for");
  }
  auto instance = std::make_unique<Instance>();
  instance->curve = Curve(EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1));
  if (instance->curve == nullptr) return refuse(env, "this OpenSSL knows no P-256");
  const bool isReady =
      guarded(env, [&] { instance->oneByOne = std::make_unique<OpenSslAgreement>(instance->curve.get()); });
  if (!isReady) return nullptr;
  Instance* const kept = instance.get();
  if (napi_set_instance_data(env, kept, freeInstance, nullptr) != napi_ok) return refuse(env, "no memory");
  instance.release();
  if (!exportFunction(env, exports, "encryptBatch", encryptBatch, kept) ||
      !exportFunction(env, exports, "encryptBatchByEight", encryptBatchByEight, kept) ||
      !exportFunction(env, exports, "prepareEight", prepareEight, kept) ||
      !exportFunction(env, exports, "agreementState", readAgreementState, kept)) {
    return refuse(env, "the functions could not be made");
  }
  return exports;
}
