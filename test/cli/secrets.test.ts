import { beforeAll, expect, test, vi } from "vitest";
import type { App } from "../../src/app.ts";
import { hubSecret, hubSecrets } from "../../src/feeds/websub/hub-secret.ts";
import { claimEmail } from "../../src/mail/queries.ts";
import { queueEmail, sealContext } from "../../src/mail/queue-email.ts";
import { createMessageSigner, readMessageToken } from "../../src/runs/message-token.ts";
import { createSecretBox } from "../../src/secret-box.ts";
import { readTestToken, writeTestToken } from "../../src/subscribers/test-token.ts";
import { vapidOfSite } from "../../src/tenants/vapid/queries.ts";
import { openVapidKey } from "../../src/tenants/vapid/vapid-pair.ts";
import { openTestApp, settingsOf } from "../fixtures/app.ts";
import { createPublisher, type Publisher } from "../fixtures/publisher.ts";
import { runHere } from "./run-here.ts";

vi.setConfig({ testTimeout: 60_000 });

const newKey = "the key that takes the place of the one for tests";
const oldKey = "the key with which everything was sealed before";
let app: App;
let publisher: Publisher;

beforeAll(async () => {
  const opened = await openTestApp({
    SMTP_URL: "smtp://127.0.0.1:1",
    MAIL_FROM: "a@example.org",
    PUBLIC_URL: "http://x",
  });
  app = { ...opened, secrets: createSecretBox(oldKey) };
  publisher = await createPublisher(app);
  await queueEmail(app, app.db, { to: "reader@example.org", subject: "A subject", text: "A text" });
});

const run = (words: string[], SECRET_KEY: string) => runHere(words, { ...settingsOf(app), SECRET_KEY });

test("a new key before the old one is taken, and reseal makes the old one needless", async () => {
  const privateKey = async (key: string) =>
    openVapidKey(
      createSecretBox(key),
      publisher.siteId,
      (await vapidOfSite(app.db, publisher.siteId))!.privateKeySealed,
    );
  const before = await privateKey(oldKey);
  expect((await run(["runs", "list"], newKey)).err).toContain("SECRET_KEY is not the one that sealed");
  expect((await run(["runs", "list"], `${newKey},${oldKey}`)).code).toBe(0);

  const resealed = await run(["secrets", "reseal", "--json"], `${newKey},${oldKey}`);
  expect(resealed).toMatchObject({ code: 0, out: '{"sites":1,"emails":1,"secondFactors":0}\n', err: "" });
  expect(await privateKey(newKey)).toEqual(before);
  await expect(privateKey(oldKey)).rejects.toThrow("sealed with another key");
  const { id, sealed } = (await claimEmail(app.db, [60]))!;
  expect(createSecretBox(newKey).open(sealed, sealContext(id)).toString()).toContain("reader@example.org");
  expect((await run(["runs", "list"], newKey)).code).toBe(0);
  expect((await run(["runs", "list"], oldKey)).err).toContain("SECRET_KEY is not the one that sealed");
});

test("tokens of the old key stay valid with both keys, and end with the new one alone", () => {
  const [old, both, alone] = [oldKey, `${newKey},${oldKey}`, newKey].map(createSecretBox) as [
    App["secrets"],
    App["secrets"],
    App["secrets"],
  ];
  const { token } = createMessageSigner(old.tokenKey, publisher.siteId, 1)(7);
  expect(readMessageToken(both.tokenKeys, token)).toMatchObject({ no: 1, position: 7 });
  expect(readMessageToken(alone.tokenKeys, token)).toBeUndefined();

  const link = { siteId: publisher.siteId, label: "Desk", expiresAtMs: 2_000_000_000_000 };
  expect(readTestToken(both, link.siteId, writeTestToken(old, link), 0)).toBe("Desk");
  expect(readTestToken(alone, link.siteId, writeTestToken(old, link), 0)).toBeUndefined();

  const feed = { id: publisher.siteId, hubUrl: "https://hub.example" };
  expect(hubSecret(both, feed)).toBe(hubSecret(alone, feed));
  expect(hubSecrets(both, feed)).toContain(hubSecret(old, feed));
  expect(hubSecrets(alone, feed)).not.toContain(hubSecret(old, feed));
});
