import { expect, test } from "vitest";
import { openTestApp, serve } from "../fixtures/app.ts";
import { createPublisher } from "../fixtures/publisher.ts";
import { signInAs } from "../fixtures/sign-in.ts";

test("without PUBLIC_URL an installation is not checked: readers have no address of the service", async () => {
  const app = await openTestApp();
  const api = await serve(app);
  const { tenantId, siteId } = await createPublisher(app);
  const cookie = await signInAs(app, api, tenantId, "viewer");
  const path = `/dashboard/api/tenants/${tenantId}/sites/${siteId}/installation`;
  const { status, body } = await api.call("POST", path, { headers: { cookie } });
  expect([status, body]).toEqual([200, { publicUrl: null, siteUrl: "https://news.example", findings: [] }]);
});
