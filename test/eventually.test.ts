import { expect, test } from "vitest";
import { eventually } from "./fixtures/eventually.ts";

test("eventually says what it waited for, what it saw last and how it looked", async () => {
  const isOver = async () => 1 > 2;
  await expect(eventually(isOver, 0, "the run did not end")).rejects.toThrow(
    "the run did not end within 0 ms. The last look returned false: async () => 1 > 2",
  );
});
