import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { folderOf, src } from "./imports.ts";

/** The tables of each folder. Only the folder's own SQL writes them, and only folders that may import it read them. */
export const tablesOf: Record<string, string[]> = {
  audit: ["audit_events"],
  mail: ["emails"],
  "rate-limits": ["rate_limits"],
  tenants: ["tenants", "sites", "topics", "consent_prompts"],
  access: [
    ...["users", "accounts", "members", "site_roles", "invitations", "sessions", "verifications", "password_links"],
    ...["second_factors", "recovery_codes", "sign_in_challenges", "passkeys", "api_keys"],
    ...["provider_roles", "provider_sessions"],
  ],
  subscribers: [
    ...[
      "subscribers",
      "subscriber_topics",
      "subscribers_joined",
      "subscribers_left",
      "registration_quotas",
      "consent_proofs",
    ],
    ...[
      "migrated_subscriptions",
      "gone_subscribers",
      "left_subscribers",
      "erased_subscribers",
      "segments",
      "reader_preferences",
    ],
    ...["muted_stories", "follows", "welcome_due", "lost_subscribers", "editor_devices", "editor_nudges"],
  ],
  campaigns: ["campaigns"],
  sends: ["planned_sends"],
  automations: ["welcomes", "win_backs", "drills"],
  "dashboard-api": ["autosaved_drafts"],
  runs: [
    ...[
      "runs",
      "run_messages",
      "run_lists",
      "run_batches",
      "run_recipients",
      "run_totals",
      "run_unknown_reasons",
      "run_waves",
    ],
    ...["headline_tests", "interactions", "site_push_services", "accepted_keys"],
  ],
  delivery: ["delivering_processes"],
  receipts: [
    "receipt_bits",
    "receipt_hours",
    "receipt_minutes",
    "screen_times",
    "click_outcomes",
    "site_days",
    "prompt_days",
  ],
  holdouts: ["holdout_days"],
  forecast: ["site_forecasts"],
  "recurring-sends": ["recurring_sends", "recurring_occurrences"],
  feeds: ["feeds", "feed_site_claims", "feed_items", "feed_keys"],
  backup: ["database_identity"],
};

type Exception = { folder: string; writes?: string[]; reads?: string[]; because: string };

/** Exceptions to the rule for SQL. Only `erasure` needs no entry, because it deletes from all tables. */
export const exceptions: Exception[] = [
  { folder: "tenants", reads: ["members", "users"], because: "A site's key is signed with the address of an owner." },
  {
    folder: "access",
    writes: ["rate_limits"],
    reads: ["runs"],
    because: "A key is checked and counted in one statement; a tenant that has sent may mail more invitations.",
  },
  {
    folder: "audit",
    reads: ["users", "api_keys", "sites", "feeds", "runs", "campaigns"],
    because: "An event is listed with the names of what it is about.",
  },
  {
    folder: "subscribers",
    writes: ["sites"],
    reads: [
      "members",
      "users",
      "welcomes",
      "campaigns",
      "planned_sends",
      "feeds",
      "runs",
      "run_messages",
      "run_recipients",
    ],
    because:
      "A registration counts for its site and starts its welcome; segments, digests and devices go by what uses them.",
  },
  {
    folder: "runs",
    writes: ["reader_preferences"],
    reads: ["receipt_bits", "screen_times"],
    because: "A page is suppressed, counted and kept for digests in one statement; interactions are receipts by batch.",
  },
  { folder: "readers", reads: ["receipt_bits"], because: "Readers see what their own browser has reported." },
  { folder: "decision", reads: ["campaigns"], because: "A story is compared with what the site has sent lately." },
  { folder: "campaigns", reads: ["planned_sends"], because: "A list shows the campaigns that are scheduled." },
  { folder: "sends", writes: ["campaigns"], because: "A schedule that is too late fails with its campaign." },
  {
    folder: "automations",
    writes: ["welcome_due", "lost_subscribers", "reader_preferences"],
    because:
      "A reader's next step and digest move with the run that sends it; readers are lost by the outcomes of a run.",
  },
  { folder: "dashboard-api", reads: ["feeds"], because: "A page lists the feeds that ask an editor." },
];

export type Use = { file: string; folder: string; table: string; isWrite: boolean };

const statement = /\b(insert into|update|delete from|merge into|truncate|from|join)\s+(?:only\s+)?([a-z_]+)\b/g;

/** Returns the tables that the SQL in the files of src names, by file. `tables` are the names of all tables. */
export function usesOfTables(tables: string[]): Use[] {
  const known = new Set(tables);
  const uses = globSync("**/*.ts", { cwd: src }).flatMap((file) => {
    const text = readFileSync(join(src, file), "utf8");
    return [...text.matchAll(statement)].map(([, verb, table]) => ({
      file,
      folder: folderOf(file),
      table: table!,
      isWrite: verb !== "from" && verb !== "join",
    }));
  });
  return uses.filter(({ table }) => known.has(table));
}
