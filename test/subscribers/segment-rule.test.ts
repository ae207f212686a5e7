import { expect, test } from "vitest";
import type { FieldFault } from "../../src/errors.ts";
import { AppError } from "../../src/errors.ts";
import { parseInput } from "../../src/input.ts";
import { freezeRule, type SegmentRule, segmentRule } from "../../src/subscribers/segments/segment.ts";

const read = (rule: unknown): SegmentRule => parseInput(segmentRule(["https://push.example"]), rule);

function faultsOf(rule: unknown): FieldFault[] {
  try {
    read(rule);
  } catch (error) {
    if (error instanceof AppError) return error.details.errors as FieldFault[];
  }
  throw new Error("it was not refused");
}

const pathsOf = (rule: unknown) => faultsOf(rule).map(({ path }) => path);
const topic = "018f0000-0000-7000-8000-00000000000a";

test("a rule keeps its conditions, with each topic, push service and time zone once", () => {
  const rule = {
    subscribedWithinDays: 90,
    subscribedBeforeDays: 7,
    seenWithinDays: 30,
    notSeenForDays: 1,
    clickedWithinDays: 3_650,
    notClickedForDays: 2,
    topics: { any: [topic, topic.toUpperCase()], all: [topic], none: [topic] },
    pushServices: ["fcm", "fcm", "https://push.example"],
    timeZones: ["Europe/Berlin", "us/eastern", "America/New_York"],
    languages: ["de", "DE", "iw"],
  };
  expect(read(rule)).toEqual({
    ...rule,
    topics: { any: [topic], all: [topic], none: [topic] },
    pushServices: ["fcm", "https://push.example"],
    timeZones: ["Europe/Berlin", "America/New_York"],
    languages: ["de", "he"],
  });
});

const refused: [string, unknown, string[]][] = [
  ["no condition", {}, [""]],
  ["topics without a list", { topics: {} }, [""]],
  ["what is no object", "seenWithinDays", [""]],
  ["no days", { seenWithinDays: 0 }, ["/seenWithinDays"]],
  ["half a day", { notSeenForDays: 1.5 }, ["/notSeenForDays"]],
  ["days as text", { clickedWithinDays: "7" }, ["/clickedWithinDays"]],
  ["more than ten years", { notClickedForDays: 3_651 }, ["/notClickedForDays"]],
  ["a condition that does not exist", { country: "DE" }, ["/country"]],
  ["an empty list of topics", { topics: { any: [] } }, ["/topics/any"]],
  ["a topic that is no id", { topics: { none: ["sport"] } }, ["/topics/none/0"]],
  ["a kind of topics that does not exist", { topics: { some: [topic] } }, ["/topics/some"]],
  ["an empty list of push services", { pushServices: [] }, ["/pushServices"]],
  ["a push service that is not known", { pushServices: ["https://other.example"] }, ["/pushServices/0"]],
  ["no time zones", { timeZones: [] }, ["/timeZones"]],
  ["a time zone that is no list", { timeZones: "Europe/Berlin" }, ["/timeZones"]],
  ["a time zone that does not exist", { timeZones: ["UTC", "Mars/Phobos"] }, ["/timeZones/1"]],
  ["an offset as time zone", { timeZones: ["+02:00"] }, ["/timeZones/0"]],
  ["more than 100 time zones", { timeZones: Array(101).fill("UTC") }, ["/timeZones"]],
  ["no languages", { languages: [] }, ["/languages"]],
  ["a language with its region", { languages: ["fr", "de-AT"] }, ["/languages/1"]],
  ["the language that is none", { languages: ["und"] }, ["/languages/0"]],
  ["a language that is no text", { languages: [1] }, ["/languages/0"]],
  ["more than 50 languages", { languages: Array(51).fill("de") }, ["/languages"]],
  ["facts that are no object", { facts: ["plan"] }, ["/facts"]],
  ["no facts", { facts: {} }, [""]],
  ["a fact without values", { facts: { plan: [] } }, ["/facts/plan"]],
  ["a value of a fact that is no text", { facts: { plan: ["free", 1] } }, ["/facts/plan/1"]],
  ["nine facts", { facts: Object.fromEntries([..."abcdefghi"].map((name) => [name, ["yes"]])) }, ["/facts"]],
  ["21 values of a fact", { facts: { plan: Array(21).fill("paid") } }, ["/facts/plan"]],
  ["days that no reader has both", { seenWithinDays: 7, notSeenForDays: 7 }, ["/seenWithinDays"]],
];

test.for(refused)("a rule with %s is refused by the path of the fault", ([_, rule, paths]) => {
  expect(pathsOf(rule)).toEqual(paths);
});

test("a rule is refused with all of its faults at once", () => {
  const faults = pathsOf({ seenWithinDays: 0, topics: { any: ["sport"] }, pushServices: ["pigeon"] });
  expect(faults.toSorted()).toEqual(["/pushServices/0", "/seenWithinDays", "/topics/any/0"]);
});

const facts = {
  today: "2027-03-10",
  countsClicks: true,
  clicksKnownFrom: "2027-01-01",
  timeZone: "us/eastern",
  facts: [{ name: "plan", label: "Plan", values: ["free", "paid"] }],
};

test("a frozen rule has a date in place of each number of days", () => {
  const rule = { seenWithinDays: 1, subscribedBeforeDays: 5, notClickedForDays: 68, pushServices: ["fcm"] };
  expect(freezeRule({ ...rule, topics: { any: [topic] } }, facts)).toEqual({
    seenWithinDays: "2027-03-09",
    subscribedBeforeDays: "2027-03-05",
    notClickedForDays: "2027-01-01",
    pushServices: ["fcm"],
    topics: { any: [topic] },
  });
  expect(freezeRule({ seenWithinDays: 1, topics: {} }, facts)).toEqual({ seenWithinDays: "2027-03-09" });
});

test("no reader has clicked, or has not, where the site does not know it, or not for as long", () => {
  const unknown = { ...facts, countsClicks: false };
  expect(freezeRule({ clickedWithinDays: 7 }, unknown)).toEqual({ isEmpty: true });
  expect(freezeRule({ notClickedForDays: 7 }, unknown)).toEqual({ isEmpty: true });
  expect(freezeRule({ notSeenForDays: 7 }, unknown)).not.toEqual({ isEmpty: true });
  expect(freezeRule({ notClickedForDays: 68 }, facts)).not.toEqual({ isEmpty: true });
  expect(freezeRule({ notClickedForDays: 69 }, facts)).toEqual({ isEmpty: true });
  expect(freezeRule({ clickedWithinDays: 365 }, facts)).toEqual({ clickedWithinDays: "2026-03-10" });
});

test("a fact is frozen with the values that are declared, and without any has no reader", () => {
  expect(freezeRule({ facts: { plan: ["paid", "gold"] } }, facts)).toEqual({ facts: { plan: ["paid"] } });
  expect(freezeRule({ facts: { plan: ["gold"] } }, facts)).toEqual({ isEmpty: true });
  expect(freezeRule({ facts: { plan: ["paid"], region: ["north"] } }, facts)).toEqual({ isEmpty: true });
});

test("readers whose time zone is not known count with the one that the site has then", () => {
  const zones = ["Asia/Tokyo", "America/New_York"];
  expect(freezeRule({ timeZones: zones }, facts)).toEqual({ timeZones: [...zones, ""] });
  expect(freezeRule({ timeZones: zones }, { ...facts, timeZone: "Europe/Berlin" })).toEqual({ timeZones: zones });
});
