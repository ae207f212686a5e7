import { z } from "zod";
import { expects, lineOfText } from "../../input.ts";

/**
 * A fact that the site's pages may state about a reader, such as their plan. An owner declares it with all its
 * values.
 */
export type DeclaredFact = { name: string; label: string; values: string[] };

export const maxFacts = 8;
export const maxFactValues = 20;

/** Names that identify a reader. Values are declared in advance, so this check only saves a useless attempt. */
const identifier = /(^|_)(id|uid|uuid|user|username|login|e?mail|phone|address|ip)(_|$)/;

const factName = z
  .string(expects("a string"))
  .regex(/^[a-z][a-z0-9_]{0,29}$/, "must be 1 to 30 small letters, digits or _, and begin with a letter")
  .refine((name) => !identifier.test(name), "must not be an identifier of a reader");

const factValue = lineOfText(40).refine((value) => !value.includes("@"), "must not be an identifier of a reader");

const declaredFact = z
  .strictObject(
    {
      name: factName,
      label: lineOfText(60).optional(),
      values: z
        .array(factValue, "must be a list of values")
        .min(1, "must not be empty")
        .max(maxFactValues, `must be at most ${maxFactValues} values`)
        .transform((values) => [...new Set(values)]),
    },
    expects("a JSON object"),
  )
  .transform(({ name, label = name, values }): DeclaredFact => ({ name, label, values }));

/** The schema of all facts of a site. `label`: the text that readers see; by default the name. */
export const declaredFacts = z
  .array(declaredFact, "must be a list of facts")
  .max(maxFacts, `must be at most ${maxFacts} facts`)
  .check(({ value: facts, issues }) => {
    facts.forEach(({ name }, at) => {
      if (facts.findIndex((fact) => fact.name === name) < at)
        issues.push({ code: "custom", input: name, path: [at, "name"], message: "is the name of another fact" });
    });
  });

/** Returns whether a site has declared a fact with this value. */
export function isDeclared(declared: DeclaredFact[], name: string, value: string): boolean {
  return declared.some((fact) => fact.name === name && fact.values.includes(value));
}
