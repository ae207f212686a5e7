import type { ReactNode } from "react";
import { plural } from "../plural.ts";
import { rich } from "../rich.ts";
import type { Text } from "../text.ts";

export const settings = {
  // section-nav.tsx
  section: "Section",
  sections: {
    site: "Site",
    stories: "Stories",
    classes: "Classes",
    prompt: "Prompt",
    notifications: "Notifications",
    readers: "Readers",
    welcome: "Welcome",
    "win-back": "Win-back",
    drill: "Fire drill",
    publisher: "Publisher",
  },

  // agreement-state.tsx
  agreement: "Agreement",
  agreementOnReadersData: "Agreement on readers’ data",
  versionOf: ({ version }: { version: Text }) => `Version of ${version}`,
  accepted: ({ when, by }: { when: Text; by: Text }) => `Accepted ${when}${by}.`,
  versionOfAccepted: ({ acceptedVersion, when, by }: { acceptedVersion: Text; when: Text; by: Text }) =>
    `Version of ${acceptedVersion} accepted ${when}${by}.`,
  by: ({ accepter }: { accepter: Text }) => ` by ${accepter}`,
  theTextWasChangedSince: "The text was changed since. Sends continue; read it again, and accept it.",
  notAcceptedAsItStands: "Not accepted as it stands: only an owner can.",
  theOperatorOnTheCommand: "the operator, on the command line",
  iAcceptTheDataProcessing: "I accept the data processing agreement for this publication",
  acceptIt: "Accept it",

  // nudge-form.tsx
  whatEachNudgeCarries: "What each notification carries",
  itHoldsFromTheNext: "It applies from the next send.",
  icon: "Icon",
  theSmallPictureBesideThe: "The small picture beside the text, square, https. Empty: the browser’s own",
  theIconThatIsSaved: "The icon that is saved",
  suchAs: ({ value }: { value: Text }) => `such as ${value}`,
  howAClickLeadsTo: "How a click leads to the story",
  straightThereTheClicksAre:
    "Straight there, the clicks are counted by the script on the story’s page. Through this service they are counted where it cannot run.",
  straightToTheStory: "Straight to the story",
  throughThisService: "Through this service",
  secondsToTheScreen: "Goal: 90% on the screen within (seconds)",
  theOverviewWarnsWhenMissed: "The overview warns when the notifications of the last 7 days missed it. Empty: no goal.",
  whenAMachineDiesWhile: "When a machine dies while it sends",
  forAtMost500Messages:
    "For at most 500 messages it is then not known whether they were sent. Most browsers show a repeated one once.",
  sendThemAgainNobodyMisses: "Send them again, so that nobody misses it",
  leaveThemNobodyGetsIt: "Leave them: nobody gets it twice",

  // prompt-form.tsx
  whatReadersAreAsked: "What readers are asked",
  theSiteAsksInIts:
    "The site asks in its own words first, because a reader may answer the browser with “never”. An empty field uses our own text.",
  askByItself: "Ask by itself",
  offOnlyWhatAPage: "Off: readers are asked only when your own page asks, such as with a button.",
  question: "Question",
  explanation: "Explanation",
  yes: "Yes",
  later: "Later",
  factsOfReaders: "Facts about readers",
  whatPagesMaySay:
    "Your pages can tell Pressbell these facts about a subscribed reader, for segments. Readers see their facts on the page of preferences, and can remove them. At most 8 facts, each with at most 20 values between commas. A fact must never say who a reader is. Only owners change them.",
  fact: ({ n }: { n: number }) => `Fact ${n}`,
  nameOfTheFact: "Name",
  whatReadersSee: "What readers see",
  yourPlan: "Your plan",
  valuesOfTheFact: "Values",
  freeOrPaid: "free, paid",
  removeTheFact: ({ n }: { n: number }) => `Remove fact ${n}`,
  addAFact: "Add a fact",
  pageOnWhichReadersChoose: "Page on which readers choose topics and times",
  theFormForTopics: "A page of this site with the form. The question and digests lead there.",
  daysForWhichAChoice: "Days for which a reader's choice is kept after they have left",
  ofReadersWhoseBrowser: "For readers who forbid notifications and allow them again. Empty: not at all.",
  whatIsCounted: "What is counted of readers",
  onlySumsCannotTell:
    "Only sums: no report tells one reader from another, and none leads to a subscription. From the next send on.",
  eachNudgeApart: "Each notification apart: displayed, clicked, closed",
  onlySums: "Only sums",
  nothingAtAll: "Nothing",
  topicsInThePrompt: "Topics that readers can tick",
  readersTickThem:
    "At most 8. The section of the page is already ticked. Readers who tick none get what goes to all readers.",
  aboveTheTopics: "Above the topics",
  ticksAllOfThem: "Tick all",
  linkToChoose: "Link to the page on which they choose",
  readersOfAnotherService: "Readers of another push service",
  whoHasAllowedNotifications:
    "Readers who have allowed notifications of this site become subscribers here at their next visit, without being asked again. What the other service has in their browser is ended.",
  migrateThem: "Migrate them",
  itsScriptsOneALine: "Its scripts on this site, one a line",
  thoseOfOneSignal: "Those of OneSignal, Webpushr, CleverPush and Pushwoosh are known. Such as /push/worker.js.",
  howManyReadersItHad: "How many readers it had",
  countItsExport: "Count its export (CSV)",
  onAnIphoneBeforeIt: "On an iPhone, before it is on the home screen",
  howItLooks: "How it looks",

  beforeItStoresOrAsks: "Before it stores or asks anything",
  whatThePageWaitsFor: "Until the reader agrees the page stores nothing, asks nothing and migrates nobody.",
  consentSources: {
    off: "It waits for nothing",
    tcf: "Wait for a consent platform (IAB TCF)",
    google: "Wait for Google’s consent mode",
    page: "Wait for the page’s function pressbellConsent",
  },

  // prompt-when.tsx
  whenLabels: {
    fromPage: "From which page of the site on",
    fromVisit: "From which visit on",
    delaySeconds: "Seconds that the page is in view",
    scrollPercent: "Percent of the article that is read",
    repeatDays: "Days of rest after “later”",
    onlyPaths: "Only on these paths",
    neverPaths: "Never on these paths",
  },
  onePathALine: "One a line, such as /sport/*: * stands for any characters. Empty: no such rule.",

  // prompt-languages.tsx
  otherLanguages: "In other languages",
  aPageInSuchALanguage:
    "A page whose lang attribute names such a language shows these texts, and any other page those above. An empty field is the text above.",
  language: "Language",
  suchAsPtBr: "Such as de or pt-BR",
  addLanguage: "Add the language",
  removeLanguage: ({ language }: { language: Text }) => `Remove ${language}`,

  // publisher.tsx
  publisher: "Publisher",
  // unsaved-edits.tsx
  leaveUnsaved: "Leave without saving?",
  someEditsAreNotSaved: "You have changed settings on this page and not saved them.",
  leaveThem: "Leave without saving",
  stayHere: "Stay here",

  saved: "Saved.",
  nameOfThePublisher: "Name of the publisher",
  rename: "Rename",
  sendThisMonthMessageTaken: ({ sends, accepted }: { sends: number; accepted: number }) =>
    `${plural(sends, "send")} this month, ${plural(accepted, "message")} taken by push services.`,
  theLargestWentTo: ({ largestAudience }: { largestAudience: Text }) => `The largest went to ${largestAudience}.`,
  planForAll: ({ plan }: { plan: ReactNode }) => rich`Plan ${plan}: a send may go to any number of people.`,
  planFor: ({ plan, audienceCap }: { plan: ReactNode; audienceCap: Text }) =>
    rich`Plan ${plan}: a send may go to ${audienceCap}.`,
  theLargestOfThePlan: ({ largestAudience, audienceCap }: { largestAudience: Text; audienceCap: Text }) =>
    `The largest went to ${largestAudience} of ${audienceCap} that the plan allows.`,
  theLargestSendOfThe: "The largest send of the month, of what the plan allows",

  // readers-form.tsx
  whereReadersComeFrom: "Where readers come from",
  pagesOfMaySubscribeReaders: ({ origin }: { origin: Text }) =>
    `Pages of ${origin} may subscribe readers, and those that you name here.`,
  furtherAddressesOneALine: "Further addresses, one a line",
  suchAsThatOfA: "Such as that of a mobile site or a second domain",
  monthsAfterWhichASilent: "Months after which a silent browser is removed",
  itIsSilentWhenIt: "It is silent when it neither visits the site nor gets a notification. Empty: never removed",

  // second-person.tsx
  aSecondPerson: "A second person",
  whatGoesToMorePeople:
    "A send to more people waits until another editor or owner approves it. Sends of one person within an hour count together. This applies to what you send and schedule here, not to API keys and feeds. Check the feeds whose override is on: from then on only owners turn it on.",
  largeSendsNeedASecond: "Large sends need a second person",
  aboveSoManyPeople: "Above so many people",
  thereIsNobodyToBe: "There is nobody to be the second person yet: invite an editor under Members.",
  saveThis: "Save this",

  // site-form.tsx
  save: ({ title }: { title: Text }) => `Save: ${title}`,
  save2: "Save",

  // site-limits.tsx
  whenStoriesAreWorthSending: "When stories are worth sending",
  pressbellAdvisesByTheseAn: "Pressbell advises by these. An empty field sets no limit.",
  timeZone: "Time zone",
  oldestStoryInHours: "Oldest story, in hours",
  sendsIn24HoursAt: "Sends in 24 hours, at most",
  minutesBetweenTwoSends: "Minutes between two sends",
  aStoryWithoutADate: "A story without a date",
  neitherItsPageNorThe: "Neither its page nor the feed says when it was published: it may be old.",
  askBeforeAFeedSends: "Ask before a feed sends it",
  sendItLikeOthers: "Send it like others",
  skipIt: "Skip it",
  quietHours: "Quiet hours",
  from: "From",
  until: "Until",

  // classes-form.tsx
  classesOfCampaigns: "Classes of notifications",
  whatHoldsForEachClass: "What holds for each class. An empty field sets no limit.",
  onlyOwnersChangeClasses: "What holds for each class. Only owners change it.",
  nameOfClass: "What you call it",
  capOfClass: {
    hour: "A reader gets an hour, at most",
    day: "A reader gets a day, at most",
    week: "A reader gets a week, at most",
  },
  holdoutOfClass: "Readers who do not get it, in percent",
  whatAHoldoutDoes:
    "From 0 to 10. These readers show what the notifications win and lose. Every four weeks other readers are drawn.",
  whoSendsClass: "Who may send it",
  sendersOfClass: { owner: "Owners", editor: "Editors", key: "API keys" },

  // site-name-form.tsx
  theSiteItself: "The site itself",
  nameOfTheSite: "Name of the site",

  // nudge-fields.tsx, automation-figures.tsx
  automatedNudge: {
    title: "Title",
    text: "Text",
    address: "Address",
    picture: "Address of a picture",
    figures: {
      lastDays: "In the last 30 days",
      readers: "Accepted",
      seen: "Displayed",
      clicked: "Clicked",
      left: "Left",
      removed: "Removed",
    },
  },

  // win-back-form.tsx
  winBack: {
    heading: "Win-back",
    lead: "Readers who have not visited the site or clicked for long get one notification between 10:00 and 18:00, and then no other until they come back. Their own limits, quiet hours and choices apply.",
    switchedOn: "Win back readers who stay away",
    days: "Days without a visit or click",
    daysAre: "7 to 365. The first time, all readers get it who have stayed away for longer",
    away: ({ readers }: { readers: Text }) => `Not seen for so long now: ${readers}.`,
    afterwards: "Readers who do not come back",
    keep: "Stay readers",
    remove: "Are removed after 14 days",
    removedAre: "Removed readers get no more notifications. A removed reader who visits the site again counts as new.",
  },

  // drill-form.tsx, last-drill.tsx
  drill: {
    heading: "Fire drill",
    lead: "Pressbell regularly sends a notification to one of your test devices, the canary, in the same way as to readers. If it does not arrive, owners get an e-mail, and the overview says which step failed. It counts in no figures.",
    onlyOwners: "Only owners change it.",
    canary: "Canary",
    canaryIs: "A device that is always on and online, such as an old phone on a charger",
    none: "None: no fire drill",
    hasLeft: "A device that is no longer subscribed",
    every: "Minutes from one to the next",
    everyIs: "15 to 1440",
    runNow: "Begin one now",
    running: "running",
    passed: "passed",
    failed: "failed",
    stepsAre: "Steps of the last fire drill",
    steps: {
      planned: "Planned",
      sent: "Sent",
      accepted: "Accepted by the push service",
      displayed: "Displayed on the canary",
    },
    after: ({ seconds }: { seconds: number }) => `after ${seconds} s`,
    notReached: "not reached",
    notReported: "not reported by this browser",
  },

  // welcome-form.tsx, welcome-step.tsx
  welcome: {
    heading: "Welcome",
    lead: "What readers get after they have subscribed: a welcome, and up to three more notifications on later days. Readers who subscribe from now on get it, each notification once. Their own limits, quiet hours and choices apply.",
    switchedOn: "Welcome new readers",
    addStep: "Add a notification",
    step: ({ n }: { n: Text }) => `Notification ${n}`,
    day: "Days after subscribing",
    daysAfter: "0: within a minute. Later days: within an hour of the time at which they subscribed",
    topic: "Only readers of a topic",
    anyTopic: "All new readers",
    onlyUnclicked: "Only readers who have not clicked a notification yet",
    removeIt: ({ n }: { n: Text }) => `Remove notification ${n}`,
  },
};
