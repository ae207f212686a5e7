import type { InstallationCheck, InstallationFinding, InstallationProblem } from "../api/installation-calls.ts";
import { words } from "../words/words.ts";

/** The sentences for checks that are right. */
export const rightWords: Record<InstallationCheck, string> = {
  get service() {
    return words.integrations.serviceReachable;
  },
  get page() {
    return words.integrations.pageReadable;
  },
  get snippet() {
    return words.integrations.snippetFound;
  },
  get worker() {
    return words.integrations.workerFileFound;
  },
  get scope() {
    return words.integrations.workerFileScopeRight;
  },
  get policy() {
    return words.integrations.securityPolicyRight;
  },
  get manifest() {
    return words.integrations.manifestRight;
  },
};

/** The name of each check, for one that is not right or could not be made. */
export const names: Record<InstallationCheck, string> = {
  get service() {
    return words.integrations.serviceCheckName;
  },
  get page() {
    return words.integrations.pageCheckName;
  },
  get snippet() {
    return words.integrations.snippetCheckName;
  },
  get worker() {
    return words.integrations.workerFileCheckName;
  },
  get scope() {
    return words.integrations.scopeCheckName;
  },
  get policy() {
    return words.integrations.policyCheckName;
  },
  get manifest() {
    return words.integrations.manifestCheckName;
  },
};

const unchecked: Record<InstallationCheck, string> = {
  get service() {
    return words.integrations.serviceNotChecked;
  },
  get page() {
    return words.integrations.pageNotChecked;
  },
  get snippet() {
    return words.integrations.needsReadablePage;
  },
  get worker() {
    return words.integrations.needsReadablePage;
  },
  get scope() {
    return words.integrations.needsWorkerFile;
  },
  get policy() {
    return words.integrations.needsReadablePage;
  },
  get manifest() {
    return words.integrations.needsReadablePage;
  },
};

type Words = (finding: InstallationFinding) => string;

/** What is wrong and how to fix it, for people who can change the site or ask somebody to. */
const wrongWords: Record<Exclude<InstallationProblem, "unchecked">, Words> = {
  not_https: ({ about }) => words.integrations.serviceNotHttps({ about }),
  status: ({ about, said = "" }) => words.integrations.addressErrorStatus({ about, said }),
  refused: ({ about }) => words.integrations.addressNotPublic({ about }),
  unreachable: ({ about, said = "" }) => words.integrations.addressUnreachable({ about, said }),
  missing: ({ about }) => words.integrations.snippetMissing({ about }),
  tag_manager: ({ about }) => words.integrations.snippetInTagManager({ about }),
  other_service: ({ about }) => words.integrations.snippetOfOtherService({ about }),
  other_site: ({ about }) => words.integrations.snippetOfOtherSite({ about }),
  other_origin: ({ about }) => words.integrations.workerFileElsewhere({ about }),
  redirected: ({ about }) => words.integrations.workerFileRedirected({ about }),
  type: ({ about, said = "" }) => words.integrations.workerFileWrongType({ about, said }),
  no_import: ({ about }) => words.integrations.workerImportMissing({ about }),
  other_import: ({ about }) => words.integrations.workerImportWrong({ about }),
  too_wide: ({ about }) => words.integrations.workerScopeTooWide({ about }),
  page: ({ about }) => words.integrations.pagePolicyForbids({ about }),
  worker: ({ about }) => words.integrations.workerPolicyForbids({ about }),
  no_manifest: ({ about }) => words.integrations.manifestMissing({ about }),
  not_json: ({ about }) => words.integrations.manifestNotJson({ about }),
  display: ({ about, said = "" }) => words.integrations.manifestDisplayWrong({ about, said }),
  start_url: ({ about, said = "" }) => words.integrations.manifestStartWrong({ about, said }),
  scope: ({ about, said = "" }) => words.integrations.manifestScopeWrong({ about, said }),
  icons: ({ about }) => words.integrations.manifestIconMissing({ about }),
};

/** Returns what to do about a finding that is not right. */
export function wordsOf(finding: InstallationFinding): string {
  const { problem, check } = finding;
  if (problem === null) return rightWords[check];
  return problem === "unchecked" ? unchecked[check] : wrongWords[problem](finding);
}
