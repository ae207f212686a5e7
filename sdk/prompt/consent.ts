import { loaded } from "./loaded.ts";

/** What says that a page may store something in the browser: a consent platform, or a function of the page. */
export type ConsentSource = "tcf" | "google" | "page";

type TcfData = { eventStatus?: string; gdprApplies?: boolean; purpose?: { consents?: Record<number, boolean> } };
type GoogleEntry = [what: string, how: string, state?: { functionality_storage?: string }];
type Page = {
  __tcfapi?: (command: string, version: number, tell: (data: TcfData | null) => void) => void;
  dataLayer?: (GoogleEntry | null)[];
  pressbellConsent?: () => unknown;
};

/** Resolves once the reader has agreed. Never, if the page has no such platform or function when it has loaded. */
export async function consentFrom(source: ConsentSource): Promise<void> {
  await loaded();
  const { __tcfapi, dataLayer = [], pressbellConsent } = window as Page;
  return new Promise((resolve, reject) => {
    const tell = (agrees: unknown) => agrees === true && resolve();
    if (source === "page") Promise.resolve(pressbellConsent?.()).then(tell, reject);
    // Purpose 1 is to store something in the browser. While the reader is asked, it may still be the platform's default.
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

/** Google's consent mode. A default may be of one region: one that denies is enough to wait for an update. */
function isGranted(entries: (GoogleEntry | null)[]): boolean | undefined {
  let granted: boolean | undefined;
  for (const entry of entries) {
    const { 0: what, 1: how, 2: state } = entry ?? [];
    const value = state?.functionality_storage;
    if (what === "consent" && value) granted = value === "granted" && (how === "update" || granted !== false);
  }
  return granted;
}
