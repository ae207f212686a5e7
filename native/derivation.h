// Derives the keys of one message from the shared secret (RFC 8291 section 3.4), by HMAC-SHA-256.
#pragma once
#include <cstring>
#include <initializer_list>

#include "openssl.h"

constexpr size_t publicKeyBytes = 65;
constexpr size_t authSecretBytes = 16;
constexpr size_t saltBytes = 16;
constexpr size_t secretBytes = 32;
constexpr size_t contentKeyBytes = 16;
constexpr size_t nonceBytes = 12;

/**
 * The info strings of HKDF-Expand. The last two end with the counter byte of their only block (RFC 5869 section 2.3).
 */
constexpr char keyInfoPrefix[] = "WebPush: info";
constexpr char contentKeyInfo[] = "Content-Encoding: aes128gcm\0\x01";
constexpr char nonceInfo[] = "Content-Encoding: nonce\0\x01";

/** HMAC-SHA-256 with one key of at most 64 bytes. Hashes the key's two blocks once for all messages. */
class Hmac {
 public:
  Hmac(const uint8_t* key, size_t keyBytes) {
    Secret<SHA256_CBLOCK> padded;
    start(inner_, padded, key, keyBytes, 0x36);
    start(outer_, padded, key, keyBytes, 0x5c);
    running_ = inner_;
  }
  Hmac(const Hmac&) = delete;
  Hmac& operator=(const Hmac&) = delete;
  ~Hmac() {
    for (SHA256_CTX* state : {&inner_, &outer_, &running_}) OPENSSL_cleanse(state, sizeof *state);
  }

  Hmac& add(const void* bytes, size_t count) {
    must(SHA256_Update(&running_, bytes, count) == 1);
    return *this;
  }

  /** Writes the HMAC of all that was added, and starts a new message. */
  void finish(Secret<SHA256_DIGEST_LENGTH>& out) {
    must(SHA256_Final(out.bytes, &running_) == 1);
    running_ = outer_;
    must(SHA256_Update(&running_, out.bytes, sizeof out.bytes) == 1);
    must(SHA256_Final(out.bytes, &running_) == 1);
    running_ = inner_;
  }

 private:
  static void start(SHA256_CTX& state, Secret<SHA256_CBLOCK>& padded, const uint8_t* key, size_t keyBytes, uint8_t pad) {
    memset(padded.bytes, pad, sizeof padded.bytes);
    for (size_t i = 0; i < keyBytes; i++) padded.bytes[i] ^= key[i];
    must(SHA256_Init(&state) == 1);
    must(SHA256_Update(&state, padded.bytes, sizeof padded.bytes) == 1);
  }

  SHA256_CTX inner_, outer_, running_;
};

/** The content key and the nonce are the first bytes of these blocks. */
struct MessageKeys {
  Secret<SHA256_DIGEST_LENGTH> content;
  Secret<SHA256_DIGEST_LENGTH> nonce;
};

/** `theirKey` and `ourKey` are uncompressed points. */
inline void deriveKeys(const Secret<secretBytes>& shared, const uint8_t* authSecret, const uint8_t* theirKey,
                       const uint8_t* ourKey, const uint8_t* salt, MessageKeys& keys) {
  Secret<SHA256_DIGEST_LENGTH> combined, material, pseudorandom;
  Hmac(authSecret, authSecretBytes).add(shared.bytes, secretBytes).finish(combined);
  Hmac(combined.bytes, sizeof combined.bytes)
      .add(keyInfoPrefix, sizeof keyInfoPrefix)  // with its zero
      .add(theirKey, publicKeyBytes)
      .add(ourKey, publicKeyBytes)
      .add("\x01", 1)
      .finish(material);
  Hmac(salt, saltBytes).add(material.bytes, sizeof material.bytes).finish(pseudorandom);
  Hmac expand(pseudorandom.bytes, sizeof pseudorandom.bytes);
  expand.add(contentKeyInfo, sizeof contentKeyInfo - 1).finish(keys.content);
  expand.add(nonceInfo, sizeof nonceInfo - 1).finish(keys.nonce);
}
