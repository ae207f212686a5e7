import { createHmac, type KeyObject } from "node:crypto";
import { sameBytes } from "../secret-box.ts";
import { messageTokenCharacters } from "./payload.ts";

const idBytes = 22;
const macBytes = 10;

/** The batch number in a token that all messages of a run share. Real batches count from 1. */
export const sharedBatch = 0;

/**
 * The identity of one message: its run, batch and position. It is the same for every try, so that a
 * repeat is recognised.
 */
export type MessagePlace = { runId: string; no: number; position: number };

/** Returns the id and the token of a message in one batch: see `createMessageSigner`. */
export type MessageSigner = (position: number) => { id: string; token: string };

/**
 * Returns the signer for one batch. A message id is the run (16 bytes), the batch (4) and the position (2) in
 * base64url, 30 characters. A token is the id and the first 10 bytes of its HMAC-SHA256 under `tokenKey`, 43
 * characters. It names no subscriber, so the article's URL reveals nothing about the reader.
 */
export function createMessageSigner(tokenKey: KeyObject, runId: string, no: number): MessageSigner {
  const token = Buffer.alloc(idBytes + macBytes);
  token.write(runId.replaceAll("-", ""), "hex");
  token.writeUInt32BE(no, 16);
  const id = token.subarray(0, idBytes);
  return (position) => {
    token.writeUInt16BE(position, 20);
    createHmac("sha256", tokenKey).update(id).digest().copy(token, idBytes, 0, macBytes);
    return { id: id.toString("base64url"), token: token.toString("base64url") };
  };
}

/** Returns the place of the message that a token names; undefined if no token key has signed it. */
export function readMessageToken(tokenKeys: KeyObject | KeyObject[], text: string): MessagePlace | undefined {
  if (text.length !== messageTokenCharacters || !/^[\w-]+$/.test(text)) return undefined;
  const token = Buffer.from(text, "base64url");
  const id = token.subarray(0, idBytes);
  const macOf = (key: KeyObject) => createHmac("sha256", key).update(id).digest().subarray(0, macBytes);
  if (![tokenKeys].flat().some((key) => sameBytes(macOf(key), token.subarray(idBytes)))) return undefined;
  const hex = id.toString("hex");
  const runId = [0, 8, 12, 16, 20].map((from, i, all) => hex.slice(from, all[i + 1] ?? 32)).join("-");
  return { runId, no: id.readUInt32BE(16), position: id.readUInt16BE(20) };
}
