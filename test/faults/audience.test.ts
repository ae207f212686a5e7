import { sql } from "kysely";
import { expect, test } from "vitest";
import { rows } from "../../src/db/pool.ts";
import { sharedPostgres, withFixture } from "./suite.ts";

const megabyte = 1024 * 1024;

const postgres = sharedPostgres();

test("readers who unsubscribe during a run get nothing more, and are counted as gone", () =>
  withFixture({ postgres, recipients: 5_000, answerDelayMs: 500 }, async (fixture) => {
    await Promise.all([fixture.start("worker"), fixture.start("api")]);
    const { runId } = await fixture.send();
    await fixture.push.received(300);
    // The run must not end before they leave, however busy the machine is.
    await fixture.push.answerWith({ behaviour: "answer", delayMs: 5_000 });
    const left = await rows(
      sql<{ id: number }>`delete from subscribers s using run_recipients p
        join run_batches b on b.site_id = p.site_id and b.run_id = p.run_id and b.no = p.no
        where b.run_id = ${runId} and (b.state = 'open' or b.no = 5) and s.site_id = p.site_id
          and s.id = any(case when b.state = 'open' then p.subscriber_ids[901:] else p.subscriber_ids[1:400] end)
        returning s.id`,
      fixture.app.db,
    );
    await fixture.push.clearBehaviours();
    fixture.history.record({ kind: "left", subscriberIds: left.map(({ id }) => id) });
    expect(left.length).toBeGreaterThan(400);
    expect(await fixture.ended(runId)).toBe("completed");
    // On a busy machine some messages were in flight when their readers left. The push service already has those
    // messages.
    const leftIds = new Set(left.map(({ id }) => id));
    const leftIndexes = new Set(
      fixture.readers.filter(({ subscriberId }) => leftIds.has(subscriberId)).map(({ index }) => index),
    );
    const inFlight = (await fixture.push.receipts()).filter(({ index }) => leftIndexes.has(index)).length;
    const gone = left.length - inFlight;
    expect(gone).toBeGreaterThan(0);
    const { body } = await fixture.call("GET", `/v1/runs/${runId}`);
    expect(body).toMatchObject({ audience: 5_000, accepted: 5_000 - gone, gone });
    expect(body.reasons).toMatchObject([{ class: "gone", reason: "unsubscribed", count: gone }]);
    expect(await fixture.violations()).toEqual([]);
  }));

// The code alone takes 40 MB, and the objects of thirty thousand readers would take more than the rest.
test("a heap of 56 MB suffices for thirty thousand readers, in less than 300 MB of memory", () =>
  withFixture({ postgres, recipients: 30_000, answerDelayMs: 5 }, async (fixture) => {
    const service = await fixture.start("start", { settings: { NODE_OPTIONS: "--max-old-space-size=56" } });
    const { runId } = await fixture.send();
    let isOver = false;
    const ended = fixture.ended(runId).finally(() => {
      isOver = true;
    });
    let mostBytes = 0;
    while (!isOver) {
      const answer = await fetch(`${service.url}/metrics`).catch((cause) => {
        throw new Error(`the service does not answer any more:\n${service.service.output()}`, { cause });
      });
      const metrics = await answer.text();
      mostBytes = Math.max(mostBytes, Number(/^process_resident_memory_bytes (\S+)/m.exec(metrics)?.[1]));
    }
    expect(await ended).toBe("completed");
    expect(mostBytes).toBeGreaterThan(0);
    expect(mostBytes).toBeLessThan(300 * megabyte);
    expect(await fixture.violations()).toEqual([]);
  }));
