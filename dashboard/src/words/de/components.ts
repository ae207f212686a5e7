import type { components as english } from "../en/components.ts";
import { plural } from "../plural.ts";
import type { Text } from "../text.ts";

export const components: typeof english = {
  // confirm.tsx
  keepIt: "Keep it",

  // copy.tsx
  copy: ({ label }: { label: Text }) => `Copy ${label}`,
  copied: "Copied",
  copy2: "Copy",

  // form-error.tsx
  correctWhatIsMarkedThen: "Correct what is marked, then try again.",

  // growth-chart.tsx
  inTheLastDaysReader: ({ length, joined, left }: { length: Text; joined: number; left: number }) =>
    `In the last ${length} days ${plural(joined, "reader")} joined, and ${plural(left, "was", "were")} found gone.`,
  joined: "Joined",
  left: "Left",

  // link-token.tsx
  thisLinkIsIncomplete: "This link is incomplete",
  copyItFromTheMessage: "Copy it from the message again, to its very end.",

  // numbers.ts
  over: ({ count }: { count: Text }) => `over ${count}`,
  people: ({ n }: { n: number }) => plural(n, "person", "people"),
  overPeople: ({ count }: { count: Text }) => `over ${count} people`,

  // open-send-requests.tsx
  waitsForASecondPerson: "Waits for a second person",
  askedByEnds: ({ audience, email, when }: { audience: Text; email: Text; when: Text }) =>
    `${audience}, asked by ${email}, ends ${when}`,

  // outcome-bar.tsx
  accepted: "Accepted",
  takenByThePushService: "Taken by the push service",
  gone: "Gone",
  readersWhoHadLeftThey: "Readers who had left; they were removed",
  failed: "Failed",
  refusedByThePushService: "Refused by the push service",
  expired: "Expired",
  theTimeToLiveEnded: "The time to live ended first",
  unknown: "Unknown",
  perhapsTakenTheConnectionBroke: "Perhaps taken: the connection broke",
  notSent: "Not sent",
  stoppedBeforeTheyWereSent: "Stopped before they were sent",
  nothingSentYet: "nothing sent yet",

  // picture-fault.tsx
  thePictureDoesNotLoad:
    "The picture does not load: its address does not answer, is no picture, or serves its own site only. ",
  thePictureDoesNotLoad2: "The picture does not load: its address has to begin with https://. ",
  readersGetTheNudgeWithout: ({ value }: { value: Text }) => `${value}Readers get the nudge without it. `,
  openItsAddress: "Open its address",

  // receipt-summary.tsx
  clickedDisplayed: ({ clicked, clicked2, displayed }: { clicked: Text; clicked2: Text; displayed: Text }) =>
    `${clicked} clicked (${clicked2}) · ${displayed} displayed`,

  // recent-sends.tsx
  nothingWentOutYetWhat: "Nothing went out yet. What you send appears here with its effect.",
  of: ({ accepted, audience }: { accepted: Text; audience: Text }) => `${accepted} of ${audience} · `,

  // states.tsx
  thatDidNotWork: "That did not work",
  request: ({ requestId }: { requestId: Text }) => `Request ${requestId}`,
  tryAgain: "Try again",
  loading: "Loading",

  // status-badge.tsx
  draft: "Draft",
  scheduled: "Scheduled",
  sending: "Sending",
  sent: "Sent",
  stopped: "Stopped",
  cancelled: "Cancelled",

  // times.tsx
  underASecond: "under a second",
  min: ({ value }: { value: Text }) => `${value} min`,
  minS: ({ floor, value }: { floor: Text; value: Text }) => `${floor} min ${value} s`,
  hMin: ({ floor, floor2 }: { floor: Text; floor2: Text }) => `${floor} h ${floor2} min`,
  justNow: "just now",
  withinAMinute: "within a minute",

  // who.ts: who did something, as the begin of a line, and within a sentence.
  actors: {
    begin: {
      user: "Somebody whose account is gone",
      keyOf: ({ name }: { name: Text }) => `API key ${name}`,
      feedOf: ({ name }: { name: Text }) => `Feed ${name}`,
      nameless: "that is gone",
      operator: "The command line",
      schedule: "The schedule",
      reader: "Readers’ browsers",
      stranger: "Somebody who is not signed in",
    },
    within: {
      user: "somebody whose account is gone",
      keyOf: ({ name }: { name: Text }) => `the API key ${name}`,
      feedOf: ({ name }: { name: Text }) => `the feed ${name}`,
      nameless: "that is gone",
      operator: "the command line",
      schedule: "the schedule",
      reader: "readers’ browsers",
      stranger: "somebody who is not signed in",
    },
  },

  // worth.ts
  betterNot: "Better not",
  worthSending: "Worth sending",
  worthASecondLook: "Worth a second look",
  hardlyWorthSending: "Hardly worth sending",
};
