import { v7 } from "uuid";

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** A new UUIDv7 (RFC 9562): sorts by the time of its making. */
export function newId(): string {
  return v7();
}

/** Whether `text` is a UUID in its usual spelling, upper or lower case. */
export function isId(text: string): boolean {
  return uuidPattern.test(text);
}
