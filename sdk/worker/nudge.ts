import { addRecord, deleteRecords } from "./records.ts";
import type { Scope } from "./site.ts";

/** The part of our payload (declarative Web Push) that a worker shows. */
export type Nudge = NotificationOptions & { title: string; data: NudgeData; appBadge?: number };

/** The data stored with a shown notification. */
export type NudgeData = { id: string; token: string; navigate: string };

const texts = ["body", "icon", "image", "badge", "lang", "tag"] as const;
const switches = ["requireInteraction", "silent"] as const;

/** Reads a push. Returns undefined if it is not ours or cannot be read; then nothing is shown. */
export function readNudge(data: PushMessageData | null): Nudge | undefined {
  try {
    const { web_push, notification, app_badge: appBadge } = data?.json() ?? {};
    const { title, navigate, dir, data: ours } = notification;
    const read = { title, data: { id: ours.id, token: ours.token, navigate } };
    if (web_push !== 8030 || ![title, navigate, ours.id, ours.token].every(isText)) return undefined;
    const names = [
      ...texts.filter((name) => isText(notification[name])),
      ...switches.filter((name) => notification[name] === true),
    ];
    const options = Object.fromEntries(names.map((name) => [name, notification[name]]));
    return { ...read, ...options, dir: dir === "rtl" || dir === "ltr" ? dir : "auto", appBadge };
  } catch {
    return undefined;
  }
}

/** Returns whether the data of a notification is ours. */
export function isNudgeData(data: unknown): data is NudgeData {
  const { token, navigate } = (data ?? {}) as Partial<NudgeData>;
  return isText(token) && isText(navigate);
}

/** Returns the tokens of the shown nudges that this one, a correction, replaces. */
export async function tokensReplacedBy({ registration }: Scope, { tag, data }: Nudge): Promise<string[]> {
  const shown = tag ? await registration.getNotifications({ tag }).catch(() => []) : [];
  return shown.flatMap(({ data: old }) => (isNudgeData(old) && old.token !== data.token ? [old.token] : []));
}

/**
 * Shows a nudge and returns whether it was new. A repeated message is shown again, silently and in place of the first by
 * its tag, only where a push that shows nothing has a price. A message is recorded before it is shown, because two copies
 * can arrive at once. If it cannot be recorded, it is shown.
 */
export async function showNudge(scope: Scope, { title, appBadge, ...options }: Nudge): Promise<boolean> {
  const { id } = options.data;
  const isNew = await addRecord("messages", id).catch(() => true);
  if (!isNew && !(await mustShow(scope))) return false;
  try {
    await scope.registration.showNotification(title, { ...options, silent: !isNew || options.silent === true });
  } catch (error) {
    if (isNew) await deleteRecords("messages", [id]);
    throw error;
  }
  // Only browsers with installed sites have it. No nudge fails for the number on an icon.
  if (isNew && Number.isInteger(appBadge)) await scope.navigator.setAppBadge?.(appBadge).catch(() => {});
  return isNew;
}

/**
 * Returns whether a push has to show something. Safari revokes the permission of a site whose pushes show nothing. Chromium
 * says "This site has been updated in the background", unless a notification or a page of the site is in view.
 */
async function mustShow({ clients, navigator, registration }: Scope): Promise<boolean> {
  // The user agent of Chromium names AppleWebKit too.
  if (!navigator.userAgent.includes("AppleWebKit")) return false;
  if (!navigator.userAgent.includes("Chrome")) return true;
  const pages = await clients.matchAll({ type: "window", includeUncontrolled: true });
  const shown = await registration.getNotifications();
  return shown.length === 0 && !pages.some(({ visibilityState }) => visibilityState === "visible");
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}
