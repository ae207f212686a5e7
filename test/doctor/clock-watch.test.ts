import { expect, test } from "vitest";
import { startClockWatch } from "../../src/doctor/clock-watch.ts";
import { openTestApp } from "../fixtures/app.ts";

const hourMs = 3_600_000;

test("a process warns at its start if its clock differs from the database's, and only then", async () => {
  const { db } = await openTestApp();
  const warned = async (now: () => number) => {
    const messages: string[] = [];
    const log = { warn: (_: unknown, message: string) => messages.push(message) };
    // `stop` awaits the first round.
    await startClockWatch({ db, log: log as never, now }).stop();
    return messages;
  };
  expect(await warned(Date.now)).toEqual([]);
  expect(await warned(() => Date.now() + 13 * hourMs)).toEqual([
    expect.stringMatching(
      /^this machine's clock is 468\d\d s ahead of the database's, and push services refuse such: /,
    ),
  ]);
  expect(await warned(() => Date.now() - 10_000)).toEqual([
    expect.stringMatching(/^this machine's clock is (9|10|11) s behind the database's: switch on time synchronisation/),
  ]);
});
