import { z } from "zod";
import { faults, zodText } from "../../faults.ts";
import { expects } from "../../input.ts";
import type { Message } from "../../messages.ts";
import { isPem, readPrivateKey, readPublicKey } from "./key-forms.ts";
import { isVapidPair, type VapidPair } from "./vapid-pair.ts";

/**
 * A key pair in the format of `web-push generate-vapid-keys --json`, base64url. It moves a site between push
 * services.
 */
export type VapidFile = { publicKey: string; privateKey: string };

export function writeVapidFile({ publicKey, privateKey }: VapidPair): VapidFile {
  return { publicKey: publicKey.toString("base64url"), privateKey: privateKey.toString("base64url") };
}

/**
 * The schema of the text of a file with a key pair, in the forms that other tools write: JSON with publicKey and
 * privateKey, a JWK, PEM, or lines such as `VAPID_PUBLIC_KEY=…`. Its messages never quote the text, which may be a
 * secret.
 */
export const vapidText = z.string(expects("a string")).transform((text, context): VapidPair => {
  const stated = partsOf(text.replace(/^\ufeff/, ""));
  const pair = stated === undefined ? { fault: noPair } : toPair(stated);
  if (!("fault" in pair)) return pair;
  context.addIssue(zodText(pair.fault));
  return z.NEVER;
});

const noPair = faults.not_a_key_pair({ json: '{"publicKey","privateKey"}' });

/** The parts of a pair, in any form. Without `publicKey`, the private key must contain the public key. */
type StatedPair = { privateKey: unknown; publicKey?: unknown };

function toPair(stated: StatedPair): VapidPair | { fault: Message } {
  const read = readPrivateKey(stated.privateKey);
  if (read === "otherKind") {
    return { fault: faults.not_a_private_key() };
  }
  const publicKey = stated.publicKey === undefined ? read?.publicKey : readPublicKey(stated.publicKey);
  if (read === undefined || publicKey === undefined) return { fault: noPair };
  const pair = { publicKey, privateKey: read.privateKey };
  return isVapidPair(pair) ? pair : { fault: faults.not_its_public_key() };
}

function partsOf(text: string): StatedPair | undefined {
  const value = parseJson(text);
  if (typeof value === "object" && value !== null) return partsOfJson(value as Record<string, unknown>);
  if (isPem(text)) return { privateKey: text };
  const [privateKey, publicKey] = [inLine(text, "private"), inLine(text, "public")];
  return privateKey && publicKey ? { privateKey, publicKey } : undefined;
}

/**
 * Returns the pair in a JWK, in a set of one JWK (RFC 7517, section 5), or under names such as publicKey, public_key
 * or VAPID_PUBLIC_KEY.
 */
function partsOfJson(json: Record<string, unknown>): StatedPair | undefined {
  if ("kty" in json) return { privateKey: json };
  if (Array.isArray(json.keys) && json.keys.length === 1) return partsOfJson(Object(json.keys[0]));
  return { privateKey: named(json, "privatekey"), publicKey: named(json, "publickey") };
}

function named(json: Record<string, unknown>, ending: string): unknown {
  const names = Object.keys(json).filter((name) =>
    name
      .replace(/[^a-z]/gi, "")
      .toLowerCase()
      .endsWith(ending),
  );
  return names.length === 1 ? json[names[0]!] : undefined;
}

/**
 * Returns the value after a name in a file of settings, or in the line below the name, as `web-push
 * generate-vapid-keys` prints it.
 */
function inLine(text: string, which: "private" | "public"): string | undefined {
  return new RegExp(`${which}[ _-]?key["']?\\s*[:=]\\s*["']?([\\w+/-]+={0,2})`, "i").exec(text)?.[1];
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
