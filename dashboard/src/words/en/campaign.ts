import type { ReactNode } from "react";
import { plural } from "../plural.ts";
import { rich } from "../rich.ts";
import type { Text } from "../text.ts";

export const campaign = {
  // campaign-actions.tsx
  cancelIt: "Cancel it",
  edit: "Edit",
  schedule: "Schedule…",
  changeTheTime: "Change the time…",
  sendNow: "Send now…",
  cancelThisCampaign: "Cancel this campaign?",
  cancelTheCampaign: "Cancel the campaign",
  itWillNotGoOut: "It will not be sent, and you cannot bring it back.",
  duplicate: "Duplicate",
  sendACorrection: "Send a correction…",

  // group-panel.tsx
  sentToSites: ({ n }: { n: number }) => `Sent to ${plural(n, "site")}`,
  forSites: ({ n }: { n: number }) => `For ${plural(n, "site")}`,
  site: "Site",
  clicked: "Clicked",
  together: "Together",
  stopAll: "Stop all",
  stopAllSends: "Stop the sends to all sites?",

  // push-services.tsx
  byPushService: "By push service",
  browsers: "Browsers",
  reached: "Reached",
  notLookedUp: "Not looked up",
  reachedOf: ({ accepted, size }: { accepted: Text; size: Text }) => `${accepted} of ${size}`,

  // live-run.tsx
  statuses: {
    queued: "About to start",
    sending: "Sending",
    stopping: "Stopping",
    completed: "Sent",
    stopped: "Stopped",
    failed: "Failed",
  },
  progress: "Progress",
  paused: "Paused",
  connectionWasLost:
    "The connection to the service was lost: these numbers may be old. Sending continues; the page reconnects by itself.",
  doneOf: ({ done, people, share }: { done: Text; people: Text; share: Text }) => `${done} of ${people} · ${share}`,
  endedWith: ({ done, people, share }: { done: Text; people: Text; share: Text }) =>
    `Reached ${done} of ${people} · ${share}`,
  began: ({ when }: { when: Text }) => `Began ${when}`,
  beganAndTook: ({ when, lasted }: { when: Text; lasted: Text }) => `Began ${when}, took ${lasted}`,
  forTheFirst: ({ when }: { when: Text }) => `${when} for the first readers`,
  afterTheirHour: ({ lasted }: { lasted: Text }) => `${lasted} after their local time`,
  publisherIsPaused: ({ end }: { end: Text }) =>
    `Sends of this publisher are paused. Sending continues when the pause is lifted in the settings. A pause does not extend the send: readers who have not got it by ${end} will not get it.`,
  siteIsPaused: ({ end }: { end: Text }) =>
    `Sends of this site are paused. Sending continues when the pause is lifted in the settings. A pause does not extend the send: readers who have not got it by ${end} will not get it.`,
  repeated: "Repeated",
  stop: "Stop",
  stopThisSend: "Stop this send?",
  stopIt: "Stop it",
  whatAStopDoes:
    "Within a second nobody else gets it. People who have got it keep it, and a stopped send cannot be continued.",
  outcomes: "Outcomes",
  whySomeWereNotReached: "Why some were not reached",
  whySomeWait: "Why some wait",
  csv: "CSV",
  pushServiceSaid: ({ said }: { said: Text }) => `The push service says: ${said}`,
  tookItForEverybody: "The push services accepted all of it.",
  reason: "Reason",
  pushService: "Push service",
  people: "People",

  // receipts.tsx, receipts-chart.tsx
  receipts: {
    displayed: { label: "Displayed", explanation: "Reported by the browser; Safari does not report it" },
    clicked: { label: "Clicked", explanation: "The story was opened" },
    dismissed: { label: "Dismissed", explanation: "Closed; many phones do not report it" },
    unsubscribed: { label: "Unsubscribed", explanation: "Turned it off from this notification" },
  },
  whatReadersDid: "What readers did",
  nothingIsCounted: "This site does not count what readers do with its notifications.",
  noReportYet:
    "No browser has reported yet. Reports come from sites with the snippet, from the first minute on, for a week.",
  ofThoseReached: "of those reached",
  ofThoseWhoseBrowsersReport: "of those reached whose browsers report it",
  seconds: ({ n }: { n: number }) => plural(n, "second"),
  minutes: ({ n }: { n: number }) => plural(n, "minute"),
  hours: ({ n }: { n: number }) => plural(n, "hour"),
  days: ({ n }: { n: number }) => plural(n, "day"),
  afterClick: {
    title: "After the click",
    readers: "Readers",
    ofClicks: "Share of clicks",
    known: {
      read: "Read to the end",
      second_page: "Opened a second page",
      registered: "Registered",
      subscribed: "Subscribed",
    },
  },
  buttons: ({ list }: { list: Text }) => `Clicks on buttons: ${list}`,
  onTheScreen: ({ displayed, half, most, nearlyAll }: Record<"displayed" | "half" | "most" | "nearlyAll", Text>) =>
    `Of the ${displayed} displayed, half were on the screen within ${half}, 90% within ${most}, 99% within ${nearlyAll}.`,
  laterThanTheGoal: ({ goal }: { goal: Text }) => `The goal of 90% within ${goal} was missed.`,
  usual: ({ age, displayed, clicked }: { age: Text; displayed: Text; clicked: Text }) =>
    `Usual at this site after ${age}: ${displayed} displayed, ${clicked} clicked.`,

  // request-panel.tsx
  atOnce: "immediately",
  itWaitsForASecondPerson: "It waits for a second person",
  youWantToSend: ({ people, when, ends }: { people: ReactNode; when: Text; ends: Text }) =>
    rich`You want to send it to ${people}, ${when}. Another editor or owner has to approve it. The request ends ${ends}.`,
  somebodyWantsToSend: ({ who, people, when, ends }: { who: ReactNode; people: ReactNode; when: Text; ends: Text }) =>
    rich`${who} wants to send it to ${people}, ${when}. The request ends ${ends}.`,
  approveAndSend: "Approve and send",
  approveTheTime: "Approve the time",
  takeItBack: "Take it back",
  refuse: "Refuse",

  // updates-panel.tsx
  updates: "Updates on the screen",
  whatAnUpdateDoes:
    "A score, a count of votes: the notification changes where it is still on the screen, without a sound. Readers who have closed or opened it, and those with Safari, get no update.",
  updateTheNudge: "Update the notification",
  updateThisNow: "Update the notification?",
  whoGetsTheUpdate: ({ text }: { text: ReactNode }) =>
    rich`All readers who still have it on the screen see ${text} instead. For ten seconds you can undo it.`,
  updateIt: "Update it",
  notYet: "Not yet",
  updateStartsIn: ({ s }: { s: number }) => `Starts in ${s} s`,
  undoTheUpdate: "Undo",

  // headline-test.tsx
  headlineTest: {
    title: "Headlines",
    headline: "Headline",
    readers: "Readers",
    seen: "Seen by",
    clicked: "Clicked by",
    best: "Chance to be best",
    forAllOthers: "for all others",
    runsUntil: ({ when }: { when: Text }) =>
      `A part of the readers has one of the headlines. All others get the better one as soon as it is clear, at the latest ${when}.`,
    halted: {
      first_accepted:
        "A part of the readers gets one of the headlines. All others wait: the time counts from the first notification that was accepted.",
      pause: "The pause halts the comparison. All others wait, and the comparison continues when the pause ends.",
      push_services:
        "The push services accept nothing at the moment, so the comparison is halted. All others wait, and the comparison continues when the push services accept again.",
    },
    giveToAll: "Give it to all others now",
    giveThisToAll: "Give all others this headline now?",
    giveIt: "Give it to them",
    goOnComparing: "Keep comparing",
    whatGivingDoes: ({ headline }: { headline: ReactNode }) =>
      rich`The comparison ends, and all others get ${headline} immediately. You cannot undo this, but you can still stop the send.`,
    endings: {
      by_hand: "A member ended the comparison and chose. All others got that headline.",
      winner: "One headline was clearly clicked more. All others got it.",
      no_difference:
        "No headline was clearly better: the difference may be chance. All others got the one with the most clicks per notification shown, or the first in a tie.",
      not_measured: "No click was counted, so nothing could be compared. All others got the first one.",
      too_few: "Too few readers to compare headlines. All others got the first one.",
      stopped: "The send ended before the headlines could be compared. All others got nothing.",
    },
  },

  // waves.tsx
  waves: {
    title: "Where the readers are",
    eachGetsIt: ({ when }: { when: Text }) => `Each reader gets it on ${when}, local time.`,
    nextGetIt: ({ people, when }: { people: Text; when: Text }) => `Next: ${people}, ${when}.`,
    goesOut: "Sent at",
    clocks: "Their clocks",
    hourHadPassed: "The time had passed",
    readers: "Readers",
    accepted: "Accepted",
    state: "State",
    states: {
      waiting: "Waiting",
      sending: "Sending",
      done: "Sent",
      stopped: "Stopped",
      missed: "Missed",
    },
  },

  // sent-by.tsx
  sentBy: ({ who }: { who: ReactNode }) => rich`Sent by ${who}`,
  sentByItsSchedule: "Sent by its schedule",
  sentAtItsTime: ({ who }: { who: ReactNode }) => rich`Sent at its time, set by ${who}`,
};
