import type { ReactNode } from "react";
import { plural } from "../plural.ts";
import { rich } from "../rich.ts";
import type { Text } from "../text.ts";

export const components = {
  // confirm.tsx
  keepIt: "Keep it",

  // class names, where a site has none of its own
  classes: { breaking: "Breaking news", normal: "Normal", low: "Of less importance" },

  // copy.tsx
  copy: "Copy",
  copied: "Copied",
  copyIt: ({ label }: { label: Text }) => `Copy ${label}`,
  copiedIt: ({ label }: { label: Text }) => `${label}: copied`,

  // filter-fields.tsx
  another: "Another one",

  // form-error.tsx
  correctWhatIsMarked: "Correct what is marked, then try again.",

  // growth-chart.tsx
  growth: ({ days, joined, left }: { days: Text; joined: number; left: number }) =>
    `In the last ${days} days ${plural(joined, "reader")} joined, and ${left} left.`,
  joined: "Joined",
  left: "Left",

  // link-token.tsx
  linkIsIncomplete: "This link is incomplete",
  copyItAgain: "Copy the whole link from the message again.",

  // nudge-extras.tsx
  aButton: ({ title, link }: { title: ReactNode; link: ReactNode }) => rich`Button “${title}” opens ${link}`,
  withoutSound: "No sound, no vibration",
  staysUntilTheyAct: "Stays on the screen until the reader acts",

  // numbers.ts
  over: ({ count }: { count: Text }) => `over ${count}`,
  people: ({ n }: { n: number }) => plural(n, "person", "people"),
  overPeople: ({ count }: { count: Text }) => `over ${count} people`,

  // open-approval-requests.tsx
  waitsForASecondPerson: "Waits for a second person",
  askedBy: ({ people, person, ends }: { people: Text; person: Text; ends: Text }) =>
    `${people}, asked by ${person}, ends ${ends}`,

  // outcome-bar.tsx
  removedSite: "A removed site",
  outcomes: {
    accepted: { label: "Accepted", explanation: "Accepted by the push service" },
    gone: { label: "Gone", explanation: "No longer subscribed, and now removed" },
    failed: { label: "Failed", explanation: "Refused by the push service" },
    expired: { label: "Expired", explanation: "The time to live ended first" },
    unknown: { label: "Unknown", explanation: "Perhaps accepted: the connection broke" },
    notSent: { label: "Not sent", explanation: "Stopped before they were sent" },
  },
  nothingSentYet: "nothing sent yet",

  // picture-fault.tsx
  pictureIsMissing: ({ link }: { link: ReactNode }) =>
    rich`The picture does not load: its address does not answer, is no picture, or serves its own site only. Readers get the notification without it. ${link}`,
  pictureIsNotHttps: ({ link }: { link: ReactNode }) =>
    rich`The picture does not load: its address has to begin with https://. Readers get the notification without it. ${link}`,
  openItsAddress: "Open its address",

  // receipt-summary.tsx
  receipts: ({ clicked, share, displayed }: { clicked: Text; share: Text; displayed: Text }) =>
    `${clicked} clicked (${share}) · ${displayed} displayed`,

  // recent-sends.tsx
  nothingWentOutYet: "Nothing was sent yet. What you send appears here with its effect.",
  reachedOf: ({ accepted, audience }: { accepted: Text; audience: Text }) => `${accepted} of ${audience}`,

  // states.tsx
  close: "Close",
  thatDidNotWork: "That did not work",
  request: ({ requestId }: { requestId: Text }) => `Request ${requestId}`,
  tryAgain: "Try again",
  loading: "Loading",

  // status-badge.tsx
  statuses: {
    draft: "Draft",
    scheduled: "Scheduled",
    sending: "Sending",
    sent: "Sent",
    stopped: "Stopped",
    cancelled: "Cancelled",
    failed: "Failed",
  },

  // times.tsx
  underASecond: "under a second",
  seconds: ({ s }: { s: Text }) => `${s} s`,
  minutes: ({ min }: { min: Text }) => `${min} min`,
  minutesAndSeconds: ({ min, s }: { min: Text; s: Text }) => `${min} min ${s} s`,
  hoursAndMinutes: ({ h, min }: { h: Text; min: Text }) => `${h} h ${min} min`,
  justNow: "just now",
  withinAMinute: "within a minute",
  whereReadersAre: ({ when }: { when: Text }) => `${when}, readers’ local time`,

  // who.ts: the actor, at the beginning of a line and within a sentence.
  actors: {
    begin: {
      user: "Somebody whose account is gone",
      keyOf: ({ name }: { name: Text }) => `API key ${name}`,
      feedOf: ({ name }: { name: Text }) => `Feed ${name}`,
      nameless: "that is gone",
      operator: "The command line",
      schedule: "The schedule",
      recurring: "A recurring send",
      reader: "Readers’ browsers",
      stranger: "Somebody who is not signed in",
      provider: "Single sign-on",
    },
    within: {
      user: "somebody whose account is gone",
      keyOf: ({ name }: { name: Text }) => `the API key ${name}`,
      feedOf: ({ name }: { name: Text }) => `the feed ${name}`,
      nameless: "that is gone",
      operator: "the command line",
      schedule: "the schedule",
      recurring: "a recurring send",
      reader: "readers’ browsers",
      stranger: "somebody who is not signed in",
      provider: "single sign-on",
    },
  },

  // reasons.tsx
  effects: { blocks: "Against it", lowers: "Less good", raises: "Good", informs: "To know" },

  // worth.ts
  betterNot: "Better not",
  worthSending: "Worth sending",
  worthASecondLook: "Worth a second look",
  hardlyWorthSending: "Hardly worth sending",

  // pages/not-found.tsx
  thereIsNoSuchPage: "There is no such page",
  goToTheOverview: "Go to the overview",
  theAddressMayBeCut: "The address may be cut or mistyped.",

  // pages/broken.tsx
  thisPageCouldNotBe: "This page could not be loaded",
  thisPageDoesNotWork: "This page does not work",
  reload: "Reload",
  thereIsANewVersion: "There is a new version, or your connection was lost. Reload; what you have typed is kept.",
  theFaultIsOursAnd:
    "The fault is ours, and what you have typed is kept. Reload; if it stays, tell the person who runs Pressbell.",

  // push-service-names.ts
  googleChromeEdgeOpera: "Google: Chrome, Edge, Opera",
  mozillaFirefox: "Mozilla: Firefox",
  appleSafari: "Apple: Safari",
  microsoftEdgeOnWindows: "Microsoft: Edge on Windows",
};
