import type { App } from "../../../src/app.ts";
import { createTestLink } from "../../../src/subscribers/test-devices.ts";
import type { DeclaredFact } from "../../../src/tenants/sites/declared-facts.ts";
import type { Prompt } from "../../../src/tenants/sites/reader-settings.ts";
import { changeSite, createSite, removeSite } from "../../../src/tenants/sites/sites.ts";
import { createTenant } from "../../../src/tenants/tenants.ts";
import { addTopic } from "../../../src/tenants/topics/topics.ts";
import { createSubscriptions, operatorOf } from "../../fixtures/publisher.ts";
import { changeSites } from "../../fixtures/rows/sites.ts";
import { start, subscriberIds } from "../../runs/fixture.ts";
import type { RecordingProxy } from "./recording-proxy.ts";

/** A publisher's site in the service, and the recorded POSTs of browsers to the service. */
export type ReaderService = RecordingProxy & Publisher;

/** A publisher's site in the service. */
export type Publisher = {
  tenantId: string;
  siteId: string;
  name: string;
  topics: { topicId: string; name: string }[];
  vapidPublicKey: string;
  setPrompt(change: Partial<Prompt>): Promise<Prompt>;
  /** Sets the page of preferences. */
  setPreferencesUrl(url: string): Promise<void>;
  /** Declares the facts that pages may report about readers. */
  declareFacts(facts: DeclaredFact[]): Promise<void>;
  /** Switches on the migration of readers of other push services. */
  migrateSubscriptions(): Promise<void>;
  /** Changes the VAPID key of the site. */
  changeKey(): Promise<string>;
  /** Starts the run of a notification. No worker delivers it. */
  startNudge(): Promise<unknown>;
  /** Removes the site. It can be restored. */
  remove(): Promise<void>;
  /** Returns the ids of the stored subscribers. */
  subscribers(): Promise<number[]>;
  /** The fragment of a new test device link, with its "#". */
  testFragment(label: string): Promise<string>;
};

const name = "Example News";

/** Creates a publisher whose pages show the soft prompt only when they call it. In mode `soft` they show it at once. */
export async function createPublisher(app: App): Promise<Publisher> {
  // This does not use the fixtures' createPublisher, which hashes an owner's password. That takes too long to do it for
  // each test.
  const { tenantId } = await createTenant(app, app.db, { name: "Publisher", plan: undefined, dpaAccepted: true });
  const actor = operatorOf(tenantId);
  const { siteId, vapidPublicKey } = await createSite(app, actor, app.db, { name, url: "https://news.example" });
  const topics = [];
  for (const topic of ["Politics", "Sports"]) {
    topics.push({ topicId: (await addTopic(app, actor, { siteId, name: topic })).topicId, name: topic });
  }
  const setPrompt = async (change: Partial<Prompt>) => {
    const { prompt } = await changeSite(app, actor, { siteId, prompt: change });
    return prompt as Prompt;
  };
  await setPrompt({ mode: "off", fromPage: 1, delaySeconds: 0 });
  return {
    tenantId,
    siteId,
    vapidPublicKey,
    topics,
    setPrompt,
    name,
    async setPreferencesUrl(preferencesUrl) {
      await changeSite(app, actor, { siteId, preferencesUrl });
    },
    async declareFacts(facts) {
      await changeSite(app, actor, { siteId, facts });
    },
    async migrateSubscriptions() {
      await changeSite(app, actor, { siteId, migrateSubscriptions: { workers: [], formerReaders: null } });
    },
    async changeKey() {
      const key = generateVapidKey();
      await changeSites(app, { id: siteId }, { vapidPublicKey: Buffer.from(key, "base64url") });
      return key;
    },
    startNudge: () => start(app, { tenantId, siteId }),
    remove: () => removeSite(app, actor, { siteId }),
    subscribers: () => subscriberIds(app, siteId),
    async testFragment(label: string) {
      const { link } = await createTestLink(app, actor, { siteId, label });
      return new URL(link).hash;
    },
  };
}

/** Allows pages of `origin` to call the service for readers of a site. */
export async function allowOrigin(app: App, { tenantId, siteId }: Publisher, origin: string): Promise<void> {
  await changeSite(app, operatorOf(tenantId), { siteId, origins: [origin] });
}

/** Returns a random point on P-256, base64url. */
export function generateVapidKey(): string {
  return createSubscriptions(1)[0]!.keys.p256dh;
}
