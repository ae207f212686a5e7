// The parts of OpenSSL that the encryptor needs: memory is freed automatically, failures are thrown.
#pragma once
#define OPENSSL_SUPPRESS_DEPRECATED
#include <node_version.h>
#include <openssl/bn.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/obj_mac.h>
#include <openssl/rand.h>
#include <openssl/sha.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

// Headers of another Node.js may belong to another OpenSSL. The compiler's command line defines both versions.
static_assert(std::string_view(NODE_VERSION_STRING) == FOR_NODE, "these are the headers of another Node.js");
static_assert(std::string_view(OPENSSL_FULL_VERSION_STR) == FOR_OPENSSL, "these are the headers of another OpenSSL");

/** Thrown when OpenSSL fails for want of memory or randomness. Never because of a subscriber's key. */
struct OpenSslFailure {};

inline void must(bool succeeded) {
  if (!succeeded) throw OpenSslFailure{};
}

template <auto release>
struct Release {
  template <typename T>
  void operator()(T* held) const { release(held); }
};

/** OpenSSL wipes each of these when it is freed. */
using Number = std::unique_ptr<BIGNUM, Release<BN_clear_free>>;
using Point = std::unique_ptr<EC_POINT, Release<EC_POINT_clear_free>>;
using Scratch = std::unique_ptr<BN_CTX, Release<BN_CTX_free>>;
using Cipher = std::unique_ptr<EVP_CIPHER_CTX, Release<EVP_CIPHER_CTX_free>>;
using Curve = std::unique_ptr<EC_GROUP, Release<EC_GROUP_free>>;

/** Bytes that are wiped when they go out of scope, so that they do not stay in memory. */
template <size_t size>
struct Secret {
  uint8_t bytes[size];
  Secret() = default;
  Secret(const Secret&) = delete;
  Secret& operator=(const Secret&) = delete;
  ~Secret() { OPENSSL_cleanse(bytes, size); }
};

/**
 * Removes our failed calls from OpenSSL's error queue at the end of the scope: Node.js must not mistake them for its
 * own.
 */
struct OwnErrors {
  OwnErrors() { ERR_set_mark(); }
  OwnErrors(const OwnErrors&) = delete;
  OwnErrors& operator=(const OwnErrors&) = delete;
  ~OwnErrors() { ERR_pop_to_mark(); }
};
