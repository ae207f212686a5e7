import { createReading, inView } from "../prompt/reading.ts";
import { clickVisit, pageOf } from "./tell-outcome.ts";

/** The least time in view after which an article counts as read, however short it is. */
const leastMs = 10_000;

/**
 * Calls `tell` with `read` once the reader has seen the end of the article, and with `second_page` once they are on
 * another page.
 */
export function watchReading(tell: (name: string) => void): void {
  let seen = "";
  const look = async () => {
    const { token, page } = clickVisit() ?? {};
    if (!token || seen === token + pageOf()) return;
    seen = token + pageOf();
    if (page !== pageOf()) return tell("second_page");
    const reading = createReading(95);
    await inView(leastMs);
    await reading();
    if (page === pageOf()) tell("read");
  };
  look();
  // A click can focus an article that is already open, and a page can change its address without loading.
  addEventListener("hashchange", look);
  (window as WithNavigation).navigation?.addEventListener("navigatesuccess", look);
}

/** The Navigation API, which not every browser has. */
type WithNavigation = Window & { navigation?: EventTarget };
