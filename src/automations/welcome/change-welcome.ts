import { isDeepStrictEqual } from "node:util";
import type { Actor } from "../../actor.ts";
import type { App } from "../../app.ts";
import { recordAuditEvent } from "../../audit/record-event.ts";
import { type Executor, inTenant } from "../../db/pool.ts";
import { type FieldFault, invalidFields } from "../../errors.ts";
import { fault, faults } from "../../faults.ts";
import { faultsOf } from "../../input.ts";
import type { Message } from "../../messages.ts";
import { isWelcome } from "../../runs/kinds.ts";
import { changesBetween } from "../../tenants/changes.ts";
import type { Site } from "../../tenants/sites/site.ts";
import { siteOfActor } from "../../tenants/sites/site-of-actor.ts";
import { unknownTopics } from "../../tenants/topics/queries.ts";
import { figuresByLabel } from "../figures.ts";
import { sizeFaults, validFields } from "../nudge-fields.ts";
import { lockWelcome, upsertWelcome, welcomeOfSite } from "./queries.ts";
import { movesBetween } from "./under-way.ts";
import {
  maxDays,
  maxSteps,
  type StepFigures,
  type Welcome,
  type WelcomeStep,
  welcomeChange,
  welcomeStep,
} from "./welcome.ts";

const figuresDays = 30;

/** Returns the welcome of a site of the actor's tenant. Throws `not_found`. */
export async function readWelcome(app: App, actor: Actor, { siteId }: { siteId: string }): Promise<Welcome> {
  await siteOfActor(app.db, actor, siteId);
  return welcomeOr(await welcomeOfSite(app.db, siteId));
}

/** Returns what readers did with each step in the last 30 days. Throws `not_found`. */
export async function readWelcomeFigures(
  app: App,
  actor: Actor,
  { siteId }: { siteId: string },
): Promise<{ steps: StepFigures[] }> {
  await siteOfActor(app.db, actor, siteId);
  const figures = await figuresByLabel(app.db, siteId, figuresDays, isWelcome("r"));
  return { steps: figures.map(({ label, ...figuresOfStep }) => ({ step: Number(label), ...figuresOfStep })) };
}

/**
 * Changes the welcome of a site of the actor's tenant: `{ enabled, steps }`. Absent fields stay. Readers who wait for
 * a removed step continue with the next remaining step. Switching the welcome off ends it for all readers. Returns the
 * new welcome. Throws `validation_failed` with all faults, and `not_found`.
 */
export async function changeWelcome(
  app: App,
  actor: Actor,
  { siteId, body }: { siteId: string; body: unknown },
): Promise<Welcome> {
  return inTenant(app.db, actor.tenantId, async (tx) => {
    const site = await siteOfActor(tx, actor, siteId);
    const before = welcomeOr(await lockWelcome(tx, siteId));
    const parsed = welcomeChange.safeParse(body);
    const { enabled = before.enabled, steps = before.steps } = parsed.data ?? {};
    const after = { enabled, steps };
    const wrong = [
      ...(parsed.success ? [] : faultsOf(parsed.error)),
      ...(await faultsOfSteps(tx, site, parsed.success ? stepsToCheck(before, after) : stepsIn(body))),
    ];
    if (parsed.success && enabled && steps.length === 0) wrong.push(fault("/steps", faults.empty()));
    if (wrong.length > 0) throw invalidFields(wrong);
    const changes = changesBetween(before, after, ["enabled", "steps"]);
    if (changes === undefined) return before;
    await upsertWelcome(tx, siteId, after, movesBetween(before.steps, after.steps));
    await recordAuditEvent(tx, actor, "welcome.changed", { siteId, details: { changes } });
    return after;
  });
}

function welcomeOr(found: Welcome | undefined): Welcome {
  return found ?? { enabled: false, steps: [] };
}

/**
 * Returns the steps to check: all steps if any of them has changed, or if the welcome is switched on. Otherwise it
 * returns none, because the steps were valid when they were written. A topic that was retired since, or clicks that
 * the site no longer counts, must not prevent other changes.
 */
function stepsToCheck(before: Welcome, after: Welcome): WelcomeStep[] {
  const isSwitchedOn = after.enabled && !before.enabled;
  return isSwitchedOn || !isDeepStrictEqual(after.steps, before.steps) ? after.steps : [];
}

/**
 * Returns the valid fields of a body's steps. The caller also checks them against the site, so that the answer has all
 * faults.
 */
function stepsIn(body: unknown): Partial<WelcomeStep>[] {
  const { steps } = Object(body) as { steps?: unknown };
  if (!Array.isArray(steps)) return [];
  return steps.slice(0, maxSteps).map((one) => validFields(welcomeStep.shape, one));
}

async function faultsOfSteps(on: Executor, site: Site, steps: Partial<WelcomeStep>[]): Promise<FieldFault[]> {
  const unknown = await unknownTopics(
    on,
    site.id,
    steps.flatMap(({ topicId }) => topicId ?? []),
  );
  return steps.flatMap(({ afterDays = maxDays + 1, topicId, onlyUnclicked, ...nudge }, i) => {
    const wrong: [isFault: boolean, field: keyof WelcomeStep, message: Message][] = [
      [afterDays <= (steps[i - 1]?.afterDays ?? -1), "afterDays", faults.not_after_step_before()],
      [topicId != null && unknown.has(topicId), "topicId", faults.unknown_topic()],
      [onlyUnclicked === true && site.receipts !== "full", "onlyUnclicked", faults.clicks_not_counted()],
    ];
    const found = wrong.flatMap(([isFault, field, message]) => (isFault ? [fault(`/${field}`, message)] : []));
    return [...found, ...sizeFaults(nudge)].map((one) => ({ ...one, path: `/steps/${i}${one.path}` }));
  });
}
