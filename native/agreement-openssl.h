// Key agreement by the OpenSSL inside the running Node.js, one message after the other.
#pragma once
#include <vector>

#include "agreement.h"

/**
 * OpenSSL would need a division for each point that it writes, a sixth of all the time; here all points of a group
 * share one division (EC_POINTs_make_affine).
 */
class OpenSslAgreement final : public Agreement {
 public:
  explicit OpenSslAgreement(const EC_GROUP* curve)
      : curve_(curve), scratch_(BN_CTX_secure_new()), scalar_(BN_secure_new()), x_(BN_secure_new()), y_(BN_new()) {
    must(scratch_ && scalar_ && x_ && y_);
    BN_set_flags(scalar_.get(), BN_FLG_CONSTTIME);
    for (size_t i = 0; i <= 2 * groupAtMost; i++) {
      points_.emplace_back(EC_POINT_new(curve));
      must(points_.back() != nullptr);
    }
  }

  void agree(const uint8_t* theirKeys, size_t count, const uint8_t* privateKey, Agreed* results) override {
    used_ = 0;
    for (size_t i = 0; i < count; i++) results[i].isValid = add(theirKeys + i * publicKeyBytes, privateKey);
    finish(count, results);
  }

 private:
  /** Multiplies, unless `theirKey` is not a point on the curve. */
  bool add(const uint8_t* theirKey, const uint8_t* privateKey) {
    EC_POINT* theirs = points_.back().get();
    // OpenSSL would also accept the hybrid forms 06 and 07; RFC 8291 allows only the uncompressed form.
    if (theirKey[0] != 4) return false;
    // Rejects coordinates above the prime and points that are not on the curve. P-256 has no smaller subgroup.
    if (EC_POINT_oct2point(curve_, theirs, theirKey, publicKeyBytes, scratch_.get()) != 1) return false;
    chooseScalar(privateKey);
    EC_POINT* ours = points_[used_++].get();
    EC_POINT* shared = points_[used_++].get();
    must(EC_POINT_mul(curve_, ours, scalar_.get(), nullptr, nullptr, scratch_.get()) == 1);
    must(EC_POINT_mul(curve_, shared, nullptr, theirs, scalar_.get(), scratch_.get()) == 1);
    must(EC_POINT_is_at_infinity(curve_, shared) == 0);
    return true;
  }

  /** Divides all points at once and writes them. */
  void finish(size_t count, Agreed* results) {
    EC_POINT* all[2 * groupAtMost];
    for (size_t i = 0; i < used_; i++) all[i] = points_[i].get();
    if (used_ > 0) must(EC_POINTs_make_affine(curve_, used_, all, scratch_.get()) == 1);
    size_t next = 0;
    for (size_t i = 0; i < count; i++) {
      Agreed& result = results[i];
      if (!result.isValid) continue;
      readAffine(all[next++]);
      result.ourKey[0] = 4;
      write(x_, result.ourKey + 1);
      write(y_, result.ourKey + 33);
      readAffine(all[next++]);
      write(x_, result.shared.bytes);
    }
  }

  void chooseScalar(const uint8_t* privateKey) {
    if (privateKey == nullptr) {
      do must(BN_priv_rand_range_ex(scalar_.get(), EC_GROUP_get0_order(curve_), 0, scratch_.get()) == 1);
      while (BN_is_zero(scalar_.get()));
    } else {
      must(BN_bin2bn(privateKey, secretBytes, scalar_.get()) != nullptr);
    }
  }

  /** The point's Z is one, so its projective coordinates are the affine ones. */
  void readAffine(const EC_POINT* point) {
    must(EC_POINT_get_Jprojective_coordinates_GFp(curve_, point, x_.get(), y_.get(), nullptr, scratch_.get()) == 1);
  }

  static void write(const Number& number, uint8_t* out) {
    must(BN_bn2binpad(number.get(), out, secretBytes) == static_cast<int>(secretBytes));
  }

  const EC_GROUP* curve_;
  Scratch scratch_;
  Number scalar_, x_, y_;
  /** Two per message, and one for the subscriber's key at the end. */
  std::vector<Point> points_;
  size_t used_ = 0;
};
