import { expect, test } from "vitest";
import { defineMessages } from "../src/messages.ts";

const messages = defineMessages({
  gone: "It's gone.",
  old: "It is {hours, plural, one {# hour} other {# hours}} old, and has {n, number} readers.",
  notStory: "This is {what}. Use <b> or {address}.",
});

test("a message has its English text, its code and its parameters", () => {
  expect(messages.gone()).toEqual({ message: "It's gone.", code: "gone", params: {} });
  expect(messages.old({ hours: 1, n: 12_000 })).toEqual({
    message: "It is 1 hour old, and has 12,000 readers.",
    code: "old",
    params: { hours: 1, n: 12_000 },
  });
  expect(messages.old({ hours: 24, n: 1 }).message).toBe("It is 24 hours old, and has 1 readers.");
});

test("a message names another message", () => {
  const what = messages.gone();
  const { message, params } = messages.notStory({ what, address: "{a}'s <i>" });
  expect(message).toBe("This is It's gone.. Use <b> or {a}'s <i>.");
  expect(params.what).toEqual(what);
});

test("a message without one of its parameters does not compile", () => {
  // @ts-expect-error `address` is missing
  expect(() => messages.notStory({ what: "x" })).toThrow("address");
  // @ts-expect-error `old` needs parameters
  expect(() => messages.old()).toThrow("hours");
});
