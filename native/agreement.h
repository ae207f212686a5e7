// Key agreement (ECDH on P-256) for a group of messages: what each way of it does.
#pragma once
#include "derivation.h"

/** How many messages form a group. Larger groups save little more, and no longer fit into the CPU cache. */
constexpr size_t groupAtMost = 32;

/** Our new public key and the secret shared with one subscriber. */
struct Agreed {
  /** Whether the subscriber's key is a point on the curve (RFC 8291 section 7 requires this check). Else void. */
  bool isValid;
  uint8_t ourKey[publicKeyBytes];
  Secret<secretBytes> shared;
};

class Agreement {
 public:
  virtual ~Agreement() = default;

  /**
   * Generates a key pair for each of `count` messages, at most groupAtMost, and agrees with `theirKeys`, of 65 bytes
   * each. `privateKey`: 32 bytes for all of them, from 1 to the order of the curve less 1, or null to generate each.
   */
  virtual void agree(const uint8_t* theirKeys, size_t count, const uint8_t* privateKey, Agreed* results) = 0;

  /** Faults of its own that it has found so far, and fixed. */
  virtual uint64_t faults() const { return 0; }
};
