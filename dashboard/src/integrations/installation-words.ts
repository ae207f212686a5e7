import type { InstallationCheck, InstallationFinding, InstallationProblem } from "../api/installation-calls.ts";
import { words } from "../words/words.ts";

/** The sentences for checks that are right. */
export const rightWords: Record<InstallationCheck, string> = {
  get service() {
    return words.integrations.readersBrowsersReachPressbell;
  },
  get page() {
    return words.integrations.theFirstPageOfThe;
  },
  get snippet() {
    return words.integrations.thePageHasTheLine;
  },
  get worker() {
    return words.integrations.theWorkerFileIsThere;
  },
  get scope() {
    return words.integrations.theWorkerFileCanServe;
  },
  get policy() {
    return words.integrations.theSitesSecurityPolicyLets;
  },
  get manifest() {
    return words.integrations.manifestIsRight;
  },
};

/** The name of each check, for one that is not right or could not be made. */
export const names: Record<InstallationCheck, string> = {
  get service() {
    return words.integrations.pressbellsOwnAddress;
  },
  get page() {
    return words.integrations.theFirstPageOfThe2;
  },
  get snippet() {
    return words.integrations.theLineInThePage;
  },
  get worker() {
    return words.integrations.theWorkerFile;
  },
  get scope() {
    return words.integrations.addressOfTheWorkerFile;
  },
  get policy() {
    return words.integrations.theSitesSecurityPolicy;
  },
  get manifest() {
    return words.integrations.manifest;
  },
};

const unchecked: Record<InstallationCheck, string> = {
  get service() {
    return words.integrations.notCheckedPressbellDoesNot;
  },
  get page() {
    return words.integrations.notChecked2;
  },
  get snippet() {
    return words.integrations.checkedOnceThePageCan;
  },
  get worker() {
    return words.integrations.checkedOnceThePageCan;
  },
  get scope() {
    return words.integrations.checkedOnceTheWorkerFile;
  },
  get policy() {
    return words.integrations.checkedOnceThePageCan;
  },
  get manifest() {
    return words.integrations.checkedOnceThePageCan;
  },
};

type Words = (finding: InstallationFinding) => string;

/** What is wrong and how to fix it, for people who can change the site or ask somebody to. */
const wrongWords: Record<Exclude<InstallationProblem, "unchecked">, Words> = {
  not_https: ({ about }) => words.integrations.pressbellsAddressDoesNotBegin({ about }),
  status: ({ about, said = "" }) => words.integrations.answersWithTheErrorPublish({ about, said }),
  refused: ({ about }) => words.integrations.isNotAnAddressOn({ about }),
  unreachable: ({ about, said = "" }) => words.integrations.doesNotAnswerIsThe({ about, said }),
  missing: ({ about }) => words.integrations.doesNotHaveItCopy({ about }),
  tag_manager: ({ about }) => words.integrations.aTagManagerMayLoadIt({ about }),
  other_service: ({ about }) => words.integrations.hasALineWithAnother({ about }),
  other_site: ({ about }) => words.integrations.hasTheLineOfAnother({ about }),
  other_origin: ({ about }) => words.integrations.isOnAnotherWebsiteWhich({ about }),
  redirected: ({ about }) => words.integrations.leadsOnToAnotherAddress({ about }),
  type: ({ about, said = "" }) => words.integrations.isServedAsWhichBrowsers({ about, said }),
  no_import: ({ about }) => words.integrations.doesNotHaveLine2({ about }),
  other_import: ({ about }) => words.integrations.importsTheWorkerOfAnother({ about }),
  too_wide: ({ about }) => words.integrations.dataScopeAsksForWhich({ about }),
  page: ({ about }) => words.integrations.thePagesOfTheSite({ about }),
  worker: ({ about }) => words.integrations.theWorkerFileForbidsIt({ about }),
  no_manifest: ({ about }) => words.integrations.namesNoManifest({ about }),
  not_json: ({ about }) => words.integrations.manifestIsNoJson({ about }),
  display: ({ about, said = "" }) => words.integrations.manifestsDisplay({ about, said }),
  start_url: ({ about, said = "" }) => words.integrations.manifestsStart({ about, said }),
  scope: ({ about, said = "" }) => words.integrations.manifestsScope({ about, said }),
  icons: ({ about }) => words.integrations.manifestHasNoIcon({ about }),
};

/** Returns what to do about a finding that is not right. */
export function wordsOf(finding: InstallationFinding): string {
  const { problem, check } = finding;
  if (problem === null) return rightWords[check];
  return problem === "unchecked" ? unchecked[check] : wrongWords[problem](finding);
}
