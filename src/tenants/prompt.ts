import { z } from "zod";
import { expects } from "../input.ts";

/** The soft prompt: what a page asks in its own words before the browser asks in its own. */
export type Prompt = {
  /** `off`: only what the page itself calls asks. */
  mode: "soft" | "off";
  /** From the page's load until the prompt. */
  delaySeconds: number;
  title: string;
  body: string;
  accept: string;
  later: string;
  /** After "later" it is not shown again for so long. */
  repeatDays: number;
  /** Shown instead where notifications need the site on the home screen first (iOS). */
  install: string;
};

/** What a site does not set. */
const defaultPrompt: Prompt = {
  mode: "soft",
  delaySeconds: 5,
  title: "Breaking news as it happens?",
  body: "We can notify you when something important is published. You can turn this off at any time.",
  accept: "Yes, please",
  later: "Not now",
  repeatDays: 30,
  install: "To be notified on this device, add this site to your home screen and open it from there.",
};

/** The prompt of a site, from what it sets of it. */
export function promptOf(set: Partial<Prompt>): Prompt {
  return { ...defaultPrompt, ...set };
}

const text = (max: number) =>
  z
    .string(expects("a string"))
    .trim()
    .min(1, "must not be empty")
    .max(max, `must have at most ${max} characters`)
    .regex(/^[^\p{Cc}\p{Bidi_Control}]*$/u, "must not contain control characters");

const whole = (min: number, max: number) => {
  const message = `must be a whole number from ${min} to ${max}`;
  return z.int(message).min(min, message).max(max, message);
};

/** What may be changed of a prompt. Absent: it stays. Null: the default again. */
export const promptChange = z.strictObject({
  mode: z.enum(["soft", "off"], "must be soft or off").nullish(),
  delaySeconds: whole(0, 600).nullish(),
  title: text(80).nullish(),
  body: text(240).nullish(),
  accept: text(40).nullish(),
  later: text(40).nullish(),
  repeatDays: whole(1, 365).nullish(),
  install: text(240).nullish(),
});
