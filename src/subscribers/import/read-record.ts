import { faults } from "../../faults.ts";
import type { Message } from "../../messages.ts";
import { type EndKind, endOfName, readSubscribed, saysLeft } from "./end-columns.ts";
import type { CsvLayout } from "./file-layout.ts";
import { type Field, flatten, objectIn } from "./flatten.ts";
import { guessColumns, isFcmToken } from "./guess-columns.ts";

/** The content of a record: what should be a subscription, or the reason why there is none. */
export type ReadRecord = { input: unknown } | { fault: Message };

/** Reads a record that is JSON. */
export function readJsonText(text: string): ReadRecord {
  try {
    return readObject(JSON.parse(text));
  } catch {
    return { fault: faults.not_valid_json() };
  }
}

/**
 * Finds endpoint, keys and topics in an object. Accepts various names and places: `keys` or its members, `publicKey`
 * and `authToken`, all of them within `subscription`, or any of them as text. A reader who has left is a fault.
 */
export function readObject(value: unknown): ReadRecord {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return { input: value };
  const fields = flatten(value);
  if (fields.some(isEnd)) return { fault: faults.left_elsewhere() };
  const { endpoint, p256dh, auth } = guessColumns(
    fields.map(({ name }) => name),
    [fields.map(({ cell }) => cell)],
    ["endpoint", "p256dh", "auth"],
  );
  const cellAt = (at: number | undefined) => (at === undefined ? undefined : fields[at]!.cell.trim());
  const { topics, subscription } = value as { topics?: unknown; subscription?: { topics?: unknown } | null };
  const address = cellAt(endpoint);
  return {
    input: {
      endpoint:
        address !== undefined && isFcmToken(address) ? `https://fcm.googleapis.com/fcm/send/${address}` : address,
      keys: { p256dh: cellAt(p256dh), auth: cellAt(auth) },
      topics: topics ?? subscription?.topics,
    },
  };
}

/** Reads a record of CSV by the columns of its file, as if it were an object. */
export function readCells(record: string[], { columns }: CsvLayout): ReadRecord {
  const cell = (at: number | undefined) => (at === undefined ? undefined : (record[at]?.trim() ?? ""));
  const { left = [], subscribed = [], subscription, endpoint, keys, p256dh, auth } = columns;
  if (
    left.some((at) => cellSaysLeft("left", cell(at)!)) ||
    subscribed.some((at) => cellSaysLeft("subscribed", cell(at)!))
  )
    return { fault: faults.left_elsewhere() };
  if (subscription !== undefined && endpoint === undefined) {
    const found = objectIn(cell(subscription));
    return found === undefined ? readJsonText(cell(subscription)!) : readObject(found);
  }
  const wrapped = objectIn(cell(keys)) ?? objectIn(cell(subscription)) ?? {};
  return readObject({ endpoint: cell(endpoint), keys: wrapped, ...named({ p256dh: cell(p256dh), auth: cell(auth) }) });
}

function named(cells: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(Object.entries(cells).filter(([, cell]) => cell !== undefined)) as Record<string, string>;
}

/**
 * Returns whether a cell of CSV says that the reader has left. For a cell with JSON, what its members or wrapped
 * values say counts.
 */
function cellSaysLeft(kind: EndKind, cell: string): boolean {
  const within = objectIn(cell);
  const fields = within === undefined ? [{ name: "", cell }] : flatten(within);
  const says = (value: string) => (kind === "left" ? saysLeft(value) : readSubscribed(value, "types") === "left");
  return fields.some((field) => (kind === "left" || field.name === "" ? says(field.cell) : isEnd(field)));
}

function isEnd({ name, cell }: Field): boolean {
  const kind = endOfName(name);
  return kind === "left" ? saysLeft(cell) : kind === "subscribed" && readSubscribed(cell, name) === "left";
}
