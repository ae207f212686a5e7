import { z } from "zod";
import { faults, zodText } from "../../faults.ts";
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
  .regex(/^[a-z][a-z0-9_]{0,29}$/, zodText(faults.not_a_fact_name()))
  .refine((name) => !identifier.test(name), zodText(faults.identifies_reader()));

const factValue = lineOfText(40).refine((value) => !value.includes("@"), zodText(faults.identifies_reader()));

const declaredFact = z
  .strictObject(
    {
      name: factName,
      label: lineOfText(60).optional(),
      values: z
        .array(factValue, zodText(faults.wrong_type({ type: "a list of values" })))
        .min(1, zodText(faults.empty()))
        .max(maxFactValues, zodText(faults.too_many_values({ most: maxFactValues })))
        .transform((values) => [...new Set(values)]),
    },
    expects("a JSON object"),
  )
  .transform(({ name, label = name, values }): DeclaredFact => ({ name, label, values }));

/** The schema of all facts of a site. `label`: the text that readers see; by default the name. */
export const declaredFacts = z
  .array(declaredFact, zodText(faults.wrong_type({ type: "a list of facts" })))
  .max(maxFacts, zodText(faults.too_many_facts({ most: maxFacts })))
  .check(({ value: facts, issues }) => {
    facts.forEach(({ name }, at) => {
      if (facts.findIndex((fact) => fact.name === name) < at)
        issues.push({ code: "custom", input: name, path: [at, "name"], message: zodText(faults.same_fact()) });
    });
  });

/** Returns whether a site has declared a fact with this value. */
export function isDeclared(declared: DeclaredFact[], name: string, value: string): boolean {
  return declared.some((fact) => fact.name === name && fact.values.includes(value));
}
