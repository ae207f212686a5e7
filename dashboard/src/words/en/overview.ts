import { plural } from "../plural.ts";
import type { Text } from "../text.ts";

export const overview = {
  // standing.tsx
  howReadersTakeTheNudges: "How readers take the nudges",
  inTheLastDays: "The last 7 days: what browsers judge a site by, too",
  clickedOfShown: ({ clicked }: { clicked: Text }) => `${clicked} of those shown were clicked`,
  dismissedOfShown: ({ dismissed }: { dismissed: Text }) => `${dismissed} of those shown were dismissed`,
  leftInTheLastDays: ({ left, share }: { left: number; share: Text }) => `${plural(left, "reader")} left (${share})`,
  nudgesADay: ({ nudges }: { nudges: Text }) => `${nudges} nudges a day for each reader`,
  promptedOfVisits: ({ visits, prompted }: { visits: Text; prompted: Text }) =>
    `About ${visits} visits; ${prompted} of them saw the prompt`,
  answersOfAsked: ({ asked, granted, denied }: { asked: Text; granted: Text; denied: Text }) =>
    `The browser asked ${asked} times: ${granted} yes, ${denied} no`,
  // period-figures.tsx
  whoCameAndWhoLeft: "Who came and who left",
  period: "Period",
  days: ({ one }: { one: Text }) => `${one} days`,
  aYear: "1 year",
  reachableSubscribers: "Reachable subscribers",
  testDeviceBesides: ({ testDevices }: { testDevices: number }) => `${plural(testDevices, "test device")} besides`,
  joinedInDays: ({ days }: { days: Text }) => `Joined in ${days} days`,
  noneWasFoundGone: "None was found gone",
  wasFoundGone: ({ left }: { left: number }) => `${plural(left, "was", "were")} found gone`,
  nudgesSent: "Nudges sent",
  messageTaken: ({ reached }: { reached: number }) => `${plural(reached, "message")} taken`,
  clicks: "Clicks",
  ofThoseReached: ({ clicked }: { clicked: Text }) => `${clicked} of those reached`,
  noneInTheDaysBefore: ({ days }: { days: Text }) => `None in the ${days} days before`,
  againstTheDaysBefore: ({ sign, abs, days }: { sign: Text; abs: Text; days: Text }) =>
    `${sign}${abs}% against the ${days} days before`,
};
