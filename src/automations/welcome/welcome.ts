import { z } from "zod";
import { expects, uuid, wholeNumber } from "../../input.ts";
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
    onlyUnclicked: z.boolean("must be true or false").default(false),
  },
  jsonObject,
);

/** The body of a change. Absent fields stay. */
export const welcomeChange = z.strictObject(
  {
    enabled: z.boolean("must be true or false").optional(),
    steps: z.array(welcomeStep, "must be a list").max(maxSteps, `must be at most ${maxSteps}`).optional(),
  },
  jsonObject,
);
