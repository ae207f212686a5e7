import { describe, expect, test } from "vitest";
import { createSlots } from "../src/slots.ts";

const never = new AbortController().signal;

/** Asks for a slot. `granted` is undefined until the result is known. */
function ask(slots: ReturnType<typeof createSlots>, requester: string, signal = never) {
  const asked: { granted: boolean | undefined } = { granted: undefined };
  void slots.acquire(requester, signal).then((granted) => {
    asked.granted = granted;
  });
  return asked;
}

/** Waits until all promises that can resolve have resolved. */
const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

describe("slots", () => {
  test("are limited in all and per requester, and the next requester in line gets a released one", async () => {
    const slots = createSlots({ maxConcurrent: 3, maxPerRequester: 2 });
    const asked = ["a", "a", "a", "b", "b", "c"].map((requester) => ask(slots, requester));
    const granted = () => asked.map((one) => one.granted);
    await settle();
    expect(granted()).toEqual([true, true, undefined, true, undefined, undefined]);
    slots.release("b");
    await settle();
    expect(granted(), "a is at its limit, so b comes first").toEqual([true, true, undefined, true, true, undefined]);
    slots.release("a");
    await settle();
    expect(granted()).toEqual([true, true, true, true, true, undefined]);
    slots.release("b");
    await settle();
    expect(granted()).toEqual([true, true, true, true, true, true]);
  });

  test("are not waited for after an abort, and no other requester loses one by it", async () => {
    const slots = createSlots({ maxConcurrent: 1, maxPerRequester: 1 });
    const first = ask(slots, "a");
    const stop = new AbortController();
    const left = ask(slots, "b", stop.signal);
    const last = ask(slots, "c");
    stop.abort();
    await settle();
    expect([first.granted, left.granted, last.granted]).toEqual([true, false, undefined]);
    slots.release("a");
    await settle();
    expect(last.granted).toBe(true);
    expect(await slots.acquire("d", AbortSignal.abort())).toBe(false);
  });

  test("that are granted and aborted at the same moment are granted, and can be released", async () => {
    const slots = createSlots({ maxConcurrent: 1, maxPerRequester: 1 });
    await slots.acquire("a", never);
    const stop = new AbortController();
    const both = ask(slots, "b", stop.signal);
    slots.release("a");
    stop.abort();
    await settle();
    expect(both.granted).toBe(true);
    slots.release("b");
    expect(await slots.acquire("c", never)).toBe(true);
  });
});
