import { createPrivateKey } from "node:crypto";
import { z } from "zod";
import { expects } from "../input.ts";
import { isVapidPair, type VapidPair } from "./vapid-pair.ts";

/** A pair as it travels from one service to another: what `web-push generate-vapid-keys --json` prints, base64url. */
export type VapidFile = { publicKey: string; privateKey: string };

export function writeVapidFile({ publicKey, privateKey }: VapidPair): VapidFile {
  return { publicKey: publicKey.toString("base64url"), privateKey: privateKey.toString("base64url") };
}

/** The text of a file with a pair, as JSON or as PEM. A fault never holds anything of the text: it may be a secret. */
export const vapidText = z.string(expects("a string")).transform((text, context): VapidPair => {
  const pair = text.includes("-----BEGIN ") ? pairOfPem(text) : pairOfJson(text);
  if (!("fault" in pair)) return pair;
  context.addIssue(pair.fault);
  return z.NEVER;
});

type Fault = { fault: string };

/** The first byte of a point that is written with both coordinates. */
const uncompressed = 4;

const base64 = z
  .string()
  .trim()
  // Some services write it with + and / and padding; Node reads both alphabets.
  .regex(/^[\w+/-]+={0,2}$/)
  .transform((text) => Buffer.from(text, "base64url"));
const bytes = (length: number) => base64.refine((key) => key.length === length);
const jsonPair = z.object({ publicKey: bytes(65), privateKey: bytes(32) });

function pairOfJson(text: string): VapidPair | Fault {
  const { success, data } = jsonPair.safeParse(parse(text));
  if (!success) {
    return {
      fault:
        'must be {"publicKey","privateKey"} in JSON, 65 and 32 bytes as base64url, or a private key on P-256 as PEM',
    };
  }
  return belongsTogether(data);
}

function belongsTogether(pair: VapidPair): VapidPair | Fault {
  return isVapidPair(pair) ? pair : { fault: "must have a public key that belongs to its private key" };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ""));
  } catch {
    return undefined;
  }
}

/** PKCS#8 or SEC 1 (RFC 5915); a private key has its public one with it. */
function pairOfPem(pem: string): VapidPair | Fault {
  const { crv, x = "", y = "", d = "" } = jwkOfPem(pem);
  if (crv !== "P-256") return { fault: "must be a private key on the curve P-256 (prime256v1), without a passphrase" };
  const publicKey = Buffer.concat([Buffer.of(uncompressed), Buffer.from(x, "base64url"), Buffer.from(y, "base64url")]);
  return belongsTogether({ publicKey, privateKey: Buffer.from(d, "base64url") });
}

function jwkOfPem(pem: string): { crv?: string; x?: string; y?: string; d?: string } {
  try {
    return createPrivateKey(pem).export({ format: "jwk" });
  } catch {
    return {};
  }
}
