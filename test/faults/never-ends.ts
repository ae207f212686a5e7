import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "vitest";
import { hold } from "../db/embedded/fixture.ts";
import { openTestApp, settingsOf } from "../fixtures/app.ts";
import { createCertificate } from "../fixtures/certificate.ts";
import { hasNghttpd, hasNginx, startNghttpd, startNginx } from "../fixtures/installed-servers.ts";
import { allRuns } from "../fixtures/killed-run/killed-run.ts";
import { startService } from "../fixtures/service-process.ts";
import { startOwnPostgres } from "./own-postgres.ts";
import { hasPgbouncer, startPgbouncer } from "./pgbouncer.ts";
import { startPushProcess } from "./push-process.ts";

test("everything runs that tests start, and the test never ends", async () => {
  await startService("start", settingsOf(await openTestApp()));
  await startPushProcess(0);
  await startOwnPostgres();
  await hold(await mkdtemp(join(tmpdir(), "pressbell-held-")));
  const certificate = await createCertificate("installed server");
  if (hasNginx) await startNginx(certificate, 100);
  if (hasNghttpd) await startNghttpd(certificate);
  if (hasPgbouncer) await startPgbouncer(1);
  await allRuns();
});
