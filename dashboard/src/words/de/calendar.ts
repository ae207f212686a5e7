import type { calendar as english } from "../en/calendar.ts";

export const calendar: typeof english = {
  calendar: "Kalender",
  whatWasSent: ({ timeZone }) => `Was gesendet wurde und was geplant ist, in der Zeit von ${timeZone}`,
  earlier: "Früher",
  thisMonth: "Dieser Monat",
  later: "Später",
  nothing: "Es wurde nichts gesendet, und nichts ist geplant.",
};
