import { z } from "zod";
import { faults, zodText } from "../faults.ts";
import { expects, oneOfMany, parseInput } from "../input.ts";
import type { ReceiptBuffer } from "./receipt-buffer.ts";

const kinds = ["displayed", "clicked", "dismissed", "action1", "action2"] as const;

/** The most receipts of one request. */
export const maxReceipts = 50;

const eventsInput = z.strictObject(
  {
    events: z
      .array(
        z.strictObject(
          {
            token: z.string(expects("a string")).max(200, zodText(faults.too_long({ most: 200 }))),
            kind: oneOfMany(kinds),
          },
          expects("a JSON object"),
        ),
        expects("a list"),
      )
      .min(1, zodText(faults.empty()))
      .max(maxReceipts, zodText(faults.too_large({ most: maxReceipts }))),
  },
  expects("a JSON object"),
);

/**
 * Records the events that a browser reports. The answer does not reveal which tokens are valid. Throws
 * `validation_failed` if the body has another shape.
 */
export function recordEvents(
  receipts: ReceiptBuffer,
  input: { body: unknown; origin: string | undefined; isAndroid: boolean },
): void {
  const { events } = parseInput(eventsInput, input.body);
  for (const { token, kind } of events)
    receipts.record(token, kind, { origin: input.origin, isAndroid: input.isAndroid });
}
