import { testComparison } from "./comparison.ts";
import { testConsent } from "./consent.ts";
import { testCorrections } from "./correction.ts";
import { testDisturbance } from "./disturbance.ts";
import { testElements } from "./elements.ts";
import { testFirstVisit } from "./first-visit.ts";
import { testInVain } from "./in-vain.ts";
import { testLanguages } from "./languages.ts";
import { testMigrateSubscriptions } from "./migrate-subscriptions.ts";
import { testNudges } from "./nudge.ts";
import { testPageScript } from "./page-script.ts";
import { testPermission } from "./permission.ts";
import { testPreferences } from "./preferences.ts";
import { testReceiptModes } from "./receipt-modes.ts";
import { testReceive } from "./receive.ts";
import { testReturn } from "./return.ts";
import { testSubscription } from "./subscription.ts";
import { testUpdates } from "./updates.ts";
import { testUpdatesOffline } from "./updates-offline.ts";
import { testWelcome } from "./welcome.ts";
import { testWhen } from "./when.ts";

/**
 * The suites of what readers do and see. Suites that look at all notifications on the desktop come first, because a
 * notification of an earlier suite may arrive late.
 */
export const suites = {
  receive: testReceive,
  disturbance: testDisturbance,
  updates: testUpdates,
  "updates offline": testUpdatesOffline,
  correction: testCorrections,
  preferences: testPreferences,
  nudge: testNudges,
  "receipt modes": testReceiptModes,
  welcome: testWelcome,
  subscription: testSubscription,
  "migrate-subscriptions": testMigrateSubscriptions,
  "first visit": testFirstVisit,
  when: testWhen,
  comparison: testComparison,
  consent: testConsent,
  languages: testLanguages,
  elements: testElements,
  "in vain": testInVain,
  return: testReturn,
  "page script": testPageScript,
  permission: testPermission,
};
