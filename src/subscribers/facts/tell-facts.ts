import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import type { Tx } from "../../db/pool.ts";
import { expects } from "../../input.ts";
import { type DeclaredFact, isDeclared } from "../../tenants/sites/declared-facts.ts";
import { type Facts, factsOf, updateFacts } from "./queries.ts";

/** A fact that the site has said of a reader, as the reader sees it. */
export type ToldFact = { name: string; label: string; value: string };

/** What a page says of its reader: values by the names of their facts. "" takes the fact back. */
export const toldFacts = z.record(z.string(), z.string(expects("a string")), expects("a JSON object"));

/**
 * Stores what a page says of a subscriber. Ignores what the site has not declared and what the reader has removed.
 * Facts that the page does not name stay as they are.
 */
export async function tellFacts(
  tx: Tx,
  siteId: string,
  subscriberId: number,
  told: Record<string, string>,
): Promise<void> {
  await change(tx, siteId, subscriberId, (facts, declared) => {
    const isOpen = ([name, value]: [string, string]) =>
      !(Object.hasOwn(facts, name) && facts[name] === null) && (value === "" || isDeclared(declared, name, value));
    const changed = { ...facts, ...Object.fromEntries(Object.entries(told).filter(isOpen)) };
    return Object.fromEntries(Object.entries(changed).filter(([, value]) => value !== ""));
  });
}

/**
 * Removes a fact because the reader wants it. No page can set it again. A name that the site does not declare changes
 * nothing.
 */
export async function removeFact(tx: Tx, siteId: string, subscriberId: number, name: string): Promise<void> {
  await change(tx, siteId, subscriberId, (facts, declared) =>
    declared.some((fact) => fact.name === name) ? { ...facts, [name]: null } : facts,
  );
}

async function change(
  tx: Tx,
  siteId: string,
  subscriberId: number,
  changed: (facts: Facts, declared: DeclaredFact[]) => Facts,
): Promise<void> {
  const { facts, declared } = await factsOf(tx, siteId, subscriberId, true);
  const after = changed(facts, declared);
  if (!isDeepStrictEqual(after, facts)) await updateFacts(tx, siteId, subscriberId, after);
}

/** Returns what the site has said of a subscriber, in the order in which the site declares its facts. */
export async function viewFacts(tx: Tx, siteId: string, subscriberId: number): Promise<ToldFact[]> {
  const { facts, declared } = await factsOf(tx, siteId, subscriberId, false);
  return declared.flatMap(({ name, label, values }) => {
    const value = Object.hasOwn(facts, name) ? facts[name] : null;
    return typeof value === "string" && values.includes(value) ? [{ name, label, value }] : [];
  });
}
