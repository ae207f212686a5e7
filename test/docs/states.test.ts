import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import { campaignMoves, shownMoves } from "../../src/campaigns/states.ts";
import { row } from "../../src/db/pool.ts";
import { countCodes, type FinalCode, finalCodes } from "../../src/runs/ledger/codes.ts";
import { messageOfCode, rateLimitAdvice } from "../../src/runs/messages.ts";
import { runMoves } from "../../src/runs/states.ts";
import { endsOfPlannedSends } from "../../src/sends/states.ts";
import { openTestApp } from "../fixtures/app.ts";
import { entriesOf, readPage, tableOf } from "./pages.ts";

const app = await openTestApp();
let page: string;

beforeAll(async () => {
  page = await readPage("docs/states.md");
});

/** Returns the words that a cell names as code. */
const wordsIn = (cell: string) =>
  cell.includes("`") ? [...cell.matchAll(/`(\w+)`/g)].map(([, word]) => word!) : [cell];

/** Returns the section of a heading, because several tables have the same columns. */
function chapter(heading: string, of = page): string {
  return of.split(/^## /m).find((part) => part.startsWith(heading))!;
}

/** Returns the moves of the code without final states, because the page has no row for those. */
const withoutFinal = (moves: Record<string, readonly string[]>) =>
  Object.fromEntries(Object.entries(moves).filter(([, to]) => to.length > 0));

/** Returns a table of moves in the shape of the code. */
function movesOf(text: string, columns: [string, string]): Record<string, string[]> {
  const rows = tableOf(text, columns);
  return Object.fromEntries(rows.map((cells) => [cells[columns[0]], cells[columns[1]]!.split(", ").filter(Boolean)]));
}

test("docs/states.md has the shown moves of a campaign, the ledger's page the stored ones", async () => {
  expect(movesOf(chapter("A campaign"), ["shown", "allowed"])).toEqual(withoutFinal(shownMoves));
  const stored = chapter("A campaign", await readPage("docs/contributors/ledger.md"));
  expect(movesOf(stored, ["from", "may move to"])).toEqual(withoutFinal(campaignMoves));
});

test("docs/states.md has the moves of a run", () => {
  expect(movesOf(chapter("A run"), ["from", "may move to"])).toEqual(withoutFinal(runMoves));
});

test("docs/states.md has the ends of a planned send", () => {
  const documented = tableOf(chapter("A planned send"), ["waits for", "begun by", "ends as"]).map((cells) => {
    const [waitsFor, ends] = ["waits for", "ends as"].map((column) => wordsIn(cells[column]!));
    return [waitsFor![0]!, ends!];
  });
  expect(Object.fromEntries(documented)).toEqual(endsOfPlannedSends);
});

test("docs/states.md has every final code of a recipient with its class, reason and message", () => {
  const recipient = chapter("A recipient");
  const documented = entriesOf(recipient).map(({ name, value, text }) => {
    const [group, code] = value.split(", ");
    return [Number.parseInt(code!, 16), { class: group, reason: name, message: text }];
  });
  // The page omits the advice that the run has.
  const codes = Object.entries(finalCodes).map(([code, final]) => [
    Number(code),
    { ...final, message: messageOfCode(Number(code) as FinalCode).message.replace(` ${rateLimitAdvice}`, "") },
  ]);
  expect(documented.toSorted()).toEqual(codes.toSorted());
  expect(recipient.replaceAll("\n", " ")).toMatch(
    /Below 20 the class is `pending`: at 00 .* from 01 to 0F .* from 10 to 1F /,
  );
  expect(countCodes(Buffer.from([0x00, 0x01, 0x0f, 0x10, 0x1f])).pending).toBe(5);
});

test("docs/contributors/ledger.md has the states of a batch that the database allows", async () => {
  const documented = tableOf(await readPage("docs/contributors/ledger.md"), ["state", "meaning"]).map(
    ({ state }) => state!,
  );
  const check = await row(
    sql<{ text: string }>`select pg_get_constraintdef(oid) as text from pg_constraint
      where conrelid = 'run_batches'::regclass and conname = 'run_batches_state_check'`,
    app.db,
  );
  const taken = [...check!.text.matchAll(/'(\w+)'::text/g)].map(([, state]) => state!);
  expect(documented.toSorted()).toEqual(taken.toSorted());
});

test("the diagrams of docs/states.md name every state", () => {
  const diagramOf = (heading: string) => chapter(heading).split("```")[1]!;
  for (const state of Object.keys({ ...campaignMoves, ...shownMoves }))
    expect(diagramOf("A campaign")).toContain(state);
  for (const state of Object.keys(runMoves)) expect(diagramOf("A run")).toContain(state);
});
