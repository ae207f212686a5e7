import { loaded } from "./loaded.ts";

/** What tells a page that it may store something in the browser: a consent platform, or a function of the page. */
export type ConsentSource = "tcf" | "google" | "page";

type TcfData = { eventStatus?: string; gdprApplies?: boolean; purpose?: { consents?: Record<number, boolean> } };
type GoogleEntry = [what: string, how: string, state?: { functionality_storage?: string }];
type Page = {
  __tcfapi?: (command: string, version: number, tell: (data: TcfData | null) => void) => void;
  dataLayer?: (GoogleEntry | null)[];
  pressbellConsent?: () => unknown;
};

/**
 * Resolves once the reader has agreed. Never resolves if the platform or function is missing when the page has
 * loaded.
 */
export async function consentFrom(source: ConsentSource): Promise<void> {
  await loaded();
  const { __tcfapi, dataLayer = [], pressbellConsent } = window as Page;
  return new Promise((resolve, reject) => {
    const tell = (agrees: unknown) => agrees === true && resolve();
    if (source === "page") Promise.resolve(pressbellConsent?.()).then(tell, reject);
    // Purpose 1 is to store something in the browser. While the platform asks the reader, its answer may still be the
    // default.
    if (source === "tcf")
      __tcfapi?.("addEventListener", 2, (data) =>
        tell(data?.eventStatus !== "cmpuishown" && (data?.gdprApplies === false || data?.purpose?.consents?.[1])),
      );
    if (source === "google") {
      const look = () => tell(isGranted(dataLayer));
      const push = dataLayer.push;
      dataLayer.push = (...entries) => {
        const length = push.apply(dataLayer, entries);
        look();
        return length;
      };
      look();
    }
  });
}

/**
 * Returns whether Google's consent mode allows storing. A default may apply to one region only, so if one default
 * denies, the answer is false until an update grants it.
 */
function isGranted(entries: (GoogleEntry | null)[]): boolean | undefined {
  let granted: boolean | undefined;
  for (const entry of entries) {
    const { 0: what, 1: how, 2: state } = entry ?? [];
    const value = state?.functionality_storage;
    if (what === "consent" && value) granted = value === "granted" && (how === "update" || granted !== false);
  }
  return granted;
}
