import { z } from "zod";
import type { App } from "../app.ts";
import { appError, type FieldFault, invalidFields } from "../errors.ts";
import { fault, faults, zodText } from "../faults.ts";
import { expects, faultsOf, flag, withoutNulls } from "../input.ts";
import { knownZone } from "../local-time.ts";
import { type Consent, recordConsent } from "./consent/record-consent.ts";
import { takeKept } from "./gone-queries.ts";
import { languageOf } from "./language.ts";
import { enforceRegistrationLimit, withinRegistrationLimit } from "./limit-registrations.ts";
import { countMigrated } from "./migration-queries.ts";
import { restorePreferences } from "./preferences/kept-preferences.ts";
import { topicIdsOfSite, upsertSubscriber } from "./queries.ts";
import { checkSubscription, endpointHref, hashEndpoint, readAuth } from "./subscription.ts";
import { withinDeviceLimit } from "./test-devices.ts";
import { readTestToken } from "./test-token.ts";
import { beginWelcome } from "./welcome-queries.ts";

/** The most topics that a browser chooses at once. */
export const maxChosenTopics = 100;

const registration = z.strictObject(
  {
    // Browsers add members such as expirationTime.
    subscription: z.looseObject({}, expects("a JSON object")),
    topicIds: z
      .array(z.unknown(), zodText(faults.wrong_type({ type: "a list" })))
      .max(maxChosenTopics, zodText(faults.too_large({ most: maxChosenTopics })))
      .optional(),
    replaces: z
      .object(
        { endpoint: z.string(expects("a string")), auth: z.string(expects("a string")) },
        expects("a JSON object"),
      )
      .optional(),
    testToken: z.string(expects("a string")).optional(),
    // The call comes from a service worker: the subscription exists, but the reader may not be on the site.
    background: flag.optional(),
    // The browser already had the permission and a subscription with another push service.
    migrated: flag.optional(),
    // An IANA name. A name that is not known here is ignored: the browser's tables may be newer.
    timeZone: z
      .string(expects("a string"))
      .max(64, zodText(faults.too_long({ most: 64 })))
      .optional(),
    // The browser's language (BCP 47). A value that is no language is ignored, so that no reader is lost.
    language: z.unknown().optional(),
    // Whether the browser reports displays. Absent: it has not said.
    reportsDisplays: flag.optional(),
    // How the reader said yes: the version of the prompt, or `page` for a button of the page.
    consent: z
      .string(expects("a string"))
      .regex(/^(page|[0-9a-f]{16})$/, zodText(faults.not_a_prompt()))
      .optional(),
  },
  expects("a JSON object"),
);

const uniqueViolation = "23505";

/** The answer to a browser. `label`: the label of a test device, null for a reader. */
export type Registered = { isNew: boolean; topicIds: string[]; isTest: boolean; label: string | null };

/**
 * Registers a browser's subscription to a site, or confirms an existing one. `topicIds` replaces the chosen topics.
 * Without it, they stay. `replaces`: an earlier subscription of the browser, whose topics, test mark and label move to
 * this one. They come back even if the push service has said that the browser is gone, within the site's `returnDays`.
 * `migrated`: the reader comes from another push service. `testToken`: the browser becomes a test device. Throws
 * `validation_failed` with all faults at once, `subscription_conflict` if the endpoint is registered with other keys,
 * `device_limit` for a test device, and `rate_limited` for a new subscriber over the limit of the site or of
 * `address`, the browser's IP address.
 */
export async function registerSubscriber(
  app: App,
  input: { siteId: string; address: string; body: unknown },
): Promise<Registered> {
  const { siteId, address } = input;
  const { wanted, subscription, label } = await readRegistration(app, siteId, input.body);
  const oldHref = endpointHref(wanted.replaces?.endpoint);
  const oldAuth = readAuth(wanted.replaces?.auth);
  const isReplacing = oldHref !== undefined && oldAuth !== undefined;
  const replaces = isReplacing ? { endpointHash: hashEndpoint(oldHref), auth: oldAuth } : null;
  const topicIds = wanted.topicIds === undefined ? null : subscription.topicIds;
  const store = () =>
    app.db.transaction().execute(async (tx) => {
      const kept = await takeKept(tx, siteId, replaces ? [subscription, replaces] : [subscription]);
      const change = {
        topicIds,
        replaces,
        label: label ?? kept?.label ?? null,
        keptTopicIds: kept?.topicIds ?? [],
        isVisit: wanted.background !== true,
        reportsDisplays: wanted.reportsDisplays ?? null,
        timeZone: wanted.timeZone === undefined ? null : (knownZone(wanted.timeZone) ?? null),
        language: languageOf(wanted.language) ?? null,
      };
      const upsert = () => upsertSubscriber(tx, siteId, subscription, change);
      const registered = await (label === undefined ? upsert() : withinDeviceLimit(tx, siteId, upsert));
      // Throwing within the transaction rolls it back, so the subscription that `replaces` names stays.
      if (registered === undefined) throw appError("subscription_conflict");
      const { isAdded, ...answer } = registered;
      if (kept?.preferences) await restorePreferences(tx, siteId, subscription.endpointHash, kept.preferences);
      // A test device comes by a link that a member made, so no limit applies.
      if (isAdded && label === undefined) await enforceRegistrationLimit(app, tx, { siteId, address });
      if (isAdded && wanted.migrated) await countMigrated(tx, siteId);
      // All others were readers before: they come back, move from another push service, or their browser renewed its
      // subscription.
      const isNewReader = isAdded && !kept && !replaces && !wanted.migrated && wanted.background !== true;
      if (isNewReader && label === undefined) await beginWelcome(tx, siteId, subscription.endpointHash);
      const consent = consentOf(wanted, label !== undefined);
      const stored = { endpointHash: subscription.endpointHash, isNew: registered.isNew };
      if (consent && (isAdded || wanted.consent)) await recordConsent(tx, siteId, stored, consent);
      return answer;
    });
  const storeOnce = () =>
    store().catch((error: { code?: string }) => {
      // Unique violation: page and worker of one browser registered at once. The second try finds the row of the
      // first.
      if (error.code === uniqueViolation) return store();
      throw error;
    });
  return withinRegistrationLimit(app, siteId, storeOnce);
}

function consentOf(
  { consent, migrated }: { consent?: string | undefined; migrated?: boolean | undefined },
  isTest: boolean,
): Consent | undefined {
  if (isTest) return { how: "test" };
  if (migrated) return { how: "migrated" };
  if (consent === undefined || consent === "page") return consent && { how: consent };
  return { how: "prompt", version: consent };
}

async function readRegistration(app: App, siteId: string, body: unknown) {
  const parsed = registration.safeParse(withoutNulls(body));
  const {
    subscription = {},
    topicIds,
    testToken,
  } = (parsed.data ?? withoutNulls(body) ?? {}) as Record<string, unknown>;
  const rules = { pushServices: app.config.PUSH_SERVICES, topicIds: await topicIdsOfSite(app.db, siteId) };
  const checked = checkSubscription(Object(subscription), Array.isArray(topicIds) ? topicIds : undefined, rules);
  const label = typeof testToken === "string" ? readTestToken(app.secrets, siteId, testToken, app.now()) : undefined;
  const shape = parsed.success ? [] : faultsOf(parsed.error);
  const isShaped =
    typeof subscription === "object" && !shape.some(({ path }) => path === "/subscription" || path === "");
  const wrong = [
    ...shape,
    ...(isShaped ? (checked.faults ?? []).map(pathInBody) : []),
    ...(typeof testToken === "string" && label === undefined ? [fault("/testToken", faults.test_link_expired())] : []),
  ];
  if (!parsed.success || wrong.length > 0 || checked.subscription === undefined) throw invalidFields(wrong);
  return { wanted: parsed.data, subscription: checked.subscription, label };
}

/** Converts a path within the subscription to a path within this body, which has the topics beside the subscription. */
function pathInBody(one: FieldFault): FieldFault {
  const { path } = one;
  return { ...one, path: path.startsWith("/topics") ? path.replace("/topics", "/topicIds") : `/subscription${path}` };
}
