import { addRecord, deleteRecords } from "./records.ts";
import type { Scope } from "./site.ts";

/** The part of our payload (declarative Web Push) that a worker shows. */
export type Nudge = NotificationOptions & { title: string; data: NudgeData; appBadge?: number; actions?: Action[] };

/** A button. `action`: its number. */
type Action = { action: string; title: string; navigate: string };

/** The data stored with a shown notification. */
export type NudgeData = {
  id: string;
  token: string;
  navigate: string;
  buttons?: string[];
  counts?: "together";
  /** Of notifications with one tag, that with the highest is to be seen. Absent: 0. */
  order?: number;
  /**
   * Changes a notification on the screen. `loud`: its first sight is to sound, for a reader who has not had the
   * notification.
   */
  update?: "loud" | "silent";
};

const texts = ["body", "icon", "image", "badge", "lang", "tag"] as const;
const switches = ["requireInteraction", "silent"] as const;

/** Reads a push. Returns undefined if it is not ours or cannot be read; then nothing is shown. */
export function readNudge(data: PushMessageData | null): Nudge | undefined {
  try {
    const { web_push, notification, app_badge: appBadge } = data?.json() ?? {};
    const { title, navigate, dir, data: ours, actions } = notification;
    const buttons = actions?.map(({ navigate }: Action) => navigate);
    const { id, token, counts, order, update } = ours;
    const read = { title, actions, data: { id, token, counts, order, update, navigate, buttons } };
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

/**
 * Returns the data of the notifications on the screen with the tag of this one, which it replaces: a correction, or an
 * update.
 */
export async function shownBefore({ registration }: Scope, { tag, data }: Nudge): Promise<NudgeData[]> {
  const shown = tag ? await registration.getNotifications({ tag }).catch(() => []) : [];
  return shown.flatMap(({ data: old }) => (isNudgeData(old) && old.id !== data.id ? [old] : []));
}

/**
 * Shows a notification and returns whether it was new. `replaces`: one with its tag is on the screen. A repeated
 * message is shown again, silently and in place of the first by its tag, only where a push that shows nothing has a
 * price; so is an update of a notification that the reader has closed. A message is recorded before it is shown,
 * because two copies can arrive at once. If it cannot be recorded, it is shown.
 */
export async function showNudge(
  scope: Scope,
  { title, appBadge, ...options }: Nudge,
  replaces: boolean,
): Promise<boolean> {
  const { id, update } = options.data;
  const isNew = await addRecord("messages", id).catch(() => true);
  // Under its tag the notification itself is recorded.
  const isFirst = isNew && (await addRecord("messages", options.tag ?? id).catch(() => true));
  const isClosed = update && !isFirst && !replaces;
  if ((!isNew || isClosed) && !(await mustShow(scope))) return false;
  const silent = !isNew || (update ? !isFirst || update === "silent" : options.silent === true);
  try {
    await scope.registration.showNotification(title, { ...options, silent });
  } catch (error) {
    if (isNew) await deleteRecords("messages", [id]);
    throw error;
  }
  // Only browsers with installed sites have it. No notification fails for the number on an icon.
  if (isNew && Number.isInteger(appBadge)) await scope.navigator.setAppBadge?.(appBadge).catch(() => {});
  return isNew;
}

/**
 * Returns whether a push has to show something. Safari revokes the permission of a site whose pushes show nothing.
 * Chromium says "This site has been updated in the background", unless a notification or a page of the site is in view.
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
