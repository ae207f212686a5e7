import { type RawBuilder, sql } from "kysely";
import { z } from "zod";
import { faults, zodText } from "../../faults.ts";
import {
  maxPromptLanguages,
  type PromptLanguages,
  type PromptWords,
  promptLanguagesChange,
  promptWordsChange,
} from "./prompt-languages.ts";
import { type PromptRule, promptRuleChange } from "./prompt-rule.ts";

/** The fields in which two prompts of a site may differ, in one language. */
export type PromptSide = PromptWords & PromptRule;

/** The fields in which a second prompt differs from the site's own prompt: texts, and when it appears. */
export type OtherPrompt = Partial<PromptSide & { languages: PromptLanguages }>;

/**
 * A change of the second prompt. Absent leaves it as it is. Null ends the comparison. An object replaces the former
 * one.
 */
export const otherPromptChange = z
  .strictObject(
    { ...promptWordsChange, ...promptRuleChange, languages: promptLanguagesChange.nullish() },
    zodText(faults.wrong_type({ type: "a JSON object or null" })),
  )
  .superRefine(({ languages }, context) => {
    if (Object.keys(languages ?? {}).length <= maxPromptLanguages) return;
    context.addIssue({
      code: "custom",
      path: ["languages"],
      message: zodText(faults.too_many_languages({ most: maxPromptLanguages })),
    });
  })
  .nullish();

/** The fields that both prompts share. A change of them leaves the comparison as it is. */
const common = ["mode", "consent", "repeatDays", "topicIds", "comparedSince"];

/**
 * Returns SQL: the prompt of a site's row after a change, without nulls. `comparedSince` is the time when the
 * comparison began or one of its sides changed, because earlier figures belong to other prompts. `changed`: SQL of
 * the prompt with the change.
 */
export function promptWithComparison(changed: RawBuilder<unknown>): RawBuilder<unknown> {
  const since = sql`to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
  return sql`(select case when after -> 'other' is null then after - 'comparedSince'
      when after - ${common}::text[] = prompt - ${common}::text[] then after
      else after || jsonb_build_object('comparedSince', ${since}) end
    from (select jsonb_strip_nulls(${changed}) as after) as changed)`;
}
