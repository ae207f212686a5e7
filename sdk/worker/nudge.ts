import { addRecord, deleteRecords } from "./records.ts";
import type { Scope } from "./site.ts";

/** The part of our payload (declarative Web Push) that a worker shows. */
export type Nudge = NotificationOptions & { title: string; data: NudgeData; appBadge?: number; actions?: Action[] };

/** A button of a notification. `action`: its number. */
type Action = { action: string; title: string; navigate: string };

/** The data stored with a shown notification. */
export type NudgeData = {
  id: string;
  token: string;
  navigate: string;
  buttons?: string[];
  counts?: "together";
  /** The notification with the highest order stays on the screen, among those with one tag. Absent: 0. */
  order?: number;
  /**
   * Set if the message changes a notification on the screen. `loud`: the notification sounds if the reader has not
   * had it before.
   */
  update?: "loud" | "silent";
};

const texts = ["body", "icon", "image", "badge", "lang", "tag"] as const;
const switches = ["requireInteraction", "silent"] as const;

/** Reads a push. Returns undefined if it is not ours or cannot be read. Nothing is shown then. */
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
 * Returns the data of the notifications on the screen that this one replaces because they have its tag. It is a
 * correction or an update of them.
 */
export async function shownBefore({ registration }: Scope, { tag, data }: Nudge): Promise<NudgeData[]> {
  const shown = tag ? await registration.getNotifications({ tag }).catch(() => []) : [];
  return shown.flatMap(({ data: old }) => (isNudgeData(old) && old.id !== data.id ? [old] : []));
}

/**
 * Shows a notification and returns whether it was new. `replaces`: whether a notification with its tag is on the
 * screen. A repeated message is shown again only if the browser punishes a push that shows nothing. It is then silent
 * and replaces the first by its tag. The same holds for an update of a notification that the reader has closed. A
 * message is recorded before it is shown, because two copies can arrive at once. If it cannot be recorded, it is
 * shown.
 */
export async function showNudge(
  scope: Scope,
  { title, appBadge, ...options }: Nudge,
  replaces: boolean,
): Promise<boolean> {
  const { id, update } = options.data;
  const isNew = await addRecord("messages", id).catch(() => true);
  // This record is for the notification itself, whose messages all have this tag.
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
  // Only browsers with installed sites have setAppBadge. A failure of the badge does not fail the notification.
  if (isNew && Number.isInteger(appBadge)) await scope.navigator.setAppBadge?.(appBadge).catch(() => {});
  return isNew;
}

/**
 * Returns whether a push has to show something. Safari revokes the permission of a site whose pushes show nothing.
 * Chromium shows "This site has been updated in the background", unless a notification is shown or a page of the site
 * is in view.
 */
async function mustShow({ clients, navigator, registration }: Scope): Promise<boolean> {
  // The user agent of Chromium also contains AppleWebKit.
  if (!navigator.userAgent.includes("AppleWebKit")) return false;
  if (!navigator.userAgent.includes("Chrome")) return true;
  const pages = await clients.matchAll({ type: "window", includeUncontrolled: true });
  const shown = await registration.getNotifications();
  return shown.length === 0 && !pages.some(({ visibilityState }) => visibilityState === "visible");
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}
