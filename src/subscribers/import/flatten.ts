/** A value of a record. `name`: the names that lead to it, joined by dots: `keys.p256dh`. */
export type Field = { name: string; cell: string };

const maxDepth = 6;
const maxFields = 300;
/** Names of members with what a publisher has noted of a reader. The publisher chose the names within them. */
const ofPublishers = /^(?:tags|topics|segments|labels|custom\w*|traits|interests)$/i;
/** Members that only wrap a value, in MongoDB, Firestore and DynamoDB. */
const wrappers = /^(?:\$\w+|_?seconds|S|N|BOOL)$/;

/**
 * Returns the texts, numbers and truth values of an object, of the objects within it, and of JSON that is stored as
 * text.
 */
export function flatten(object: object): Field[] {
  const fields: Field[] = [];
  const add = (name: string, value: unknown, depth: number): void => {
    if (fields.length >= maxFields) return;
    const inner = unwrap(value);
    if (typeof inner !== "object" || inner === null) {
      fields.push({ name, cell: inner === null || inner === undefined ? "" : String(inner) });
      return;
    }
    if (Array.isArray(inner) || depth >= maxDepth || isOfPublisher(name)) return;
    for (const [key, member] of Object.entries(inner)) add(name === "" ? key : `${name}.${key}`, member, depth + 1);
  };
  add("", object, 0);
  return fields;
}

/** Returns the object that a text holds as JSON, or undefined. */
export function objectIn(text: unknown): object | undefined {
  if (typeof text !== "string" || !/^\s*["{]/.test(text)) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "string") return objectIn(value);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Returns whether a name is one of those with a publisher's notes of a reader. They are not looked into. */
export const isOfPublisher = (name: string) => ofPublishers.test(ownName(name));

/** Returns the last part of a name. */
export const ownName = (name: string) => name.slice(name.lastIndexOf(".") + 1);

/** Unwraps a value: takes it out of what only wraps it, such as `{ "$date": … }`, and out of a text that is JSON. */
function unwrap(value: unknown): unknown {
  let inner = value;
  for (let depth = 0; depth < maxDepth; depth++) {
    if (typeof inner === "string") return objectIn(inner) ?? inner;
    if (typeof inner !== "object" || inner === null || Array.isArray(inner)) return inner;
    const [first, ...more] = Object.entries(inner);
    if (first?.[0] === "NULL" && more.length === 0) return null;
    const isWrapper =
      first !== undefined && wrappers.test(first[0]) && (more.length === 0 || /seconds$/.test(first[0]));
    if (!isWrapper) return inner;
    inner = first[1];
  }
  return inner;
}
