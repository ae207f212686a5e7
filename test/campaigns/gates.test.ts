import { expect, test } from "vitest";
import { type GateFacts, shutGates } from "../../src/sends/gates.ts";

const open: GateFacts = {
  siteRemoved: false,
  dpaAccepted: true,
  tenantPaused: false,
  sitePaused: false,
  plan: "small",
  planExists: true,
  audience: 10,
  audienceCap: 10,
  classLeft: null,
};

test.for([
  ["all open, at the cap exactly", {}, []],
  ["no cap", { audience: 1_000_000, audienceCap: undefined }, []],
  ["a cap of zero and an empty audience", { audience: 0, audienceCap: 0 }, []],
  ["one over the cap", { audience: 11 }, ["billing"]],
  ["the last send of its class left", { classLeft: 1 }, []],
  ["no send of its class left", { classLeft: 0 }, ["class_limit"]],
  ["the site removed", { siteRemoved: true, sitePaused: true }, ["site_removed", "send_paused site"]],
  ["a plan that PLANS no longer has", { planExists: false, audienceCap: undefined }, ["billing"]],
  ["the site paused", { sitePaused: true }, ["send_paused site"]],
  ["the tenant paused", { tenantPaused: true }, ["send_paused tenant"]],
  [
    "everything shut",
    { dpaAccepted: false, tenantPaused: true, sitePaused: true, audience: 11 },
    ["dpa_required", "send_paused tenant", "send_paused site", "billing"],
  ],
] as [string, Partial<GateFacts>, string[]][])("gates with %s", ([_, facts, shut]) => {
  const named = shutGates({ ...open, ...facts }).map(({ code, details }) => [code, details.scope].join(" ").trim());
  expect(named).toEqual(shut);
});
