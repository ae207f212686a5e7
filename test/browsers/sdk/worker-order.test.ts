import { beforeAll, expect, test } from "vitest";
import { openChromium } from "./chromium.ts";
import { openReaderFixture, type ReaderFixture } from "./fixture.ts";
import { createPush, openWorker } from "./worker.ts";

/**
 * Notifications of one tag that arrive together: updates within a second, or messages that waited for a browser that
 * was off.
 */
let fixture: ReaderFixture;

beforeAll(async () => {
  fixture = await openReaderFixture(openChromium);
});

/**
 * Returns a script that makes the browser take long to show the next notification, as with a large picture. `end` may
 * also make it refuse the notification.
 */
const delayNext = (end: string) => `{
  const show = registration.showNotification;
  registration.showNotification = async function (...given) {
    registration.showNotification = show;
    await new Promise((resolve) => setTimeout(resolve, 300));
    ${end}
    return show.apply(this, given);
  };
}`;

/**
 * Returns an update as the service sends it. `order` is the number of its earlier messages, of a notification that is
 * still on the screen.
 */
const update = (tag: string, order: number) => {
  const push = createPush({ title: `Goal ${order}`, tag });
  return createPush({ ...push.notification, data: { ...push.notification.data, order } });
};

test("of two that come at once the later one stays, though the browser shows it faster", async () => {
  const worker = await openWorker(fixture, await fixture.newSite());
  await worker.run(delayNext(""));
  const [older, later] = [update("match", 1), update("match", 2)];
  await Promise.all([worker.deliver(older), worker.deliver(later)]);
  const receipts = await worker.receipts(2);
  expect(receipts.map(({ token }) => token).sort()).toEqual(
    [older, later].map(({ notification }) => notification.data.token).sort(),
  );
  expect(await worker.titles()).toEqual(["Goal 2"]);
});

test("one that the browser cannot show holds up neither the next of its tag nor those of others", async () => {
  const worker = await openWorker(fixture, await fixture.newSite());
  await worker.run(delayNext("throw new TypeError('no');"));
  await worker.deliver(update("match", 1));
  await worker.deliver(update("other", 1));
  await worker.deliver(update("match", 2));
  await worker.receipts(2);
  expect((await worker.titles()).sort()).toEqual(["Goal 1", "Goal 2"]);
});
