import { endOfName, looksLikeEnd, readSubscribed } from "./end-columns.ts";
import type { Columns } from "./file-layout.ts";
import { type Field, objectIn } from "./flatten.ts";

/**
 * The columns of a file that say who has left. `used`: the columns by which readers are left out. `unused`: other
 * columns that look as if they said who has left. It also has used columns with values that are not understood, and at
 * most five of these `values`.
 */
export type Ends = { used: string[]; unused: { name: string; values?: string[] }[] };

const maxNames = 50;
const maxValues = 5;
const maxLength = 60;

/** Returns the ends of a table with these columns. */
export function endsOfTable(header: string[], records: string[][], columns: Columns): Ends {
  const { left = [], subscribed = [], ...others } = columns;
  const taken = new Set(Object.values(others));
  const isUsed = (at: number) => left.includes(at) || subscribed.includes(at);
  const used = header.filter((_, at) => isUsed(at));
  const unused = header.flatMap((name, at) => {
    if (taken.has(at)) return [];
    if (!isUsed(at)) return looksLikeEnd(name) ? [{ name }] : [];
    return subscribed.includes(at)
      ? notUnderstood(
          name,
          records.map((record) => record[at] ?? ""),
        )
      : [];
  });
  return shortened({ used, unused });
}

/** Returns the ends among the members of objects. */
export function endsOfFields(fields: Field[]): Ends {
  const cells = Map.groupBy(fields, ({ name }) => name);
  const names = [...cells.keys()];
  const used = names.filter((name) => endOfName(name) !== undefined);
  const unused = names.flatMap((name) => {
    const kind = endOfName(name);
    if (kind === undefined) return looksLikeEnd(name) ? [{ name }] : [];
    return kind === "subscribed"
      ? notUnderstood(
          name,
          cells.get(name)!.map(({ cell }) => cell),
        )
      : [];
  });
  return shortened({ used, unused });
}

function notUnderstood(name: string, values: string[]): Ends["unused"] {
  const unknown = new Set(
    values.filter((value) => objectIn(value) === undefined && readSubscribed(value, name) === "unknown"),
  );
  return unknown.size === 0 ? [] : [{ name, values: [...unknown].slice(0, maxValues).map(short) }];
}

const short = (text: string) => text.trim().slice(0, maxLength);

function shortened({ used, unused }: Ends): Ends {
  return {
    used: used.slice(0, maxNames).map(short),
    unused: unused.slice(0, maxNames).map((one) => ({ ...one, name: short(one.name) })),
  };
}
