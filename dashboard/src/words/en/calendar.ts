import type { Text } from "../text.ts";

export const calendar = {
  calendar: "Calendar",
  whatWasSent: ({ timeZone }: { timeZone: Text }) => `What was sent and what is planned, in the time of ${timeZone}`,
  earlier: "Earlier",
  thisMonth: "This month",
  later: "Later",
  nothing: "Nothing was sent, and nothing is planned.",
};
