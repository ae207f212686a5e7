import { z } from "zod";
import { faults, zodText } from "../../faults.ts";
import { expects, flag, uuid, wholeNumber } from "../../input.ts";
import type { AutomationFigures } from "../figures.ts";
import { type AutomatedNudge, nudgeFields } from "../nudge-fields.ts";

export const maxSteps = 4;
export const maxDays = 30;

/** A notification to each new reader, `afterDays` days after they subscribed; 0: within a minute. */
export type WelcomeStep = AutomatedNudge & {
  afterDays: number;
  /** Only readers who have chosen this topic get it. Null: all readers. */
  topicId: string | null;
  /** Only readers who have not clicked a notification yet get it. */
  onlyUnclicked: boolean;
};

/** The notifications to a site's new readers. The steps stay while it is off. */
export type Welcome = { enabled: boolean; steps: WelcomeStep[] };

/** The figures of a step, by its number from 1. */
export type StepFigures = AutomationFigures & { step: number };

const jsonObject = expects("a JSON object");

export const welcomeStep = z.strictObject(
  {
    afterDays: wholeNumber(0, maxDays),
    ...nudgeFields,
    topicId: uuid.nullish().transform((id) => id ?? null),
    onlyUnclicked: flag.default(false),
  },
  jsonObject,
);

/** The body of a change. Absent fields stay. */
export const welcomeChange = z.strictObject(
  {
    enabled: flag.optional(),
    steps: z
      .array(welcomeStep, zodText(faults.wrong_type({ type: "a list" })))
      .max(maxSteps, zodText(faults.too_large({ most: maxSteps })))
      .optional(),
  },
  jsonObject,
);
