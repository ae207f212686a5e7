import { describe, expect, test } from "vitest";
import {
  largestPayloadBytes,
  maxPayloadBytes,
  messageIdCharacters,
  messageTokenCharacters,
  payloadBytes,
  payloadTemplate,
} from "../../src/runs/payload.ts";
import type { RunMessage, Thread } from "../../src/runs/run.ts";

const runId = "0198c1f2-aaaa-7bbb-8ccc-0123456789ab";
const id = "i".repeat(messageIdCharacters);
const token = "t".repeat(messageTokenCharacters);

function fill(message: Partial<RunMessage>, thread: Thread = { threadId: runId, sequence: 0 }) {
  const template = payloadTemplate(thread, {
    title: "Title",
    body: "Body",
    url: "https://news.example/",
    imageUrl: null,
    ...message,
  });
  const bytes = Buffer.from(template.bytes);
  for (const at of template.idOffsets) bytes.write(id, at, "latin1");
  for (const at of template.tokenOffsets) bytes.write(token, at, "latin1");
  return { template, json: bytes.toString(), payload: JSON.parse(bytes.toString()) };
}

/** Addresses, each with the address that leads to it with the token `T`. */
const addresses = [
  ["https://news.example", "https://news.example/#pressbell-T"],
  ["https://news.example/a", "https://news.example/a#pressbell-T"],
  ["https://news.example/a?b=1&sig=%2F+%20", "https://news.example/a?b=1&sig=%2F+%20#pressbell-T"],
  ["https://news.example/a#", "https://news.example/a#pressbell-T"],
  ["https://news.example/a#c", "https://news.example/a#c-pressbell-T"],
  ["https://news.example/a?b=1#c?d", "https://news.example/a?b=1#c?d-pressbell-T"],
  ["https://news.example/a#:~:text=b,c", "https://news.example/a#pressbell-T:~:text=b,c"],
  ["https://news.example/a#c:~:text=b", "https://news.example/a#c-pressbell-T:~:text=b"],
  ["https://news.example/#/story/5", "https://news.example/#/story/5?pressbell-T"],
  ["https://news.example/#!story?a=1", "https://news.example/#!story?a=1&pressbell-T"],
  ["https://news.example/ä", "https://news.example/%C3%A4#pressbell-T"],
  ["http://news.example:8080/a", "http://news.example:8080/a#pressbell-T"],
];

describe("the payload of a run", () => {
  test("has the tag of its thread, and its place in it", () => {
    const threadId = "0198c1f2-bbbb-7bbb-8ccc-0123456789ab";
    const { notification } = fill({}, { threadId, sequence: 2 }).payload;
    expect(notification).toMatchObject({ tag: threadId, data: { order: 2 } });
  });

  test("is declarative, tagged with the run, and holds the id once and the token twice", () => {
    const { template, payload } = fill({ imageUrl: "https://img.example/a.jpg" });
    expect(payload).toEqual({
      web_push: 8030,
      notification: {
        title: "Title",
        body: "Body",
        navigate: `https://news.example/#pressbell-${token}`,
        tag: runId,
        image: "https://img.example/a.jpg",
        data: { id, token },
      },
    });
    expect([template.idOffsets.length, template.tokenOffsets.length]).toEqual([1, 2]);
  });

  test("has no image where there is none", () => {
    expect(fill({}).payload.notification).not.toHaveProperty("image");
  });

  for (const [url, wanted] of addresses) {
    test(`carries the token in the fragment of ${url}`, () => {
      expect(fill({ url: url! }).payload.notification.navigate).toBe(wanted!.replace("T", token));
    });
  }

  const texts = [
    "Brücke – 東京 – 🌉👩‍👩‍👧",
    'quotes " and \\ and \\\\"',
    "written out: \\u0001 and \\\\u0002",
    "\u0001\u0002\u007f",
    "\ud800 alone",
    id,
    token,
  ];
  for (const text of texts) {
    test(`keeps a text as it was written: ${JSON.stringify(text)}`, () => {
      const { payload, template } = fill({ title: text, body: text });
      expect(payload.notification.title).toBe(text);
      expect(payload.notification.body).toBe(text);
      expect(payload.notification.data).toEqual({ id, token });
      expect(template.tokenOffsets.length).toBe(2);
    });
  }

  test("has the size that the caller is told, in bytes, the same for every recipient", () => {
    const message = { title: "🌉", body: "ü", url: "https://news.example/", imageUrl: null };
    expect(payloadBytes(message)).toBe(Buffer.byteLength(fill(message).json));
    const longer = { ...message, body: "x".repeat(maxPayloadBytes) };
    expect(payloadBytes(longer)).toBe(payloadBytes(message) - 2 + maxPayloadBytes);
  });
});

test("the largest payload of a notification is that of its update where only sums are counted", () => {
  const message = { title: "🌉", body: "ü", url: "https://news.example/", imageUrl: null };
  const largest = { ...message, update: true, receipts: "aggregate" } as const;
  const { json } = fill(largest, { threadId: runId, sequence: 9_999_999 });
  expect(largestPayloadBytes(message)).toBe(Buffer.byteLength(json));
});

describe("what a site adds to a payload", () => {
  test("a campaign adds its extras: the badge number beside the notification, the rest in it", () => {
    const shown = { badge: "https://img.example/b.png", requireInteraction: true, silent: true } as const;
    const { payload } = fill({ language: "he", extras: { ...shown, appBadge: 2, lang: "de", dir: "ltr" } });
    expect(payload).toMatchObject({ app_badge: 2, notification: { ...shown, lang: "de", dir: "ltr" } });
    expect(fill({ language: "de", extras: { lang: "he" } }).payload.notification).toMatchObject({ dir: "rtl" });
  });

  test("a campaign adds its buttons, each with an address of token and number", () => {
    const actions = [
      { title: "Live", url: "https://news.example/live?a=1" },
      { title: "Map", url: "https://news.example/map" },
    ];
    const { notification } = fill({ extras: { actions, storyId: "election" } }).payload;
    expect(notification.actions).toEqual([
      { action: "1", title: "Live", navigate: `https://news.example/live?a=1#pressbell-${token}1` },
      { action: "2", title: "Map", navigate: `https://news.example/map#pressbell-${token}2` },
    ]);
    expect(notification).not.toHaveProperty("storyId");
    const through = fill({ extras: { actions }, clickBase: "https://push.example.org/sdk/click/" }).payload
      .notification;
    expect(through.actions[1].navigate).toBe(`https://push.example.org/sdk/click/${token}2`);
  });

  test("says that its reports count together, or carries no token at all, as the site counts", () => {
    expect(fill({ receipts: "aggregate" }).payload.notification.data).toMatchObject({ token, counts: "together" });
    const { payload, template } = fill({ receipts: "off" });
    expect(payload.notification.data.token).toBe("");
    expect(payload.notification.navigate).not.toContain("pressbell-");
    expect(template.tokenOffsets).toEqual([]);
  });

  test("has the site's icon, the article's language, and a direction from right to left", () => {
    const { payload } = fill({ iconUrl: "https://news.example/i.png", language: "ar" });
    expect(payload.notification).toMatchObject({ icon: "https://news.example/i.png", lang: "ar", dir: "rtl" });
    const plain = fill({ iconUrl: null, language: "de" }).payload.notification;
    expect([plain.lang, "icon" in plain, "dir" in plain]).toEqual(["de", false, false]);
  });

  test("leads through the service, the token last in its path, where the site wants that", () => {
    const { payload, template } = fill({ clickBase: "https://push.example.org/bell/sdk/click/" });
    expect(payload.notification.navigate).toBe(`https://push.example.org/bell/sdk/click/${token}`);
    expect(template.tokenOffsets).toHaveLength(2);
  });
});
