import type { Text } from "../text.ts";

export const calendar = {
  calendar: "Calendar",
  whatWasSent: ({ timeZone }: { timeZone: Text }) => `What was sent and what is planned, in the time of ${timeZone}`,
  earlier: "Earlier",
  thisMonth: "This month",
  later: "Later",
  nothing: "Nothing was sent, and nothing is planned.",
  earlierThisMonth: "Earlier this month",
  more: ({ n }: { n: number }) => `${n} more`,
  planOn: ({ day }: { day: Text }) => `Plan for ${day}`,
  howToPlan: "Click on a day to plan for it. Drag a scheduled notification to another day to move it.",

  // recurring-sends.tsx
  recurringSends: "Recurring sends",
  recurringLead:
    "At these times Pressbell sends the newest story of a feed or topic, if there is a new one and the decision is to send it.",
  noRecurringSend: "There is none yet.",
  newRecurringSend: "New recurring send",
  newestOf: ({ name }: { name: Text }) => `The newest story of ${name}`,
  everyDay: "Every day",
  everyWeekday: "Every weekday",
  daysAt: ({ days, time }: { days: Text; time: Text }) => `${days} at ${time}`,
  nextIs: ({ when }: { when: Text }) => `Next: ${when}`,
  isOff: "Switched off",
  sourceIsOff: "Its feed is switched off, or its topic is retired: there will be no new story.",
  switchOf: ({ name }: { name: Text }) => `Switched on: ${name}`,
  change: "Change",
  changeOf: ({ name }: { name: Text }) => `Change: ${name}`,
  remove: "Remove",
  removeOf: ({ name }: { name: Text }) => `Remove: ${name}`,
  removeThis: "Remove this recurring send?",
  removeIt: "Remove it",
  whatStays: ({ name }: { name: Text }) =>
    `${name} is no longer sent at this time. Sent notifications stay in the calendar; times at which nothing was sent disappear.`,

  // recurring-send-form.tsx
  changeRecurringSend: "Change this recurring send",
  days: "Days",
  time: "Time",
  timeIs: ({ timeZone }: { timeZone: Text }) => `In the time of ${timeZone}`,
  source: "The newest story of",
  feeds: "Feeds",
  topics: "Topics",
  choose: "Choose a feed or a topic",
  whatIsLeft:
    "It takes stories that a feed suggested or held back because of a limit. A feed that sends by itself leaves none: set the feed to suggest.",
  save: "Save",
  cancel: "Cancel",

  // occurrence.tsx
  outcomes: {
    sent: "Sent",
    nothing_new: "No new story",
    skipped: "Not sent",
    refused: "Refused",
    missed: "Missed",
  },
  toCome: "Planned",
  whyNothing: {
    sent: "It was sent.",
    nothing_new: "There was no new story at this time, so nothing was sent.",
    skipped: "The decision was against the newest story, so nothing was sent.",
    refused: "The newest story could not be sent:",
    missed: "Pressbell was not running at this time, nor within an hour of it.",
  },
};
