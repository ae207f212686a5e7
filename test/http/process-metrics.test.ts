import { sql } from "kysely";
import { expect, test } from "vitest";
import { row } from "../../src/db/pool.ts";
import { createCounters, openCounters } from "../../src/delivery/counters.ts";
import { openTestApp, serve } from "../fixtures/app.ts";

const origin = "https://push.example";

async function linesOf(url: string, pattern: RegExp): Promise<string[]> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return text.split("\n").filter((line) => pattern.test(line));
}

test("metrics have tries by push service and outcome, answers' delays and lost leases", async () => {
  const counters = createCounters([origin], 2);
  const { url } = await serve(await openTestApp(), { counters });
  const [first, second] = [0, 1].map((index) => openCounters(counters.ofThread(index), [origin]));
  for (const thread of [first!, second!]) for (let i = 0; i < 2; i++) thread.posted("fcm");
  first!.ended("fcm", "accepted", 0.02);
  first!.ended("fcm", "retry", 45);
  second!.ended("fcm", "accepted", 0.3);
  second!.posted(origin);
  second!.ended(origin, undefined, 0);
  second!.leaseLost();
  first!.loopDelayed(0.25);
  const fcm = await linesOf(url, /^pressbell_.*push_service="fcm"/);
  expect(fcm).toEqual(
    expect.arrayContaining([
      'pressbell_messages_total{push_service="fcm",outcome="accepted"} 2',
      'pressbell_messages_total{push_service="fcm",outcome="retry"} 1',
      'pressbell_messages_in_flight{push_service="fcm"} 1',
      'pressbell_push_answer_seconds_bucket{push_service="fcm",le="0.025"} 1',
      'pressbell_push_answer_seconds_bucket{push_service="fcm",le="0.5"} 2',
      'pressbell_push_answer_seconds_bucket{push_service="fcm",le="+Inf"} 3',
      'pressbell_push_answer_seconds_sum{push_service="fcm"} 45.32',
      'pressbell_push_answer_seconds_count{push_service="fcm"} 3',
    ]),
  );
  expect(await linesOf(url, /^pressbell_(leases_lost_total|delivery_loop_delay_seconds)/)).toEqual([
    "pressbell_leases_lost_total 1",
    "pressbell_delivery_loop_delay_seconds 0.25",
  ]);
  expect(await linesOf(url, /push_service="https:..push.example",outcome=.* [^0]/)).toEqual([]);

  // A thread that replaces a dead one continues its counts. Nothing of the dead thread is in flight any more.
  openCounters(counters.ofThread(1), [origin]);
  expect(await linesOf(url, /^pressbell_messages_(in_flight|total).push_service="fcm"(,outcome="accepted")?}/)).toEqual(
    [
      'pressbell_messages_total{push_service="fcm",outcome="accepted"} 2',
      'pressbell_messages_in_flight{push_service="fcm"} 0',
    ],
  );
});

test("metrics have the waits for a connection to the database, and who uses them", async () => {
  const app = await openTestApp();
  const { url } = await serve(app);
  expect(await linesOf(url, /^pressbell_database_waits/)).toEqual(["pressbell_database_waits_total 0"]);
  const slow = Array.from({ length: 11 }, () => row(sql`select pg_sleep(0.2)`, app.db));
  await Promise.all(slow);
  const waited = await linesOf(url, /^pressbell_database_wait/);
  const [waits, seconds] = waited.map((line) => Number(line.split(" ")[1]));
  expect(waits).toBeGreaterThanOrEqual(1);
  // The eleventh statement waits until one of the other ten ends.
  expect(seconds).toBeGreaterThan(0.1);
  expect(await linesOf(url, /^pressbell_database_connections{share="readers"/)).toEqual([
    'pressbell_database_connections{share="readers",state="busy"} 0',
    'pressbell_database_connections{share="readers",state="idle"} 0',
    'pressbell_database_connections{share="readers",state="waiting"} 0',
  ]);
});
