import { test } from "vitest";
import { installedBrowsers } from "../fixtures/browsers/installed-browsers.ts";
import { freePort } from "../fixtures/free-port.ts";
import { allRuns } from "../fixtures/killed-run/killed-run.ts";
import { startPushService } from "../fixtures/push-service/push-service.ts";
import { hasWordPress, startWordPress } from "../fixtures/wordpress/wordpress.ts";
import { openChromium } from "./sdk/chromium.ts";

test("browsers and WordPress run, and the test never ends", async () => {
  const pushService = await startPushService({ host: "localhost" });
  for (const { start } of installedBrowsers()) await start(pushService);
  await openChromium();
  if (hasWordPress()) await startWordPress(await freePort(), {}, "");
  await allRuns();
});
