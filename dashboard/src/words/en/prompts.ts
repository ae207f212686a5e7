import type { Text } from "../text.ts";

export const prompts = {
  // other-prompt-form.tsx
  aSecondPrompt: "A second prompt",
  halfOfTheReadersSeeIt:
    "Half of the readers see it in place of the first, and each sees the same one every time. An empty field is as in the first prompt. A change of either begins the comparison again.",
  writeASecondPrompt: "Compare with a second prompt",
  inALanguageThatOnlyTheFirstHas:
    "In a language that only the first prompt has, readers see its texts on both sides. An empty field is the first prompt's text.",
  onePathALine: "One a line, such as /sport/*: * stands for any characters.",
  endWithTheFirst: "End: keep the first",
  endWithTheSecond: "End: take the second",
  endTheComparison: "End the comparison?",
  allReadersSeeTheFirst: "From now on all readers see the first prompt. The second one is deleted.",
  allReadersSeeTheSecond: "From now on all readers see the second prompt. It takes the place of the first.",
  endIt: "End it",
  goOnComparing: "Go on comparing",

  // prompt-figures.tsx
  howReadersAnswer: "How readers answer",
  eachTimeItWasShown:
    "Each showing of the last 90 days counts, and each yes that the browser then confirmed counts for the prompt to which the reader said it.",
  noPromptWasShown: "No prompt was shown yet.",
  theComparisonSince: ({ when }: { when: Text }) => `The comparison since ${when}`,
  noDifference: "No difference can be seen yet.",
  verdicts: {
    own: "The first prompt is better: chance does not explain the difference.",
    other: "The second prompt is better: chance does not explain the difference.",
  },
  first: "First prompt",
  second: "Second prompt",
  eachPromptAndRule: "Each prompt and rule",
  shown: "Shown",
  allowed: "Allowed",
  rate: "Rate",
  rule: ({ page, visit, seconds }: { page: Text; visit: Text; seconds: Text }) =>
    `From page ${page} and visit ${visit} on, after ${seconds} s`,
  ruleOfScroll: ({ percent }: { percent: Text }) => `${percent} of the article`,
  ruleOfOnly: ({ paths }: { paths: Text }) => `only on ${paths}`,
  ruleOfNever: ({ paths }: { paths: Text }) => `never on ${paths}`,
};
