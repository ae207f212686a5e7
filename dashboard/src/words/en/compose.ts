import type { ReactNode } from "react";
import { plural } from "../plural.ts";
import { rich } from "../rich.ts";
import type { Text } from "../text.ts";

export const compose = {
  // actions.tsx
  draftLabels: { keep: "Save draft", done: "Draft saved" },
  scheduledLabels: { keep: "Save changes", done: "Changes saved" },
  send: "Send",
  sendATest: "Send a test",
  changeTheTime: "Change the time…",
  scheduleIt: "Schedule…",

  // also-to.tsx
  alsoTo: "Also to",
  siteIsPaused: ({ site }: { site: Text }) => `${site} · paused`,
  addressAt: ({ site }: { site: Text }) => `Address at ${site}`,
  toAllOf: ({ people }: { people: Text }) => `To ${people}. Empty: the address above`,
  scheduleAtEach: "For several sites, save the draft and schedule it at each.",
  othersGetItWhole: "There it goes to all readers: topics, followers and segments belong to one site.",

  // audience.tsx
  audience: "Audience",
  theSamePeopleAsBefore:
    "It goes to readers who got the wrong notification, or may have. If that send was stopped, it also goes to readers who were still waiting. Readers who subscribed later do not get it.",
  everybodyWhoCanBeReached:
    "Everybody who can be reached. With topics, which you add under Subscribers, you can choose.",
  topicsAnyOfThem: "Topics, any of them",
  searchTopics: ({ n }: { n: number }) => `${n} topics: type a part of a name.`,
  noSuchTopic: "No topic has this name",
  everybody: "Everybody",
  segment: "Segment",
  onlyReadersInIt: "Only readers who are in it, as Subscribers says",
  noSegment: "None: everybody",
  noSegmentOfTopics: "None: all of these topics",
  noSegmentOfFollowers: "None: all followers",
  followersOf: "Followers of",
  onlyReadersWhoFollowIt: "A story, an author or a series, by the id in your pages. Only readers who follow it",
  nothingTheyFollow: "Nothing: all readers",
  nobodyFollowsIt: "Nobody follows anything with these letters",
  worthShowingFor: "Expires after",
  aDeviceThatIsOff: "A device that is off longer does not show it",
  labels: "Labels",
  whatReportsAreGroupedBy: "What reports are grouped by: desk, section, author",
  classOfCampaign: "Class",
  breakingComesThrough: "Breaking news comes through the quiet hours and limits of readers who have agreed to it",
  othersSendThisClass: "You may not send this class: ask a second person to approve it, or choose another class",
  urgency: "Urgency",
  highWakesAPhone: "High wakes a phone that saves its battery",
  highBreakingNews: "High: breaking news",
  normal: "Normal",
  low: "Low",
  veryLow: "Very low",
  days: ({ n }: { n: number }) => plural(n, "day"),
  hours: ({ n }: { n: number }) => plural(n, "hour"),
  minutes: ({ n }: { n: number }) => plural(n, "minute"),

  // draft.ts
  pasteTheAddress: "Paste the https:// address of a story.",
  giveTheAddress: "Give the address to open.",
  writeATitle: "Write a title.",
  titleIsTooLong: ({ most }: { most: Text }) => `The title is over ${most} characters.`,
  textIsTooLong: ({ most }: { most: Text }) => `The text is over ${most} characters.`,
  writeAText: "Write a text.",

  // drafts.tsx
  tooLongToBeSaved: "This is too long to be saved. Shorten it; until then only this browser has it.",
  onlyThisBrowser: "Only this browser has your text: the service does not answer. It is saved as soon as it does.",
  savedNow: "Saved now",
  savedSecondsAgo: ({ s }: { s: Text }) => `Saved ${s} s ago`,
  savedMinutesAgo: ({ min }: { min: Text }) => `Saved ${min} min ago`,
  savedHoursAgo: ({ h }: { h: Text }) => `Saved ${h} h ago`,
  savedEarlier: "Saved earlier",
  saving: "Saving…",
  youGoOn: "You go on with your last draft.",
  startANewOne: "Start a new one",
  withoutATitle: "Without a title",
  yourOtherDrafts: "Your other drafts",
  deleteDraftOf: ({ name }: { name: Text }) => `Delete the draft “${name}”`,
  dropTheseChanges: "Drop these changes",
  deleteThisDraft: "Delete this draft",
  dropTheseChangesNow: "Drop these changes?",
  deleteThisDraftNow: "Delete this draft?",
  dropTheChanges: "Drop the changes",
  deleteTheDraft: "Delete the draft",
  changesAreGone: "Unsaved changes cannot be restored. The notification is sent at its time, as you saved it.",
  draftIsGone: "Its text cannot be brought back. What was saved under Campaigns stays there.",

  // newest-stories.tsx
  newestStories: "Newest stories",
  wentOut: "Sent",
  suggested: "Suggested",
  betterNot: "Better not",
  worthSending: "Worth sending",

  // nudge-editor.tsx
  nudge: "Notification",
  takeTheStorysOwnWords: "Take the story’s own words",
  title: "Title",
  text: "Text",
  picture: "Picture",
  pictureAddress: "An https:// address. Empty: no picture. Not every system shows one.",
  lengthOf: ({ length, max }: { length: Text; max: Text }) => `${length} of ${max}`,

  // headlines.tsx
  headline: ({ n }: { n: number }) => `Headline ${n}`,
  removeHeadline: ({ n }: { n: number }) => `Remove headline ${n}`,
  tryAnotherHeadline: "Try another headline",
  theRestWaits: "The others wait at most",
  howHeadlinesAreTried:
    "One in five readers gets one of the headlines. As soon as one is clearly clicked more, all others get it; at the latest after this time, they get the one with the most clicks.",

  // previews.tsx
  preview: "Preview",
  system: "System",
  aboutAsCut: ({ system }: { system: Text }) => `About as ${system} cuts it before it is opened.`,
  from: ({ site }: { site: Text }) => `from ${site}`,

  // group-question.tsx
  sites: "Sites",
  itGoesToSites: ({ people, sites }: { people: ReactNode; sites: number }) =>
    rich`It goes to ${people} of ${plural(sites, "site")}.`,
  aSecondPersonIsAsked: "A second person is asked",
  someAreAsked: "Where a second person is asked, it waits until another editor or owner approves it.",
  notToThisSite: "Not sent there",
  waitAtSites: ({ n }: { n: number }) => `It waits for a second person at ${plural(n, "site")}.`,

  // schedule-dialog.tsx
  scheduleThisNudge: "Schedule this notification",
  dayAndTimeIn: ({ timeZone }: { timeZone: Text }) => `Day and time in ${timeZone}`,
  oftenChosen: "Often chosen",
  byTheClocksOf: ({ when, site }: { when: Text; site: Text }) => `${when} by the clocks of ${site}.`,
  byBothClocks: ({ when, site, own }: { when: Text; site: Text; own: Text }) =>
    `${when} by the clocks of ${site}, ${own} by yours.`,
  dayAndTime: "Day and time",
  whereEachReaderIs: "At this time in each reader’s time zone",
  howLocalTime: "Each reader gets it at this local time. Readers with an unknown time zone get it at the site’s time.",
  fromFirstToLast: ({ first, here, last, site }: { first: Text; here: Text; last: Text; site: Text }) =>
    `In ${site}’s time zone: the first readers on earth ${first}, here ${here}, the last ${last}.`,
  hourComesTwice: "This hour comes twice that night; the first one is used.",
  withOthersItReachesMany: "Your sends within an hour count together, and reach many people.",
  soManyNeedASecondPerson:
    "A send to so many people needs a second person: it is scheduled when another editor or owner approves.",
  notYet: "Not yet",
  askASecondPerson: "Ask a second person",
  schedule: "Schedule",
  timeHasPassed: "This time has passed. Choose a later one.",
  scheduledBut: "Scheduled, but",

  // forecast.tsx
  expect: (of: { readers: Text; displayed: Text; clicked: Text; left: Text; nudges: number }) =>
    `In four of five cases, ${of.displayed} of ${of.readers} readers see it, ${of.clicked} click it and ${of.left} leave, based on your last ${plural(of.nudges, "notification")}.`,
  whatExplains: ({ gain }: { gain: Text }) =>
    `Hour, weekday, section, title, picture and topics explained ${gain} of the differences between those of the last 90 days.`,
  nothingExplains: "Hour, weekday, section, title, picture and topics told nothing more about them.",
  drawnToOthers: ({ tenants }: { tenants: number }) =>
    `Because these are few, figures of ${plural(tenants, "other publisher")} of this installation count, too.`,

  // best-hours.tsx
  mostClickedHere: "Most clicked here:",
  hourAndShare: ({ hour, share }: { hour: Text; share: Text }) => `${hour} · ${share}`,
  hourIsClear: ({ nudges }: { nudges: number }) =>
    `Of the readers reached, in the last twelve weeks (${plural(nudges, "notification")}). The first hour is clearly better than the others.`,
  hourMayBeChance: ({ nudges }: { nudges: number }) =>
    `Of the readers reached, in the last twelve weeks (${plural(nudges, "notification")}). The difference from other hours may be chance.`,
  bestHourIsUnknown: ({ needed }: { needed: number }) =>
    `Pressbell cannot say yet at which hour your readers click most. It needs ${needed} notifications at more than one hour.`,

  // send-bar.tsx
  noTitleYet: "No title yet",
  sendNow: "Send now…",
  whoGotTheFirstOne: "the readers of the first one",
  atSites: ({ n }: { n: number }) => plural(n, "site"),
  toEverybody: "everybody",

  // send-dialog.tsx
  orTriedAs: "Or:",
  noText: "no text",
  noPicture: "no picture",
  sendThisNudge: "Send this notification?",
  countingTheAudience: "Counting the audience",
  itGoesTo: ({ people, site }: { people: ReactNode; site: Text }) => rich`It goes to ${people} of ${site}.`,
  itGoesToThose: ({ people, site, who }: { people: ReactNode; site: Text; who: ReactNode }) =>
    rich`It goes to ${people} of ${site} ${who}.`,
  whoChoseTheseTopics: "who chose these topics",
  whoFollow: ({ story }: { story: ReactNode }) => rich`who follow ${story}`,
  whoAreInTheSegment: ({ segment }: { segment: ReactNode }) => rich`who are in the segment ${segment}`,
  withOthersYouReachMore: "Your sends within an hour count together, and reach more people.",
  aboveASecondPerson: ({ people }: { people: Text }) =>
    `A send to more than ${people} waits until another editor or owner approves it.`,
  tenSeconds: "You have 10 seconds to take it back, and can stop it at any time after that.",
  thisStory: "Pressbell’s verdict on the story now",
  readingTheStory: "The story is read once more.",
  sendTo: ({ people }: { people: Text }) => `Send to ${people}`,

  // shut-gates.tsx
  nothingGoesOutNow: "Nothing can be sent now",
  shut: {
    site_removed: "This site was removed: nothing is sent for it any more.",
    dpa_required: "An owner has to accept the agreement on readers’ data under Settings first.",
    tenant: "Sends of this publisher are paused, for all its sites. The pause is lifted under Settings.",
    site: "Sends of this site are paused. The pause is lifted under Settings.",
    class_limit: "This class has reached the owners’ limit for 24 hours. Choose another class.",
    billing: "This goes to more people than your plan allows. Choose fewer topics, or ask for a larger plan.",
  },
  paused: "Sends are paused",

  // story.tsx
  story: "Story",
  whereItLeads: "Where it leads",
  writeItFromAStory: "Write it from a story",
  writeItByHand: "Write it by hand",
  addressThatOpens: "Address that opens on a click",
  addressOfTheStory: "Address of the story",
  toSendAnotherStory: "To send another story, cancel this one and write a new one.",
  itIsReadAndChecked: "It is read and checked as soon as you paste it.",
  itScores: ({ score }: { score: Text }) => `It scores ${score} of 100.`,
  youCanSendItAllTheSame: "You can send it all the same: the decision is yours.",
  readThePageAgain: "Read the page again",

  // test-results.tsx
  addATestDevice: "Add a test device",
  testDevicesTookIt: ({ accepted, recipients }: { accepted: Text; recipients: Text }) =>
    `${accepted} of ${recipients} test devices took it`,
  withoutAName: "Without a name",

  // use-opened.ts
  changedInAnotherWindow: "This draft was changed in another window too. Both texts are kept.",

  // use-second-person.ts
  itWaits: "It waits for a second person. Nothing was sent yet.",

  // zone-time.ts
  chooseADayAndATime: "Choose a day and a time.",
  noSuchHour: ({ timeZone }: { timeZone: Text }) =>
    `The clocks of ${timeZone} leave this hour out that day. Choose another.`,
  inHours: ({ h }: { h: Text }) => `in ${h} h`,
  todayAt: ({ time }: { time: Text }) => `today ${time}`,
  tomorrowAt: ({ time }: { time: Text }) => `tomorrow ${time}`,
};
