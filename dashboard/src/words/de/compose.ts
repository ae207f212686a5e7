import type { compose as english } from "../en/compose.ts";
import type { Text } from "../text.ts";

export const compose: typeof english = {
  // actions.tsx
  saveDraft: "Save draft",
  draftSaved: "Draft saved",
  saveChanges: "Save changes",
  changesSaved: "Changes saved",
  send: "Send",
  sendATest: "Send a test",
  changeTheTime: "Change the time…",
  schedule: "Schedule…",

  // audience.tsx
  audience: "Audience",
  theSamePeopleAsBefore: "The same people as before: those who came later never saw the wrong nudge.",
  everybodyWhoCanBeReached:
    "Everybody who can be reached. With topics, which you add under Subscribers, you can choose.",
  topicsAnyOfThem: "Topics, any of them",
  everybody: "Everybody",
  worthShowingFor: "Worth showing for",
  aDeviceThatIsOff: "A device that is off longer does not show it",
  urgency: "Urgency",
  highWakesAPhoneThat: "High wakes a phone that saves its battery",
  highBreakingNews: "High: breaking news",
  normal: "Normal",
  low: "Low",
  veryLow: "Very low",
  days: ({ value }: { value: Text }) => `${value} days`,
  hours: ({ value }: { value: Text }) => `${value} hours`,
  minutes: ({ round }: { round: Text }) => `${round} minutes`,

  // draft.ts
  pasteTheHttpsAddressOf: "Paste the https:// address of a story.",
  giveTheAddressToOpen: "Give the address to open.",
  writeATitle: "Write a title.",
  theTitleIsOverCharacters: ({ maxTitleLength }: { maxTitleLength: Text }) =>
    `The title is over ${maxTitleLength} characters.`,
  theTextIsOverCharacters: ({ maxBodyLength }: { maxBodyLength: Text }) =>
    `The text is over ${maxBodyLength} characters.`,
  writeAText: "Write a text.",

  // drafts.tsx
  thisIsTooLongTo: "This is too long to be saved. Shorten it; until then only this browser has it.",
  onlyThisBrowserHasYour:
    "Only this browser has your text: the service does not answer. It is saved as soon as it does.",
  saved: ({ age }: { age: Text }) => `Saved ${age}`,
  saving: "Saving…",
  minAgo: ({ minutes }: { minutes: Text }) => `${minutes} min ago`,
  youGoOnWithYour: "You go on with your last draft.",
  startANewOne: "Start a new one",
  withoutATitle: "Without a title",
  yourOtherDrafts: "Your other drafts",
  deleteTheDraft: ({ name }: { name: Text }) => `Delete the draft “${name}”`,
  dropTheseChanges: "Drop these changes",
  deleteThisDraft: "Delete this draft",
  dropTheseChanges2: "Drop these changes?",
  deleteThisDraft2: "Delete this draft?",
  dropTheChanges: "Drop the changes",
  deleteTheDraft2: "Delete the draft",
  whatYouTypedAndDid:
    "What you typed and did not save cannot be brought back. The nudge goes out at its time, as it was saved.",
  itsTextCannotBeBrought: "Its text cannot be brought back. What was saved under Campaigns stays there.",

  // newest-stories.tsx
  newestStories: "Newest stories",
  wentOut: "Went out",
  suggested: "Suggested",
  betterNot: "Better not",
  worthSending: "Worth sending",

  // nudge-editor.tsx
  nudge: "Nudge",
  takeTheStorysOwnWords: "Take the story’s own words",
  title: "Title",
  text: "Text",
  picture: "Picture",
  anHttpsAddressEmptyNo: "An https:// address. Empty: no picture. Not every system shows one.",
  of: ({ length, max }: { length: Text; max: Text }) => `${length} of ${max}`,

  // schedule-dialog.tsx
  scheduleThisNudge: "Schedule this nudge",
  dayAndTimeIn: ({ timeZone }: { timeZone: Text }) => `Day and time in ${timeZone}`,
  oftenChosen: "Often chosen",
  byYours: ({ when }: { when: Text }) => `, ${when} by yours`,
  thisHourComesTwiceThat: " This hour comes twice that night; the first one is used.",
  byTheClocksOf: ({ when, name, value, value2 }: { when: Text; name: Text; value: Text; value2: Text }) =>
    `${when} by the clocks of ${name}${value}.${value2}`,
  withWhatYouSendWithin: "With what you send within an hour of it, this reaches many people. ",
  aSendToSoMany: ({ value }: { value: Text }) =>
    `${value}A send to so many people needs a second person: it is scheduled when another editor or owner approves.`,
  notYet: "Not yet",
  askASecondPerson: "Ask a second person",
  schedule2: "Schedule",
  thisTimeHasPassedChoose: "This time has passed. Choose a later one.",
  scheduledBut: "Scheduled, but",

  // send-bar.tsx
  noTitleYet: "No title yet",
  metaEnterControlEnter: "Meta+Enter Control+Enter",
  sendNow: "Send now…",
  ctrl: "Ctrl ↵",
  whoGotTheFirstOne: "who got the first one",

  // send-dialog.tsx
  sendThisNudge: "Send this nudge?",
  countingTheAudience: "Counting the audience",
  itGoesTo: "It goes to",
  whoChoseTheseTopics: " who chose these topics",
  withWhatYouSendWithin2: "With what you send within an hour of it, you would reach more. ",
  aboveASecondPersonHas: ({ value }: { value: Text }) =>
    `Above ${value} a second person has to approve it: it waits until another editor or owner does.`,
  youHave10SecondsTo: "You have 10 seconds to take it back, and can stop it at any time after that.",
  of2: ({ name, value, value2, value3 }: { name: Text; value: Text; value2: Text; value3: Text }) =>
    `of ${name}${value}. ${value2}${value3}`,
  pressbellAdvisesAgainstThisStory: "Pressbell advises against this story. See the reasons beside its address.",
  sendTo: ({ audience }: { audience: Text }) => `Send to ${audience}`,

  // story.tsx
  againstIt: "Against it",
  lessGood: "Less good",
  good: "Good",
  toKnow: "To know",
  story: "Story",
  whereItLeads: "Where it leads",
  writeItFromAStory: "Write it from a story",
  writeItByHand: "Write it by hand",
  addressThatOpensOnA: "Address that opens on a click",
  addressOfTheStory: "Address of the story",
  toSendAnotherStoryCancel: "To send another story, cancel this one and write a new one.",
  itIsReadAndJudged: "It is read and judged as soon as you paste it.",
  itScoresOf100: ({ round }: { round: Text }) => `It scores ${round} of 100.`,
  youCanSendItAll: "You can send it all the same: the decision is yours.",

  // test-results.tsx
  ofTestDevicesTookIt: ({ accepted, recipients }: { accepted: Text; recipients: Text }) =>
    `${accepted} of ${recipients} test devices took it`,
  withoutAName: "Without a name",

  // use-opened.ts
  thisDraftWasChangedIn: "This draft was changed in another window too. Both texts are kept.",

  // use-second-person.ts
  itWaitsForASecond: "It waits for a second person. Nothing was sent yet.",

  // zone-time.ts
  chooseADayAndA: "Choose a day and a time.",
  theClocksOfLeaveThis: ({ timeZone }: { timeZone: Text }) =>
    `The clocks of ${timeZone} leave this hour out that day. Choose another.`,
  in1H: "in 1 h",
  in3H: "in 3 h",
};
