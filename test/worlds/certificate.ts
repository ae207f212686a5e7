import { randomUUID } from "node:crypto";
import { isIP } from "node:net";
import { generate } from "selfsigned";

export type Certificate = { cert: string; key: string };

const dayMs = 86_400_000;

/**
 * Makes a self-signed EC P-256 certificate for `names` (host names and addresses), valid for ten days unless `dates` says otherwise; both PEM.
 * It is its own CA, so a client trusts it by `ca` or by NODE_EXTRA_CA_CERTS. Its common name is made unique: OpenSSL looks
 * an issuer up by its name and takes the first that a client trusts.
 */
export async function makeCertificate(
  commonName: string,
  names: string[] = ["localhost", "127.0.0.1", "::1"],
  // From yesterday: tests move the clock of the sender back by hours.
  dates = { from: new Date(Date.now() - dayMs), until: new Date(Date.now() + 10 * dayMs) },
): Promise<Certificate> {
  const altNames = names.map((name) =>
    isIP(name) === 0 ? { type: 2 as const, value: name } : { type: 7 as const, ip: name },
  );
  const made = await generate([{ name: "commonName", value: `${commonName} ${randomUUID()}` }], {
    keyType: "ec",
    curve: "P-256",
    algorithm: "sha256",
    notBeforeDate: dates.from,
    notAfterDate: dates.until,
    extensions: [
      { name: "basicConstraints", cA: true, critical: true },
      { name: "keyUsage", digitalSignature: true, keyCertSign: true, critical: true },
      { name: "extKeyUsage", serverAuth: true },
      { name: "subjectAltName", altNames },
    ],
  });
  return { cert: made.cert, key: made.private };
}
