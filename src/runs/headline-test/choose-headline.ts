import { z } from "zod";
import type { Member } from "../../actor.ts";
import type { App } from "../../app.ts";
import { recordAuditEvent } from "../../audit/record-event.ts";
import { inTenant, type Tx } from "../../db/pool.ts";
import { appError, invalidFields } from "../../errors.ts";
import { fault, faults } from "../../faults.ts";
import { isId } from "../../ids.ts";
import { expects, parseInput } from "../../input.ts";
import { runOfTenant } from "../queries.ts";
import { readRun } from "../read-run.ts";
import type { RunView } from "../view-run.ts";
import { endTest, figuresOfVariants, lockRunningTest } from "./queries.ts";

const choiceInput = z.strictObject({ variant: z.int(expects("a whole number")).min(0) }, expects("a JSON object"));

/**
 * Ends a headline test by hand and returns the run. All other readers get the variant with this index; 0 is the
 * campaign's own message. Throws `not_found` and `validation_failed`. Throws `illegal_transition` if the test has
 * ended, or if its readers are not all known yet.
 */
export async function chooseHeadline(
  app: App,
  actor: Member,
  input: { runId: string; body: unknown },
): Promise<RunView> {
  const { variant } = parseInput(choiceInput, input.body);
  if (!isId(input.runId)) throw appError("not_found");
  await inTenant(app.db, actor.tenantId, (tx) => endByHand(tx, actor, input.runId, variant));
  return readRun(app, actor, input);
}

async function endByHand(tx: Tx, actor: Member, runId: string, chosen: number): Promise<void> {
  const run = await runOfTenant(tx, actor.tenantId, runId);
  if (run === undefined) throw appError("not_found");
  const { siteId, status } = run;
  const refuse = (message: string, meanwhile: "test_over" | "listing") =>
    appError("illegal_transition", { message, from: status, to: status, allowed: [], meanwhile });
  const test = await lockRunningTest(tx, { siteId, runId });
  if (test === undefined || test.isRunOver)
    throw refuse("This run has no headline test, or its test has ended.", "test_over");
  if (!test.isPlanned) throw refuse("Its readers are still being listed. Choose again in a moment.", "listing");
  if (chosen >= test.variants) throw invalidFields([fault("/variant", faults.unknown_variant())]);
  const figures = await figuresOfVariants(tx, { siteId, runId }, test.variants);
  await endTest(tx, { siteId, runId }, { outcome: "by_hand", chosen, figures });
  await recordAuditEvent(tx, actor, "run.headline_chosen", {
    siteId,
    subjectId: runId,
    details: { headline: chosen + 1 },
  });
}
