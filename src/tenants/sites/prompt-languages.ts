import { type RawBuilder, sql } from "kysely";
import { z } from "zod";
import { faults, zodText } from "../../faults.ts";
import { lineOfText } from "../../input.ts";

/** The texts of a prompt. */
export type PromptWords = {
  title: string;
  body: string;
  accept: string;
  later: string;
  /** The text instead of `body` where notifications need the site on the home screen first (iOS). */
  install: string;
  /** The link to the page on which readers choose, if the site has one. */
  choose: string;
  /** The text above the topics. */
  topicsLabel: string;
  /** The label of the box that ticks all topics. */
  allTopics: string;
};

/** Returns the words of a prompt, without its other fields. */
export function wordsOf(prompt: PromptWords): PromptWords {
  const { title, body, accept, later, install, choose, topicsLabel, allTopics } = prompt;
  return { title, body, accept, later, install, choose, topicsLabel, allTopics };
}

/**
 * The texts by language of the page, such as `de` or `pt-BR`. The site's own text replaces one that a language lacks.
 */
export type PromptLanguages = Record<string, Partial<PromptWords>>;

/** The most languages of a prompt, besides its own. */
export const maxPromptLanguages = 8;

/** A change of texts. An absent text stays as it is. Null sets the default. */
export const promptWordsChange = {
  title: lineOfText(80).nullish(),
  body: lineOfText(240).nullish(),
  accept: lineOfText(40).nullish(),
  later: lineOfText(40).nullish(),
  install: lineOfText(240).nullish(),
  choose: lineOfText(80).nullish(),
  topicsLabel: lineOfText(80).nullish(),
  allTopics: lineOfText(40).nullish(),
};

/** A change of languages. Languages that are not named stay as they are. Null removes a language. */
export const promptLanguagesChange = z
  .record(z.string(), z.strictObject(promptWordsChange).nullable(), zodText(faults.not_texts_by_language()))
  .superRefine((languages, context) => {
    for (const name of Object.keys(languages)) {
      if (isLanguage(name)) continue;
      context.addIssue({ code: "custom", path: [name], message: zodText(faults.not_a_language()) });
    }
  });

/**
 * Returns whether a text is the name of a language (BCP 47) as browsers write it, so that no two names mean one
 * language.
 */
function isLanguage(name: string): boolean {
  try {
    return name.length <= 35 && Intl.getCanonicalLocales(name)[0] === name;
  } catch {
    return false;
  }
}

/**
 * Returns the texts for a page, by the language that the page names (`<html lang>`): `de_CH` gets the texts of
 * `de-CH`, or else of `de`. Returns no texts if there are none, or if the page names no language.
 */
export function wordsFor(languages: PromptLanguages, named: string): Partial<PromptWords> {
  const byName = new Map(Object.entries(languages).map(([name, words]) => [name.toLowerCase(), words]));
  const parts = named.slice(0, 35).replaceAll("_", "-").toLowerCase().split("-");
  for (; parts.length > 0; parts.pop()) {
    const words = byName.get(parts.join("-"));
    if (words !== undefined) return words;
  }
  return {};
}

/**
 * Returns SQL: the prompt of a site's row with a change of its languages. Languages that the change does not name
 * stay.
 */
export function promptWithLanguages(
  prompt: RawBuilder<unknown>,
  languages: Record<string, object | null> | null | undefined,
): RawBuilder<unknown> {
  if (languages === undefined) return prompt;
  if (languages === null) return sql`((${prompt}) - 'languages')`;
  const merged = sql`jsonb_strip_nulls(coalesce(prompt->'languages', '{}') || (
    select coalesce(jsonb_object_agg(key, case jsonb_typeof(value) when 'null' then value
      else coalesce(prompt->'languages'->key, '{}') || value end), '{}')
    from jsonb_each(${JSON.stringify(languages)}::jsonb)))`;
  return sql`(${prompt} || jsonb_build_object('languages', nullif(${merged}, '{}')))`;
}
