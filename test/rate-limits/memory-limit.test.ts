import { expect, test } from "vitest";
import { createMemoryLimit } from "../../src/rate-limits/memory-limit.ts";

const limit = { name: "x", quota: 2, windowSeconds: 60 };

test("counts each address separately, and from 0 again when the window ends", () => {
  let nowMs = 0;
  const count = createMemoryLimit(limit, () => nowMs);
  const used = (address: string) => count(address).used;
  expect([used("192.0.2.1"), used("192.0.2.1"), used("192.0.2.2")]).toEqual([1, 2, 1]);
  nowMs = 59_000;
  expect(count("192.0.2.1")).toEqual({ limit, used: 3, resetSeconds: 1 });
  nowMs = 60_000;
  expect(count("192.0.2.1")).toEqual({ limit, used: 1, resetSeconds: 60 });
});

test("reads a count without adding to it", () => {
  const count = createMemoryLimit(limit);
  expect([count("192.0.2.1", 0).used, count("192.0.2.1").used, count("192.0.2.1", 0).used]).toEqual([0, 1, 1]);
});

test("counts a /64 of IPv6 as one address", () => {
  const count = createMemoryLimit(limit);
  count("2001:db8::1");
  expect(count("2001:db8::2").used).toBe(2);
  expect(count("2001:db8:0:1::2").used).toBe(1);
});

test("bounds its memory: addresses beyond 100,000 share one count", () => {
  const count = createMemoryLimit(limit);
  for (let i = 0; i < 100_000; i++) count(`10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`);
  expect(count("192.0.2.1").used).toBe(1);
  expect(count("192.0.2.2").used).toBe(2);
  expect(count("10.0.0.1").used).toBe(2);
});
