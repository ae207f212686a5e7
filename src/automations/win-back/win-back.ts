import { z } from "zod";
import { expects, flag, oneOf, wholeNumber } from "../../input.ts";
import type { AutomationFigures } from "../figures.ts";
import { type AutomatedNudge, nudgeFields } from "../nudge-fields.ts";

export const minDays = 7;
export const maxDays = 365;

/** Days from the acceptance of a win-back to the removal of a reader who was not seen since. */
export const daysToReturn = 14;

/** The notification to a site's readers who were not seen for `afterDays` days. Its text stays while it is off. */
export type WinBack = AutomatedNudge & {
  enabled: boolean;
  afterDays: number;
  /** What becomes of readers who do not come back within `daysToReturn` days. */
  afterwards: "keep" | "remove";
};

/** The win-back of a site that never had one. */
export const noWinBack: WinBack = {
  enabled: false,
  afterDays: 60,
  title: "",
  body: "",
  url: "",
  imageUrl: null,
  afterwards: "keep",
};

/** What readers did with win-backs, and how many were removed because they did not come back. */
export type WinBackFigures = AutomationFigures & { removed: number };

/** The schema of a complete win-back, which is required while it is on. */
export const wholeWinBack = z.strictObject(
  {
    enabled: flag,
    afterDays: wholeNumber(minDays, maxDays),
    ...nudgeFields,
    afterwards: oneOf(["keep", "remove"], '"keep" or "remove"'),
  },
  expects("a JSON object"),
);

/** The body of a change. Absent fields stay. */
export const winBackChange = wholeWinBack.partial();
