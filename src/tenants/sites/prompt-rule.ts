import { z } from "zod";
import { faults, zodText } from "../../faults.ts";
import { wholeNumber } from "../../input.ts";

/** The rule for when a prompt appears by itself, and on which pages. */
export type PromptRule = {
  /** The prompt appears from the reader's Nth page of the site on. `fromVisit`: from their Nth visit on. */
  fromPage: number;
  fromVisit: number;
  /** How long the page is in view before the prompt appears. */
  delaySeconds: number;
  /** How much of the article the reader has read before the prompt appears. */
  scrollPercent: number;
  /**
   * The only paths on which the prompt appears. `neverPaths`: paths on which it does not. `*` stands for any
   * characters.
   */
  onlyPaths: string[];
  neverPaths: string[];
};

/** The most paths in `onlyPaths`, and the most in `neverPaths`. */
export const maxPromptPaths = 20;

/** Paths as browsers write them: other characters are percent-encoded. */
const promptPaths = z
  .array(
    z
      .string()
      .regex(/^\/[^\s?#]{0,199}$/, zodText(faults.not_path_patterns()))
      .transform((path) => new URL(`https://site.invalid${path}`).pathname),
    zodText(faults.wrong_type({ type: "a list of paths" })),
  )
  .max(maxPromptPaths, zodText(faults.too_many_paths({ most: maxPromptPaths })))
  .transform((all) => [...new Set(all)]);

/** A change of the rule. An absent field stays as it is. Null sets the default. */
export const promptRuleChange = {
  fromPage: wholeNumber(1, 100).nullish(),
  fromVisit: wholeNumber(1, 100).nullish(),
  delaySeconds: wholeNumber(0, 600).nullish(),
  scrollPercent: wholeNumber(0, 100).nullish(),
  onlyPaths: promptPaths.nullish(),
  neverPaths: promptPaths.nullish(),
};

/** Returns the rule of a prompt, without its other fields. */
export function ruleOf({
  fromPage,
  fromVisit,
  delaySeconds,
  scrollPercent,
  onlyPaths,
  neverPaths,
}: PromptRule): PromptRule {
  return { fromPage, fromVisit, delaySeconds, scrollPercent, onlyPaths, neverPaths };
}
