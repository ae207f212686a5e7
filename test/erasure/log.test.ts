import { expect, test } from "vitest";
import { createApi, openTestApp, settingsOf } from "../fixtures/app.ts";
import { createPublisher, createSubscriptions } from "../fixtures/publisher.ts";
import { createReaderClient } from "../fixtures/reader-client.ts";
import { startService } from "../fixtures/service-process.ts";
import { ownerEmail, signIn } from "../fixtures/sign-in.ts";

test("the log names no address, key, secret or e-mail of a reader or member, at its most talkative", async () => {
  const app = await openTestApp();
  const publisher = await createPublisher(app);
  const service = await startService("api", { ...settingsOf(app), LOG_LEVEL: "debug" });
  const api = createApi(service.url);
  const client = createReaderClient(api, publisher.siteId);
  const [reader] = createSubscriptions(1);
  const proof = { endpoint: reader!.endpoint, auth: reader!.keys.auth };
  await client.subscribe(reader!);
  await client.subscribe(reader!, { topicIds: ["no id"] });
  for (const path of ["preferences", "data", "erasure"]) await client.post(path, proof);
  await client.post("data", proof);
  await signIn(api, ownerEmail(publisher.tenantId));
  service.process.kill("SIGTERM");
  await service.ended;
  const log = service.output();
  expect(log).toContain("/data");
  for (const secret of [reader!.endpoint, reader!.endpoint.slice(-40), proof.auth, reader!.keys.p256dh])
    expect(log).not.toContain(secret);
  expect(log).not.toContain(ownerEmail(publisher.tenantId));
});
