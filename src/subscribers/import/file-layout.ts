import { z } from "zod";
import { faults, zodText } from "../../faults.ts";
import { expects, flag, oneOf } from "../../input.ts";

/**
 * What a column of a file holds. `keys`: `p256dh` and `auth` as JSON. `subscription`: the whole PushSubscription as
 * JSON.
 */
export const columnRoles = ["endpoint", "p256dh", "auth", "keys", "subscription"] as const;
export type ColumnRole = (typeof columnRoles)[number];

const column = z
  .int(zodText(faults.wrong_type({ type: "the number of a column" })))
  .min(0, zodText(faults.too_small({ least: 0 })))
  .max(999, zodText(faults.too_large({ most: 999 })));
export const maxEndColumns = 50;
const columnsOfEnd = z
  .array(column, zodText(faults.wrong_type({ type: "a list of columns" })))
  .max(maxEndColumns, zodText(faults.too_many_columns({ most: maxEndColumns })));

/**
 * A CSV file. `columns` count from 0. `left` and `subscribed` list any number of columns that say who has left (see
 * `EndKind`). `hasHeader`: the first record names the columns and is no reader.
 */
export const csvLayout = z.strictObject({
  format: z.literal("csv"),
  delimiter: oneOf([",", ";", "\t", "|"], "a comma, semicolon, tab or |"),
  hasHeader: flag,
  columns: z.strictObject(
    {
      ...(Object.fromEntries(columnRoles.map((role) => [role, column.optional()])) as Record<
        ColumnRole,
        z.ZodOptional<typeof column>
      >),
      left: columnsOfEnd.optional(),
      subscribed: columnsOfEnd.optional(),
    },
    expects("the columns of a file"),
  ),
});

/**
 * `ndjson`: a subscription in each line. `json`: a list of subscriptions, or one after the other, over any number of
 * lines.
 */
export const fileLayout = z.discriminatedUnion(
  "format",
  [z.strictObject({ format: z.literal("ndjson") }), z.strictObject({ format: z.literal("json") }), csvLayout],
  expects("the layout of a file"),
);

export type CsvLayout = z.output<typeof csvLayout>;
export type FileLayout = z.output<typeof fileLayout>;
export type Columns = CsvLayout["columns"];

/** Returns whether the columns are enough to find a subscription. */
export function isComplete({ columns }: Pick<CsvLayout, "columns">): boolean {
  const { endpoint, p256dh, auth, keys, subscription } = columns;
  const hasKeys = keys !== undefined || (p256dh !== undefined && auth !== undefined);
  return subscription !== undefined || (endpoint !== undefined && hasKeys);
}
