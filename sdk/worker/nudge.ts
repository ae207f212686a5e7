import { addRecord, removeRecords } from "./records.ts";
import type { Scope } from "./site.ts";

/** A payload of ours (declarative Web Push), as far as a worker shows it. */
export type Nudge = NotificationOptions & { title: string; data: NudgeData };

/** What stays with a shown notification. */
export type NudgeData = { id: string; token: string; navigate: string };

const texts = ["body", "icon", "image", "lang", "tag"] as const;

/** Reads a push; undefined where it is not ours or cannot be read: then nothing false is shown. */
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

/** Whether a notification is one of ours. */
export function isNudgeData(data: unknown): data is NudgeData {
  const { token, navigate } = (data ?? {}) as Partial<NudgeData>;
  return isText(token) && isText(navigate);
}

/** The tokens of other nudges that stand on the screen and that this one, a correction, will take the place of. */
export async function tokensReplacedBy({ registration }: Scope, { tag, data }: Nudge): Promise<string[]> {
  const standing = tag ? await registration.getNotifications({ tag }).catch(() => []) : [];
  return standing.flatMap(({ data: old }) => (isNudgeData(old) && old.token !== data.token ? [old.token] : []));
}

/**
 * Shows a nudge, and says whether it was new. One that was shown before is a repeat, which is not shown: but on
 * Safari, where a push that shows nothing costs the permission, it silently replaces the first by its tag. A message is
 * noted before it is shown, since two copies can come at once; where nothing can be noted, it is shown.
 */
export async function showNudge({ registration, navigator }: Scope, { title, ...options }: Nudge): Promise<boolean> {
  const { id } = options.data;
  const isNew = await addRecord("messages", id).catch(() => true);
  if (!isNew && !isSafari(navigator.userAgent)) return false;
  try {
    await registration.showNotification(title, { ...options, silent: !isNew });
  } catch (error) {
    if (isNew) await removeRecords("messages", [id]);
    throw error;
  }
  return isNew;
}

/** Chromium names WebKit as well. */
function isSafari(userAgent: string): boolean {
  return userAgent.includes("AppleWebKit") && !userAgent.includes("Chrome");
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}
