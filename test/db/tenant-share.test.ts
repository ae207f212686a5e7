import { expect, test } from "vitest";
import { createTenantShare, longestLine, type Place } from "../../src/db/tenant-share.ts";
import { newWaitBudget, withWaitBudget } from "../../src/db/wait-budget.ts";

const share = (ofParty: number) => {
  const { enter } = createTenantShare(ofParty);
  return (party: string | undefined) => withWaitBudget(newWaitBudget("general", party), async () => enter());
};

test("a party that holds its share waits for its own places, and others enter at once", async () => {
  const enter = share(2);
  const [first] = [(await enter("a"))!, await enter("a")];
  const entered: string[] = [];
  const third = enter("a").then((place) => {
    entered.push("a");
    return place;
  });
  await enter("b").then(() => entered.push("b"));
  expect(entered).toEqual(["b"]);
  first.release();
  expect(await third).toBeDefined();
});

test("a longer line than a hundred is refused with what to do, and shortens again", async () => {
  const enter = share(1);
  const held = (await enter("a"))!;
  const line = Array.from({ length: longestLine }, () => enter("a"));
  await expect(enter("a")).rejects.toMatchObject({ code: "unavailable", message: expect.stringContaining("fewer") });
  const leave = async (place: Promise<Place | undefined>) => (await place)!.release();
  held.release();
  for (const place of line) await leave(place);
  expect(await enter("a")).toBeDefined();
});

test("background work belongs to no party and needs no place", async () => {
  const enter = share(1);
  expect(await enter(undefined)).toBeUndefined();
});
