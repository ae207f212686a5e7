import type { calendar as english } from "../en/calendar.ts";
import type { Text } from "../text.ts";

export const calendar: typeof english = {
  // pages/calendar.tsx
  calendar: "Calendar",
  whatWasSentAndWhat: ({ timeZone }: { timeZone: Text }) =>
    `What was sent and what is planned, in the time of ${timeZone}`,
  earlier: "Earlier",
  thisMonth: "This month",
  later: "Later",
  monday: "Monday",
  tuesday: "Tuesday",
  wednesday: "Wednesday",
  thursday: "Thursday",
  friday: "Friday",
  saturday: "Saturday",
  sunday: "Sunday",
  nothingWasSentAndNothing: "Nothing was sent, and nothing is planned.",
};
