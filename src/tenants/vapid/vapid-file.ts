import { createPrivateKey } from "node:crypto";
import { z } from "zod";
import { expects } from "../../input.ts";
import { isVapidPair, type VapidPair } from "./vapid-pair.ts";

/** A key pair in the format of `web-push generate-vapid-keys --json`, base64url: moves a site between push services. */
export type VapidFile = { publicKey: string; privateKey: string };

export function writeVapidFile({ publicKey, privateKey }: VapidPair): VapidFile {
  return { publicKey: publicKey.toString("base64url"), privateKey: privateKey.toString("base64url") };
}

/** Schema of the text of a file with a key pair, JSON or PEM. Its messages never quote the text: it may be a secret. */
export const vapidText = z.string(expects("a string")).transform((text, context): VapidPair => {
  const pair = text.includes("-----BEGIN ") ? pairFromPem(text) : pairFromJson(text);
  if (!("fault" in pair)) return pair;
  context.addIssue(pair.fault);
  return z.NEVER;
});

type Fault = { fault: string };

/** First byte of an uncompressed point (SEC 1): both coordinates follow. */
const uncompressed = 4;

const base64 = z
  .string()
  .trim()
  // Some services write + and / and padding; Node.js decodes both alphabets.
  .regex(/^[\w+/-]+={0,2}$/)
  .transform((text) => Buffer.from(text, "base64url"));
const bytes = (length: number) => base64.refine((key) => key.length === length);
const jsonPair = z.object({ publicKey: bytes(65), privateKey: bytes(32) });

function pairFromJson(text: string): VapidPair | Fault {
  const { success, data } = jsonPair.safeParse(parseJson(text));
  if (!success) {
    return {
      fault:
        'must be {"publicKey","privateKey"} in JSON, 65 and 32 bytes as base64url, or a private key on P-256 as PEM',
    };
  }
  return matchingPair(data);
}

function matchingPair(pair: VapidPair): VapidPair | Fault {
  return isVapidPair(pair) ? pair : { fault: "must have a public key that belongs to its private key" };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ""));
  } catch {
    return undefined;
  }
}

/** Reads PKCS#8 or SEC 1 (RFC 5915). A private key in these formats includes its public key. */
function pairFromPem(pem: string): VapidPair | Fault {
  const { crv, x = "", y = "", d = "" } = jwkFromPem(pem);
  if (crv !== "P-256") return { fault: "must be a private key on the curve P-256 (prime256v1), without a passphrase" };
  const publicKey = Buffer.concat([Buffer.of(uncompressed), Buffer.from(x, "base64url"), Buffer.from(y, "base64url")]);
  return matchingPair({ publicKey, privateKey: Buffer.from(d, "base64url") });
}

function jwkFromPem(pem: string): { crv?: string; x?: string; y?: string; d?: string } {
  try {
    return createPrivateKey(pem).export({ format: "jwk" });
  } catch {
    return {};
  }
}
