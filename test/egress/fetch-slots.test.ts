import { describe, expect, test } from "vitest";
import { createFetchSlots } from "../../src/egress/page/fetch-slots.ts";

const never = new AbortController().signal;

/** Asks for a turn and tells what came of it so far. */
function ask(turns: ReturnType<typeof createFetchSlots>, who: string, signal = never) {
  const asked: { got: boolean | undefined } = { got: undefined };
  void turns.take(who, signal).then((got) => {
    asked.got = got;
  });
  return asked;
}

/** What has been granted is told by then. */
const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

describe("turns", () => {
  test("are given to so many of one and so many in all, and the next in line gets what comes back", async () => {
    const turns = createFetchSlots({ maxAtOnce: 3, maxEach: 2 });
    const asked = ["a", "a", "a", "b", "b", "c"].map((who) => ask(turns, who));
    const got = () => asked.map((one) => one.got);
    await settle();
    expect(got()).toEqual([true, true, undefined, true, undefined, undefined]);
    turns.give("b");
    await settle();
    expect(got(), "a may not, so b goes before it").toEqual([true, true, undefined, true, true, undefined]);
    turns.give("a");
    await settle();
    expect(got()).toEqual([true, true, true, true, true, undefined]);
    turns.give("b");
    await settle();
    expect(got()).toEqual([true, true, true, true, true, true]);
  });

  test("are not waited for after an abort, and nobody else loses one by it", async () => {
    const turns = createFetchSlots({ maxAtOnce: 1, maxEach: 1 });
    const first = ask(turns, "a");
    const stop = new AbortController();
    const left = ask(turns, "b", stop.signal);
    const last = ask(turns, "c");
    stop.abort();
    await settle();
    expect([first.got, left.got, last.got]).toEqual([true, false, undefined]);
    turns.give("a");
    await settle();
    expect(last.got).toBe(true);
    expect(await turns.take("d", AbortSignal.abort())).toBe(false);
  });

  test("that are granted and aborted in one moment are granted, and come back", async () => {
    const turns = createFetchSlots({ maxAtOnce: 1, maxEach: 1 });
    await turns.take("a", never);
    const stop = new AbortController();
    const both = ask(turns, "b", stop.signal);
    turns.give("a");
    stop.abort();
    await settle();
    expect(both.got).toBe(true);
    turns.give("b");
    expect(await turns.take("c", never)).toBe(true);
  });
});
