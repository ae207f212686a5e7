import type { AuditEventView } from "../api/calls.ts";
import { count, people } from "../components/numbers.ts";
import { timeIn } from "../components/said.tsx";
import { isTime } from "../components/translated.ts";
import { words } from "../words/words.ts";

/**
 * Returns the details of an event in one line. A changed setting has its old and new value, and any other fact its
 * name. Moments are in `timeZone`.
 */
export function detailsOf({ details }: AuditEventView, timeZone: string): string {
  const shown = (value: unknown) => shownIn(timeZone, value);
  const {
    changes,
    change,
    audience,
    audienceExact,
    askedBy: _,
    importId: _id,
    part: _part,
    ...rest
  } = details as Details;
  const to = audience === undefined ? [] : [words.audit.to({ people: people(audience, audienceExact ?? true) })];
  const facts = Object.entries({ ...rest, ...change }).map(([name, value]) => `${splitWords(name)} ${shown(value)}`);
  const steps = Object.entries(changes ?? {}).map(
    ([name, { from, to }]) => `${splitWords(name)}: ${shown(from)} → ${shown(to)}`,
  );
  return [...to, ...facts, ...steps].join(" · ");
}

type Change = { from: unknown; to: unknown };
type Details = {
  changes?: Record<string, Change>;
  change?: object;
  audience?: number;
  audienceExact?: boolean;
  askedBy?: string;
  importId?: string;
  part?: number;
};

/** Splits a camel-case name: `dailyLimit` becomes "daily limit". */
function splitWords(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

function shownIn(timeZone: string, value: unknown): string {
  const shown = (part: unknown) => shownIn(timeZone, part);
  if (value === null || value === undefined) return words.audit.none;
  if (typeof value === "boolean") return value ? words.audit.yes : words.audit.no;
  if (typeof value === "number") return count(value);
  if (Array.isArray(value)) return value.map(shown).join(", ") || words.audit.none;
  if (isTime(value)) return timeIn(timeZone, value);
  if (typeof value !== "object") return String(value);
  const members = Object.entries(value).map(([name, member]) => `${splitWords(name)} ${shown(member)}`);
  return members.join(", ") || words.audit.none;
}
