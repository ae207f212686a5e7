// Eight agreements at once, checked: what arithmetic of our own must prove before a message depends on it.
//
// A wrong bit would give a message that the push service accepts and the browser drops without a word. So known answers
// are computed first. Every point is checked to be on its curve (in agreement8.cc); a lane that fails, or whose key is
// rejected, is computed again by OpenSSL. So is one message in a thousand, and the first difference switches this way
// off for the whole process.
#pragma once
#include <atomic>

#include "agreement-openssl.h"
#include "agreement8.h"
#include "known-answers.h"

/** Of all threads of this process. */
struct AgreementState {
  /** Messages so far, to choose those that are computed twice. */
  std::atomic<uint64_t> messages{0};
  /** Lanes that failed where OpenSSL did not. */
  std::atomic<uint64_t> failedLanes{0};
  /** Messages computed twice whose results differed. */
  std::atomic<uint64_t> differences{0};
  std::atomic<bool> isOff{false};
};
inline AgreementState agreementState;

/** One message in so many is computed by OpenSSL, too. A prime, so that each of the eight lanes has its turn. */
constexpr uint64_t checkedEvery = 997;

class CheckedAgreement final : public Agreement {
 public:
  explicit CheckedAgreement(const EC_GROUP* curve) : openSsl_(curve), eight_(curve) {}

  /** Whether the known answers come out; else this way must not be used. */
  bool answersAsKnown() {
    uint8_t digest[SHA256_DIGEST_LENGTH];
    bool isSound = true;
    digestOfAnswers(digest, [&](const uint8_t* scalars, const uint8_t* theirKeys, Agreed* results) {
      const eight::Verdicts verdicts = eight_.agree(scalars, theirKeys, groupAtMost, results);
      isSound = isSound && verdicts.rejected == 0 && verdicts.unsound == 0;
    });
    return isSound && memcmp(digest, knownDigest, sizeof digest) == 0;
  }

  uint64_t faults() const override { return faults_; }

  void agree(const uint8_t* theirKeys, size_t count, const uint8_t* privateKey, Agreed* results) override {
    if (agreementState.isOff.load(std::memory_order_relaxed)) {
      return openSsl_.agree(theirKeys, count, privateKey, results);
    }
    Secret<groupAtMost * secretBytes> scalars;
    if (privateKey == nullptr) generateScalars(scalars.bytes, count);
    else for (size_t i = 0; i < count; i++) memcpy(scalars.bytes + i * secretBytes, privateKey, secretBytes);
    const eight::Verdicts verdicts = eight_.agree(scalars.bytes, theirKeys, count, results);
    const uint32_t failed = verdicts.rejected | verdicts.unsound;
    for (size_t i = 0; i < count; i++) {
      results[i].isValid = true;
      if (failed >> i & 1) agreeAgain(theirKeys, i, scalars.bytes, results[i]);
    }
    if (!isSampleSame(theirKeys, count, scalars.bytes, results)) {
      faults_++;
      agreementState.differences++;
      agreementState.isOff = true;
      // None of this group is trusted.
      openSsl_.agree(theirKeys, count, privateKey, results);
    }
  }

 private:
  /** By OpenSSL, which has the last word on a key that was rejected. */
  void agreeAgain(const uint8_t* theirKeys, size_t i, const uint8_t* scalars, Agreed& result) {
    openSsl_.agree(theirKeys + i * publicKeyBytes, 1, scalars + i * secretBytes, &result);
    if (!result.isValid) return;
    faults_++;
    agreementState.failedLanes++;
  }

  /** Whether OpenSSL comes to the same for the message of this group whose turn it is, if it is that of one. */
  bool isSampleSame(const uint8_t* theirKeys, size_t count, const uint8_t* scalars, const Agreed* results) {
    const uint64_t before = agreementState.messages.fetch_add(count, std::memory_order_relaxed);
    const uint64_t i = checkedEvery - 1 - before % checkedEvery;
    if (i >= count) return true;
    Agreed expected;
    openSsl_.agree(theirKeys + i * publicKeyBytes, 1, scalars + i * secretBytes, &expected);
    if (!expected.isValid || !results[i].isValid) return expected.isValid == results[i].isValid;
    return memcmp(expected.ourKey, results[i].ourKey, publicKeyBytes) == 0 &&
           CRYPTO_memcmp(expected.shared.bytes, results[i].shared.bytes, secretBytes) == 0;
  }

  /**
   * From 1 to the order less 1, each alike: draws again what is not, one draw in 2^32. That tells only of what is
   * thrown away.
   */
  void generateScalars(uint8_t* scalars, size_t count) {
    must(RAND_priv_bytes(scalars, static_cast<int>(count * secretBytes)) == 1);
    for (size_t i = 0; i < count; i++) {
      uint8_t* scalar = scalars + i * secretBytes;
      while (!isScalar(scalar)) must(RAND_priv_bytes(scalar, secretBytes) == 1);
    }
  }

  /** Whether a big-endian integer is neither zero nor as large as the order. No branch depends on its bits. */
  static bool isScalar(const uint8_t* bytes) {
    constexpr uint8_t order[secretBytes] = {0xff, 0xff, 0xff, 0xff, 0x00, 0x00, 0x00, 0x00, 0xff, 0xff, 0xff,
                                            0xff, 0xff, 0xff, 0xff, 0xff, 0xbc, 0xe6, 0xfa, 0xad, 0xa7, 0x17,
                                            0x9e, 0x84, 0xf3, 0xb9, 0xca, 0xc2, 0xfc, 0x63, 0x25, 0x51};
    unsigned borrow = 0, any = 0;
    for (size_t i = secretBytes; i-- > 0;) {
      borrow = (bytes[i] - order[i] - borrow) >> 31;
      any |= bytes[i];
    }
    return (borrow != 0) & (any != 0);
  }

  OpenSslAgreement openSsl_;
  eight::Lanes8Agreement eight_;
  uint64_t faults_ = 0;
};
