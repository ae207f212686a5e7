import { plural } from "../plural.ts";
import type { Text } from "../text.ts";

export const overview = {
  // first-steps.tsx
  firstSteps: {
    heading: "First steps",
    done: ({ finished, all }: { finished: number; all: number }) => `${finished} of ${all} done`,
    allDone: "Everything is in place.",
    isDoneWord: "done",
    isOpenWord: "open",
    line: {
      title: "The line on your site",
      lead: "One line in the head of every page. Readers are then asked whether they want notifications.",
      act: "Show the line",
    },
    worker: {
      title: "The worker file on your site",
      lead: "A small file that shows notifications while no page of yours is open.",
      act: "Show the file",
    },
    testDevice: {
      title: "A test device",
      lead: "Your own phone or browser. It gets a notification before readers do.",
      act: "Add a test device",
    },
    reader: {
      title: "The first reader",
      lead: "Open your site and say yes. You can also import the readers that you have.",
      act: "Import readers",
    },
    notification: {
      title: "The first notification",
      lead: "Paste the address of a story. Nothing is sent before you confirm it.",
      act: "Compose it",
    },
  },

  // sender-reputation.tsx
  howReadersTakeTheNudges: "How readers take the notifications",
  inTheLastDays: "The last 7 days. Browsers judge a site by these figures.",
  clickedOfShown: ({ clicked }: { clicked: Text }) => `${clicked} of those shown were clicked`,
  dismissedOfShown: ({ dismissed }: { dismissed: Text }) => `${dismissed} of those shown were dismissed`,
  leftInTheLastDays: ({ left, share }: { left: number; share: Text }) => `${plural(left, "reader")} left (${share})`,
  nudgesADay: ({ nudges }: { nudges: Text }) => `${nudges} notifications a day for each reader`,
  promptedOfVisits: ({ visits, prompted }: { visits: Text; prompted: Text }) =>
    `About ${visits} visits; ${prompted} of them saw the prompt`,
  answersOfAsked: ({ asked, granted, denied }: { asked: Text; granted: Text; denied: Text }) =>
    `The browser asked ${asked} times: ${granted} yes, ${denied} no`,
  // report.tsx
  report: {
    title: "Report",
    lead: "What was sent in the last 30 days. One with several labels or topics counts in each.",
    grouped: "By",
    groups: { label: "Label", topic: "Topic", class: "Class", sender: "Sender", day: "Day" },
    nothing: "Nothing was sent.",
    readersReached: "Reached",
    clickRate: "Click rate",
    none: "None",
  },
  // send-frequency.tsx
  sendFrequency: "How often to send",
  byWeek: "Week",
  nudges: "Notifications",
  clicksANudge: "Clicks per notification",
  readersLost: "Left",
  byNudgesADay: "Notifications per day",
  orMore: ({ n }: { n: number }) => `${n} or more`,
  daysOfThat: "Days",
  ofThoseShown: "Clicked of those shown",
  clicksOfThousand: "Clicks per 1,000 readers",
  lostOfThousand: "Lost per 1,000 readers",
  tooFewDays: ({ days }: { days: number }) =>
    `Pressbell cannot say yet whether more notifications a day pay off. It needs ${days} days with few and ${days} with more.`,
  compared: (of: { nudges: number; clicksFewer: Text; clicksMore: Text; lostFewer: Text; lostMore: Text }) =>
    `Of 1,000 readers, days with up to ${plural(of.nudges, "notification")} brought ${of.clicksFewer} clicks, and ${of.lostFewer} left; days with more brought ${of.clicksMore}, and ${of.lostMore} left.`,
  advice: {
    send_fewer: ({ nudges }: { nudges: number }) =>
      `Send at most ${nudges} a day: more costs you, and brings no more clicks.`,
    send_more: () => "More notifications pay off here: they bring more clicks, and no more readers leave.",
    trade_off: () => "More notifications bring more clicks and cost more readers. Weigh one against the other.",
    no_difference: () => "The difference may be chance: no advice follows from it.",
  },
  // holdouts.tsx
  holdouts: {
    title: "What notifications win and lose",
    lead: "Of 1,000 readers. The effect is between the two numbers in brackets in 19 of 20 cases; if 0 is between them, it may be chance.",
    withNudges: "With",
    without: "Without",
    effect: "Effect",
    range: ({ middle, low, high }: { middle: Text; low: Text; high: Text }) => `${middle} (${low} to ${high})`,
    visits: "Come in a day",
    left: "Leave in four weeks",
    counted: ({ heldOut, days }: { heldOut: number; days: number }) =>
      `Left out: ${plural(heldOut, "reader")}. Counted on ${plural(days, "day")}.`,
    leftLater: "How many leave shows a week after four whole weeks.",
    notCounted: ({ name }: { name: Text }) =>
      `${name}: the first figures come within two days, on a new site within five weeks.`,
  },
  // period-figures.tsx
  readersInAll: "Readers in all",
  readers: "Readers",
  readersFromTo: ({ first, last }: { first: Text; last: Text }) => `From ${first} readers to ${last}.`,
  clicksAndRate: "Clicks and click rate",
  clickRate: "Click rate",
  byDaysOfSending: "Of what was sent on each day, whenever the clicks came",
  byDaysOfSendingOfWeek: "Of what was sent in each week, whenever the clicks came",
  clicksOfPeriod: ({ clicked, rate }: { clicked: Text; rate: Text }) => `${clicked} clicks, ${rate} of those reached.`,
  whoCameAndWhoLeft: "Who came and who left",
  period: "Period",
  days: ({ one }: { one: Text }) => `${one} days`,
  aYear: "1 year",
  reachableSubscribers: "Reachable subscribers",
  testDeviceBesides: ({ testDevices }: { testDevices: number }) => `${plural(testDevices, "test device")} besides`,
  joinedInDays: ({ days }: { days: Text }) => `Joined in ${days} days`,
  noneHasLeft: "None left",
  haveLeft: ({ left }: { left: number }) => `${plural(left, "reader")} left`,
  nudgesSent: "Notifications sent",
  messageTaken: ({ reached }: { reached: number }) => `${plural(reached, "message")} accepted`,
  clicks: "Clicks",
  ofThoseReached: ({ clicked }: { clicked: Text }) => `${clicked} of those reached`,
  noneInTheDaysBefore: ({ days }: { days: Text }) => `None in the ${days} days before`,
  againstTheDaysBefore: ({ sign, abs, days }: { sign: Text; abs: Text; days: Text }) =>
    `${sign}${abs}% against the ${days} days before`,
};
