import { expect, test, vi } from "vitest";
import { openTestApp, settingsOf } from "../fixtures/app.ts";
import { createPublisher, createSubscriptions, subscribe } from "../fixtures/publisher.ts";
import { changeSubscribers } from "../fixtures/rows/subscribers.ts";
import { subscriberIds } from "../runs/fixture.ts";
import { runHere } from "./run-here.ts";

// A command takes a few seconds on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

test("subscribers delete counts the registered ones of a window, and deletes with --yes only", async () => {
  const app = await openTestApp();
  const { siteId } = await createPublisher(app);
  await subscribe(app, siteId, createSubscriptions(4));
  await changeSubscribers(app, { siteId, newest: 3 }, { createdAt: "2026-05-01T10:30:00Z", isRegistered: true });
  const run = (from: string, to: string, ...more: string[]) =>
    runHere(
      ["subscribers", "delete", "--site", siteId, "--registered-from", from, "--registered-to", to, ...more],
      settingsOf(app),
    );
  const window = ["2026-05-01T10:00:00Z", "2026-05-01T13:00:00+02:00"] as const;
  const counted = await run(...window);
  expect(counted).toEqual({
    code: 0,
    out: "found: 3\ndeleted: 0\n",
    err: "Nothing was deleted. Add --yes to delete them.\n",
  });
  expect(await subscriberIds(app, siteId)).toHaveLength(4);
  const wrong = await run("2026-05-01", window[1], "--yes");
  expect(wrong).toMatchObject({ code: 1, err: expect.stringContaining("  --registered-from must be a time with an") });
  const deleted = await run(...window, "--never-accepted", "--yes", "--json");
  expect(deleted).toEqual({ code: 0, out: '{"found":3,"deleted":3}\n', err: "" });
  expect(await subscriberIds(app, siteId)).toHaveLength(1);
});
