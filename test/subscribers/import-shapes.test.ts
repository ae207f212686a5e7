import { Readable } from "node:stream";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { guessLayout } from "../../src/subscribers/import/guess-layout.ts";
import { readRecords } from "../../src/subscribers/import/read-records.ts";
import { readSubscription } from "../../src/subscribers/subscription.ts";
import { type BrowserSubscription, createSubscriptions } from "../fixtures/publisher.ts";

type Cell = string | number | boolean | object | null;
type Named = Record<string, Cell>;

const formats = ["csv", "ndjson", "json"] as const;
const rules = { pushServices: [], topicIds: new Set<string>() };

/** Writes records as a program would. In CSV, every value that is not text becomes JSON. */
function write(format: (typeof formats)[number], records: Named[]): string {
  if (format === "json") return JSON.stringify(records, null, 2);
  if (format === "ndjson") return records.map((record) => `${JSON.stringify(record)}\n`).join("");
  const names = Object.keys(records[0]!);
  const rows = [names, ...records.map((record) => names.map((name) => textOf(record[name]!)))];
  return rows.map((cells) => `${cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(",")}\n`).join("");
}

const textOf = (cell: Cell) => (cell === null ? "" : typeof cell === "string" ? cell : JSON.stringify(cell));

/** Returns what an import reads from a file: for each record the keys by endpoint, or the fault. */
async function read(text: string): Promise<unknown[]> {
  const { layout } = guessLayout(Buffer.from(text), true);
  const found: unknown[] = [];
  for await (const record of readRecords(Readable.from([Buffer.from(text)]), layout)) {
    if ("fault" in record) found.push(record.fault.message);
    else if ("input" in record) {
      const read = readSubscription(record.input, rules);
      found.push(
        "fault" in read
          ? read.fault.message
          : [read.endpoint, read.p256dh.toString("base64url"), read.auth.toString("base64url")],
      );
    }
  }
  return found;
}

const left = "has unsubscribed at the other service";
const asRead = ({ endpoint, keys: { p256dh, auth } }: BrowserSubscription) => [endpoint, p256dh, auth];

/** The ways in which programs write a subscription. */
const shapes: [string, (one: BrowserSubscription) => Named][] = [
  ["as browsers do", ({ endpoint, keys }) => ({ endpoint, expirationTime: null, keys })],
  [
    "as PHP's and Laravel's packages",
    ({ endpoint, keys }) => ({
      endpoint,
      publicKey: keys.p256dh,
      authToken: keys.auth,
      contentEncoding: "aes128gcm",
    }),
  ],
  ["in snake case", ({ endpoint, keys }) => ({ id: 7, endpoint, public_key: keys.p256dh, auth_token: keys.auth })],
  ["as OneSignal", ({ endpoint, keys }) => ({ identifier: endpoint, web_auth: keys.auth, web_p256: keys.p256dh })],
  ["as Perfecty Push", ({ endpoint, keys }) => ({ endpoint, key_auth: keys.auth, key_p256dh: keys.p256dh })],
  ["with the keys as a text", ({ endpoint, keys }) => ({ endpoint, keys: JSON.stringify(keys) })],
  ["in a member", (one) => ({ id: "a1", subscription: { endpoint: one.endpoint, keys: one.keys } })],
  [
    "as a text in a member",
    (one) => ({ user: "x", subscription: JSON.stringify({ endpoint: one.endpoint, keys: one.keys }) }),
  ],
  ["as a text in a text", (one) => ({ push_subscription: JSON.stringify(JSON.stringify(one)) })],
  ["flat in a member", ({ endpoint, keys }) => ({ data: { endpoint, p256dh: keys.p256dh, auth: keys.auth } })],
];

describe.each(formats)("in %s", (format) => {
  test.each(shapes)("a subscription is read as it was written %s", async (_as, shape) => {
    const readers = createSubscriptions(3);
    expect(await read(write(format, readers.map(shape)))).toEqual(readers.map(asRead));
  });

  test.each([
    ["revoked_at", "2026-03-02 10:00:00", ""],
    ["revoked_at", "2026-03-02T10:00:00Z", null],
    ["notification_types", -2, 1],
    ["notification_types", "-2", "1"],
    ["is_deleted", true, false],
    ["is_active", false, true],
    ["opted_out_at", 1_772_445_600, 0],
    ["deletedAt", { $date: "2026-03-02T10:00:00Z" }, null],
    ["preferences", { subscribed: false }, { subscribed: true }],
    ["channel", { type: "web", revoked_at: "2026-03-02" }, { type: "web", revoked_at: null }],
    ["status", "unsubscribed", "active"],
  ])("who has left by %s stays out: %j, and not %j", async (name, gone, stayed) => {
    const [a, b] = createSubscriptions(2) as [BrowserSubscription, BrowserSubscription];
    const records = [
      { ...shapes[0]![1](a), [name]: gone },
      { ...shapes[0]![1](b), [name]: stayed },
    ];
    expect(await read(write(format, records))).toEqual([left, asRead(b)]);
  });

  test("what a publisher has noted of a reader is no end", async () => {
    const [one] = createSubscriptions(1) as [BrowserSubscription];
    const record = { ...shapes[0]![1](one), tags: { status: "blocked", unsubscribed: "newsletter" } };
    expect(await read(write(format, [record]))).toEqual([asRead(one)]);
  });

  test("a wrong key, a missing one and no object at all are faults of their lines", async () => {
    const [good] = createSubscriptions(1) as [BrowserSubscription];
    const flat = { endpoint: good.endpoint, p256dh: good.keys.p256dh, auth: good.keys.auth };
    const records = [
      flat,
      { ...flat, p256dh: "?" },
      { ...flat, auth: "" },
      { ...flat, endpoint: "reader@example.org" },
    ];
    expect(await read(write(format, records))).toEqual([
      asRead(good),
      "keys.p256dh is not a point on P-256",
      "keys.auth is not 16 bytes",
      "endpoint is not a URL",
    ]);
  });
});

const others = fc.dictionary(
  fc.constantFrom("language", "country", "tags", "created_at", "last_active", "ip", "note", "browser", "user_id"),
  fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null)),
);
const ends = fc.constantFrom<[string, Cell, Cell]>(
  ["unsubscribed_at", "2026-03-02", null],
  ["is_active", false, true],
  ["status", "blocked", "active"],
  ["notification_types", -2, 1],
  ["OptedOut", "yes", "no"],
  ["state_of_push", { unsubscribed: true }, { unsubscribed: false }],
);

test("what one format says of any file, the other two say", async () => {
  const property = fc.asyncProperty(
    ...([
      fc.nat({ max: shapes.length - 1 }),
      others,
      ends,
      fc.array(fc.boolean(), { minLength: 1, maxLength: 5 }),
    ] as const),
    async (shape, more, [name, gone, stayed], hasLeft) => {
      const readers = createSubscriptions(hasLeft.length);
      const records = readers.map((one, at) => ({
        ...more,
        ...shapes[shape]![1](one),
        [name]: hasLeft[at] ? gone : stayed,
      }));
      const expected = readers.map((one, at) => (hasLeft[at] ? left : asRead(one)));
      for (const format of formats) expect(await read(write(format, records))).toEqual(expected);
    },
  );
  await fc.assert(property, { numRuns: 150 });
});
