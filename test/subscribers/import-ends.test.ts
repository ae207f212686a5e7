import { describe, expect, test } from "vitest";
import { describeEnds } from "../../src/cli/import-layout.ts";
import { endOfName, looksLikeEnd, readSubscribed, saysLeft } from "../../src/subscribers/import/end-columns.ts";
import { guessLayout } from "../../src/subscribers/import/guess-layout.ts";

describe("the name of a column", () => {
  test.each([
    [
      "unsubscribed",
      "unsubscribed_at",
      "unsubscribedAt",
      "Unsubscribe Date",
      "is_unsubscribed",
      "unsub",
      "date_unsubscribed",
    ],
    [
      "revoked_at",
      "revokedOn",
      "token_revoked",
      "deleted_at",
      "is_deleted",
      "soft_deleted",
      "removed",
      "deletion_date",
    ],
    ["opted_out_at", "opt_out", "OptOut", "has_opted_out", "disabled", "is_disabled", "deactivated_at", "inactive"],
    ["invalid_identifier", "invalid", "is_expired", "expired_at", "blocked", "banned", "bounced", "churned", "left_at"],
    [
      "cancelled_at",
      "canceled",
      "uninstalled_at",
      "suppressed",
      "user.deletedAt",
      "deleted_by",
      "unsubscribe_reason",
      "abgemeldet_am",
    ],
  ])("says who has left by a yes or a time: %s, …", (...names) => {
    expect(names.filter((name) => endOfName(name) !== "left")).toEqual([]);
  });

  test.each([
    ["is_active", "isActive", "active", "enabled", "is_enabled", "subscribed", "is_subscribed", "push_enabled"],
    [
      "status",
      "state",
      "subscription_status",
      "subscriptionState",
      "user.status",
      "permission",
      "notification_permission",
    ],
    ["notification_types", "notificationTypes", "opted_in", "opt_in", "valid", "is_valid", "consent"],
  ])("says who has left by a no or a state: %s, …", (...names) => {
    expect(names.filter((name) => endOfName(name) !== "subscribed")).toEqual([]);
  });
});

describe("the name of another column", () => {
  test.each([
    ["id", "endpoint", "p256dh", "auth", "created_at", "updated_at", "last_active", "subscribed_at", "language"],
    ["session_count", "device_os", "country", "tags", "browser", "ip", "email", "timezone", "expirationTime"],
  ])("says nothing of an end, and does not look so: %s, …", (...names) => {
    expect(names.filter((name) => endOfName(name) !== undefined || looksLikeEnd(name))).toEqual([]);
  });

  test.each(["goodbye_note", "why_removed_from_list", "blocklist", "web_permission_level"])(
    "%s is not known, and named because it looks as if it said so",
    (name) => {
      expect([endOfName(name), looksLikeEnd(name)]).toEqual([undefined, true]);
    },
  );
});

describe("a cell", () => {
  test.each([
    [
      "2026-03-02 10:00:00",
      "2026-03-02T10:00:00Z",
      "02.03.2026",
      "03/02/26",
      "1772445600",
      "1772445600000",
      "2. März 2026",
    ],
    ["1", "t", "true", "TRUE", "yes", "Y", "x", "ja", "oui", "left", "spam", "[object]"],
  ])("in a column of an end says so unless it is a no: %s, …", (...cells) => {
    expect(cells.filter((cell) => !saysLeft(cell))).toEqual([]);
  });

  test.each([
    [
      "",
      " ",
      "0",
      "0.0",
      "f",
      "false",
      "FALSE",
      "no",
      "N",
      "null",
      "NULL",
      "None",
      "nil",
      "\\N",
      "-",
      "--",
      "never",
      "nein",
    ],
    ["0000-00-00 00:00:00", "0001-01-01T00:00:00Z", "1970-01-01", "9999-12-31", "01/01/1970", "infinity", "NaN", "{}"],
  ])("in a column of an end says nothing if it is a no, or a date that is none: %s, …", (...cells) => {
    expect(cells.filter(saysLeft)).toEqual([]);
  });

  test.each([
    [
      "left",
      "status",
      ["unsubscribed", "Unsubscribed", "opted-out", "OPTED_OUT", "inactive", "blocked", "0", "f", "no"],
    ],
    ["left", "status", ["DELETED", "user_unsubscribed", "denied", "revoked", "expired", "-1", "abgemeldet", "default"]],
    ["stays", "status", ["", "active", "Subscribed", "opted in", "granted", "1", "t", "yes", "ja", "NULL", "valid"]],
    ["left", "notification_types", ["-2", "0", "-31", "-99"]],
    ["stays", "notification_types", ["1", "7", "31", ""]],
    ["unknown", "status", ["pending", "2", "trial", "gold", "7"]],
  ] as const)("is read as %s in a column %s: %j", (expected, name, cells) => {
    expect(cells.map((cell) => [cell, readSubscribed(cell, name)])).toEqual(cells.map((cell) => [cell, expected]));
  });
});

describe("before an import, the columns are named that", () => {
  const endpoint = `https://fcm.googleapis.com/fcm/send/${"a".repeat(40)}`;
  const [p256dh, auth] = [`B${"A".repeat(86)}`, "A".repeat(22)];
  const names = ["endpoint", "p256dh", "auth", "revoked_at", "status", "goodbye_note", "language"];
  const rows = [
    [endpoint, p256dh, auth, "", "active", "", "en"],
    [endpoint, p256dh, auth, "", "gold", "", "en"],
  ];
  const expected = {
    used: ["revoked_at", "status"],
    unused: [{ name: "status", values: ["gold"] }, { name: "goodbye_note" }],
  };

  test.each([
    ["CSV", [names, ...rows].map((cells) => cells.join(",")).join("\n")],
    [
      "NDJSON",
      rows.map((row) => JSON.stringify(Object.fromEntries(row.map((cell, at) => [names[at], cell])))).join("\n"),
    ],
    [
      "JSON",
      JSON.stringify(
        rows.map((row) => Object.fromEntries(row.map((cell, at) => [names[at], cell]))),
        null,
        1,
      ),
    ],
  ])("are used, or look so and are not, also by a word that is not understood: %s", (_format, text) => {
    expect(guessLayout(Buffer.from(text), true).ends).toEqual(expected);
  });

  test("are named by the command in two sentences, and not at all where there are none", () => {
    const said = describeEnds(expected);
    expect(said).toContain("Who has left is left out, by: revoked_at, status.\n");
    expect(said).toContain("Not used, though it looks as if it said who has left: status (gold), goodbye_note.");
    expect(describeEnds({ used: [], unused: [] })).toBe("");
  });
});
