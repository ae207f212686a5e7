import { sql } from "kysely";
import { beforeEach, expect, test } from "vitest";
import { hasShapeOf, pushServiceOfOrigin } from "../../src/subscribers/push-service.ts";
import { openTestApp, serve } from "../fixtures/app.ts";
import { createPublisher, createSubscriptions } from "../fixtures/publisher.ts";
import { createReaderClient } from "../fixtures/reader-client.ts";

const listed = "https://push.example";
const app = await openTestApp({ PUSH_SERVICES: listed });
const api = await serve(app);
let siteId: string;

beforeEach(async () => {
  await sql`truncate rate_limits`.execute(app.db);
  ({ siteId } = await createPublisher(app));
});

const check = (endpoint: string, further: string[] = []) =>
  hasShapeOf(pushServiceOfOrigin(new URL(endpoint).origin, further)!, new URL(endpoint));
const token = (length: number) => "Ab3_-xyz".repeat(length).slice(0, length);

/** Endpoints as browsers get them: the paths of each push service, with tokens of its alphabet and length. */
const real = [
  ["Chrome", `https://fcm.googleapis.com/fcm/send/${token(11)}:APA91b${token(134)}`],
  ["Chrome, newer path", `https://fcm.googleapis.com/wp/${token(11)}:APA91b${token(134)}`],
  ["Chromium, for tests", `https://fcm.googleapis.com/preprod/wp/${token(11)}:APA91b${token(134)}`],
  ["Chromium of a Linux distribution", `https://jmt17.google.com/fcm/send/${token(11)}:APA91b${token(134)}`],
  ["Chrome, token without an instance", `https://fcm.googleapis.com/fcm/send/APA91b${token(134)}`],
  ["Firefox, with a key", `https://updates.push.services.mozilla.com/wpush/v2/gAAAAAB${token(176)}`],
  ["Firefox, without a key", `https://updates.push.services.mozilla.com/wpush/v1/gAAAAAB${token(133)}`],
  ["Firefox, padded", `https://updates.push.services.mozilla.com/wpush/v1/gAAAAAB${token(133)}==`],
  ["Safari", `https://web.push.apple.com/Q${token(171)}`],
  ["Edge", `https://wns2-par02p.notify.windows.com/w/?token=BQYAAA${token(120)}%2b%2f${token(120)}%3d%3d`],
  ["Edge, upper case", `https://wns2-par02p.notify.windows.com/w/?token=BQYAAA${token(120)}%2B%2F${token(120)}%3D`],
] as const;

test.each(real)("an endpoint of %s is accepted", async (_browser, endpoint) => {
  expect(check(endpoint)).toBe(true);
  const { keys } = createSubscriptions(1)[0]!;
  expect((await createReaderClient(api, siteId).subscribe({ endpoint, keys })).status).toBe(201);
});

test.each([
  "https://fcm.googleapis.com/",
  `https://fcm.googleapis.com/push/${token(150)}`,
  `https://fcm.googleapis.com/fcm/send/${token(63)}`,
  `https://fcm.googleapis.com/fcm/send/${token(150)}/more`,
  `https://fcm.googleapis.com/fcm/send/${token(150)}?n=1`,
  `https://fcm.googleapis.com/v1/projects/p/messages:send`,
  `https://updates.push.services.mozilla.com/wpush/v2/${token(20)}`,
  `https://updates.push.services.mozilla.com/wpush/v2/${token(180)}:${token(9)}`,
  `https://updates.push.services.mozilla.com/m/${token(180)}`,
  "https://web.push.apple.com/abc",
  `https://web.push.apple.com/Q${token(171)}?n=1`,
  `https://api.push.apple.com/3/device`,
  "https://db5p.notify.windows.com/w/?token=abc",
  `https://db5p.notify.windows.com/w/${token(200)}`,
  `https://db5p.notify.windows.com/w/?token=${token(200)}&n=1`,
])("%s is refused, with the fault of the field", async (endpoint) => {
  expect(check(endpoint)).toBe(false);
  const { keys } = createSubscriptions(1)[0]!;
  const refused = await createReaderClient(api, siteId).subscribe({ endpoint, keys });
  const message = "is no endpoint that this push service gives to browsers";
  expect(refused).toMatchObject({ status: 400, body: { errors: [{ path: "/subscription/endpoint", message }] } });
});

test("endpoints of a service in PUSH_SERVICES are not checked, whatever its host", async () => {
  const { keys } = createSubscriptions(1)[0]!;
  const answer = await createReaderClient(api, siteId).subscribe({ endpoint: `${listed}/any?thing=1`, keys });
  expect(answer.status).toBe(201);
  expect(check("https://fcm.googleapis.com/x", ["https://fcm.googleapis.com"])).toBe(true);
});
