// Message encryption for web push (RFC 8291, content coding aes128gcm of RFC 8188), one batch per call, by the OpenSSL
// inside the running Node.js. Does the same as src/delivery/crypto/encrypt.ts, which documents the buffers.
#include <node_api.h>
#include <node_version.h>

#include <algorithm>
#include <new>
#include <string_view>

#include "agreement.h"

// Headers of another Node.js may belong to another OpenSSL. The compiler's command line defines both versions.
static_assert(std::string_view(NODE_VERSION_STRING) == FOR_NODE, "these are the headers of another Node.js");
static_assert(std::string_view(OPENSSL_FULL_VERSION_STR) == FOR_OPENSSL, "these are the headers of another OpenSSL");

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

void seal(EVP_CIPHER_CTX* cipher, const Batch& batch, const Agreed& agreed, const uint8_t* salt) {
  const size_t i = agreed.message;
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

void sealAll(const EC_GROUP* curve, const Batch& batch) {
  Agreement agreement(curve);
  Cipher cipher(EVP_CIPHER_CTX_new());
  must(cipher != nullptr);
  must(EVP_EncryptInit_ex2(cipher.get(), EVP_aes_128_gcm(), nullptr, nullptr, nullptr) == 1);
  Agreed agreed[groupAtMost];
  uint8_t salts[groupAtMost * saltBytes];
  for (size_t from = 0; from < batch.count; from += groupAtMost) {
    const size_t end = std::min(from + groupAtMost, batch.count);
    size_t valid = 0;
    agreement.begin();
    for (size_t i = from; i < end; i++) {
      batch.invalid.data[i] = !agreement.add(batch.publicKeys.data + i * publicKeyBytes, batch.exampleKey);
      if (batch.invalid.data[i]) memset(batch.bodies.data + i * batch.bodyBytes, 0, batch.bodyBytes);
      else agreed[valid++].message = i;
    }
    agreement.finish(agreed);
    must(RAND_bytes(salts, sizeof salts) == 1);
    for (size_t k = 0; k < valid; k++) {
      seal(cipher.get(), batch, agreed[k], batch.exampleSalt ? batch.exampleSalt : salts + k * saltBytes);
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

/**
 * encryptBatch(publicKeys, authSecrets, plaintexts, bodies, invalid[, privateKey, salt]): fills `bodies` and `invalid`.
 */
napi_value encryptBatch(napi_env env, napi_callback_info info) {
  napi_value arguments[7];
  size_t given = 7;
  void* curve = nullptr;
  if (napi_get_cb_info(env, info, &given, arguments, nullptr, &curve) != napi_ok || given < 5) {
    return refuse(env, "Five buffers are needed.");
  }
  Batch batch{};
  if (!readBatch(env, arguments, given, batch)) return refuse(env, "The buffers do not fit each other.");
  OwnErrors errors;
  try {
    sealAll(static_cast<const EC_GROUP*>(curve), batch);
  } catch (const OpenSslFailure&) {
    return refuse(env, "OpenSSL could not encrypt: no memory or no randomness.");
  } catch (const std::bad_alloc&) {
    return refuse(env, "No memory to encrypt in.");
  }
  return nullptr;
}

void freeCurve(napi_env, void* curve, void*) { EC_GROUP_free(static_cast<EC_GROUP*>(curve)); }

}  // namespace

// Context-aware: each thread that loads this module has its own curve. Threads share no state.
NAPI_MODULE_INIT() {
  // Checks the library that runs, too, and not only the headers: a Node.js may use the system's OpenSSL.
  if (std::string_view(OpenSSL_version(OPENSSL_FULL_VERSION_STRING)) != FOR_OPENSSL) {
    return refuse(env, "another OpenSSL runs than this was built for");
  }
  EC_GROUP* curve = EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1);
  if (curve == nullptr) return refuse(env, "this OpenSSL knows no P-256");
  napi_value function;
  if (napi_set_instance_data(env, curve, freeCurve, nullptr) != napi_ok ||
      napi_create_function(env, "encryptBatch", NAPI_AUTO_LENGTH, encryptBatch, curve, &function) != napi_ok ||
      napi_set_named_property(env, exports, "encryptBatch", function) != napi_ok) {
    return refuse(env, "encryptBatch could not be made");
  }
  return exports;
}
