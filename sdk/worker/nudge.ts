import { addRecord, deleteRecords } from "./records.ts";
import type { Scope } from "./site.ts";

/** The part of our payload (declarative Web Push) that a worker shows. */
export type Nudge = NotificationOptions & { title: string; data: NudgeData };

/** The data stored with a shown notification. */
export type NudgeData = { id: string; token: string; navigate: string };

const texts = ["body", "icon", "image", "lang", "tag"] as const;

/** Reads a push. Returns undefined if it is not ours or cannot be read; then nothing is shown. */
export function readNudge(data: PushMessageData | null): Nudge | undefined {
  try {
    const { web_push, notification } = data?.json() ?? {};
    const { title, navigate, dir, data: ours } = notification;
    const read = { title, data: { id: ours.id, token: ours.token, navigate } };
    if (web_push !== 8030 || ![title, navigate, ours.id, ours.token].every(isText)) return undefined;
    const options = texts.filter((name) => isText(notification[name])).map((name) => [name, notification[name]]);
    return { ...read, ...Object.fromEntries(options), dir: dir === "rtl" || dir === "ltr" ? dir : "auto" };
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
 * its tag, only where a push that shows nothing has a price. A message is
 * recorded before it is shown, because two copies can arrive at once. If it cannot be recorded, it is shown.
 */
export async function showNudge(scope: Scope, { title, ...options }: Nudge): Promise<boolean> {
  const { id } = options.data;
  const isNew = await addRecord("messages", id).catch(() => true);
  if (!isNew && !(await mustShow(scope))) return false;
  try {
    await scope.registration.showNotification(title, { ...options, silent: !isNew });
  } catch (error) {
    if (isNew) await deleteRecords("messages", [id]);
    throw error;
  }
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
