import { createPrivateKey, type KeyObject, sign } from "node:crypto";
import { isVapidPair, type VapidPair } from "../../tenants/vapid/vapid-pair.ts";
import { isVapidSubject } from "../../vapid-subject.ts";

const hourMs = 3_600_000;
/**
 * The hours of a token's life, from the start of the hour in which it is signed. So it is valid for 11 to 12 hours.
 * Services refuse more than 24 hours.
 */
const lifeHours = 12;
const tokenHeader = Buffer.from('{"typ":"JWT","alg":"ES256"}').toString("base64url");

export type VapidSigner = {
  /**
   * Returns the `authorization` header for a push service, `vapid t=…, k=…` (RFC 8292 section 3). `origin`: as in
   * `URL.origin`.
   */
  authorization(origin: string): string;
};

/**
 * Returns the signer of a site. It signs once per origin and hour. The cache is cleared when the hour of the clock
 * changes. So a token in use is valid for at least 11 hours, even after the wall clock jumps forward or back.
 * `clock`: ms since 1970. Throws RangeError if the keys are not a pair or the subject is not a mailto: or https:
 * address.
 */
export function createVapidSigner(options: {
  publicKey: Buffer;
  privateKey: Buffer;
  subject: string;
  clock: () => number;
}): VapidSigner {
  if (!isVapidSubject(options.subject)) throw new RangeError("The VAPID subject is not a mailto: or https: address.");
  const key = importPair(options);
  const publicKey = options.publicKey.toString("base64url");
  const headers = new Map<string, string>();
  let cachedHour = Number.NaN;
  return {
    authorization(origin) {
      const hour = Math.floor(options.clock() / hourMs);
      if (hour !== cachedHour) {
        headers.clear();
        cachedHour = hour;
      }
      const cached = headers.get(origin);
      if (cached !== undefined) return cached;
      const expiresAtSeconds = ((hour + lifeHours) * hourMs) / 1_000;
      const claims = { aud: origin, exp: expiresAtSeconds, sub: options.subject };
      const header = `vapid t=${signToken(key, claims)}, k=${publicKey}`;
      headers.set(origin, header);
      return header;
    },
  };
}

/** Returns a JWT signed with ES256. The signature is r and s concatenated, 64 bytes (RFC 7518 section 3.4). */
function signToken(key: KeyObject, claims: object): string {
  const signed = `${tokenHeader}.${Buffer.from(JSON.stringify(claims)).toString("base64url")}`;
  const signature = sign("sha256", Buffer.from(signed), { key, dsaEncoding: "ieee-p1363" });
  return `${signed}.${signature.toString("base64url")}`;
}

function importPair({ publicKey, privateKey }: VapidPair): KeyObject {
  if (!isVapidPair({ publicKey, privateKey })) throw new RangeError("The VAPID keys are not a pair.");
  const x = publicKey.subarray(1, 33).toString("base64url");
  const y = publicKey.subarray(33).toString("base64url");
  return createPrivateKey({
    key: { kty: "EC", crv: "P-256", x, y, d: privateKey.toString("base64url") },
    format: "jwk",
  });
}
