// Eight agreements at once, by AVX-512 IFMA: Intel since Ice Lake, AMD since Zen 4. docs/decisions/0016 argues for it.
// Only arithmetic. What is checked of it, and what happens when a check fails, is in agreement-checked.h.
#pragma once
#include <memory>

#include "agreement.h"

namespace eight {

/** Why this machine cannot: null where it can. Then nothing below may be used. */
const char* whyNot();

/** Messages of a group, a bit for each. */
struct Verdicts {
  /** Their keys are not points on the curve. */
  uint32_t rejected;
  /** A result is not a point on the curve: a fault. */
  uint32_t unsound;
};

struct Work;
struct FreeWork {
  void operator()(Work* work) const;
};

class Lanes8Agreement {
 public:
  /** The first one of the process computes a table of multiples of the generator: some milliseconds. */
  explicit Lanes8Agreement(const EC_GROUP* curve);

  /** `scalars`: 32 bytes each, big-endian, from 1 to the order of the curve less 1. Leaves isValid alone. */
  Verdicts agree(const uint8_t* scalars, const uint8_t* theirKeys, size_t count, Agreed* results);

 private:
  std::unique_ptr<Work, FreeWork> work_;
};

}  // namespace eight
