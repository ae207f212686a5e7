import { z } from "zod";
import { expects } from "../../input.ts";

/** Columns of a file that an import looks at. */
export const columnRoles = ["endpoint", "p256dh", "auth", "subscription", "left", "subscribed"] as const;

/**
 * What a column holds. `subscription`: the whole PushSubscription as JSON. `left`: whether the reader has unsubscribed
 * at the service that the file comes from. `subscribed`: the opposite, whether they still want notifications.
 */
export type ColumnRole = (typeof columnRoles)[number];

const column = z.int("must be the number of a column").min(0, "must be at least 0").max(999, "must be at most 999");

/** A CSV file. `columns` count from 0. `hasHeader`: the first record names the columns, and is no reader. */
export const csvLayout = z.strictObject({
  format: z.literal("csv"),
  delimiter: z.enum([",", ";", "\t", "|"], "must be a comma, semicolon, tab or |"),
  hasHeader: z.boolean("must be true or false"),
  columns: z.partialRecord(z.enum(columnRoles, `must be one of ${columnRoles.join(", ")}`), column),
});

/** `ndjson`: a subscription in each line. `json`: a list of them, or one after the other, over any number of lines. */
export const fileLayout = z.discriminatedUnion(
  "format",
  [z.strictObject({ format: z.literal("ndjson") }), z.strictObject({ format: z.literal("json") }), csvLayout],
  expects("the layout of a file"),
);

export type CsvLayout = z.output<typeof csvLayout>;
export type FileLayout = z.output<typeof fileLayout>;

/** Whether the columns are enough to find a subscription in. */
export function isComplete({ columns }: Pick<CsvLayout, "columns">): boolean {
  const { endpoint, p256dh, auth, subscription } = columns;
  return subscription !== undefined || (endpoint !== undefined && p256dh !== undefined && auth !== undefined);
}
