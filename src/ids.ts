import { v7 } from "uuid";

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Generates a UUIDv7 (RFC 9562), which sorts by its time of creation. */
export function newId(): string {
  return v7();
}

/** Returns whether `text` is a UUID in its hyphenated form, upper or lower case. */
export function isId(text: string): boolean {
  return uuidPattern.test(text);
}
