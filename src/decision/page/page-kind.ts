/** The kind of a page that is not a story; completes the sentence "This is …". */
export type NotStory =
  | "a home page"
  | "a section page"
  | "a tag page"
  | "an author's page"
  | "a page of search results"
  | "a list of stories"
  | "an error page"
  | "a sign-in page"
  | "a consent or robot check";

export type KindFacts = {
  /** Where it was fetched, after redirects. */
  url: string;
  title: string | null;
  /** Lower case. */
  ogType: string | null;
  /** Local names of the types of all JSON-LD nodes. */
  linkedTypes: string[];
  /** JSON-LD describes the story of this page. */
  hasStory: boolean;
  /** JSON-LD describes several stories on other pages. */
  hasOtherStories: boolean;
  hasDate: boolean;
};

const listTypes: [type: string, kind: NotStory][] = [
  ["SearchResultsPage", "a page of search results"],
  ["ProfilePage", "an author's page"],
  ["CollectionPage", "a list of stories"],
];

/** Types of a site or of something else that is no story. They are evidence together with one of `likelyPaths`. */
const siteTypes = new Set([
  "website",
  "blog",
  "object",
  "profile",
  "company",
  "WebSite",
  "ItemList",
  "Blog",
  "WebPage",
]);

/** Paths that are evidence on their own: publishers put no story directly under these. */
const clearPaths: [path: RegExp, kind: NotStory][] = [
  [/^\/(tags?|schlagworte?|mots-cles|etiquetas?)\/[^/]+$/, "a tag page"],
  [/^\/(authors?|autor(en|in)?|auteurs?|autores)\/[^/]+$/, "an author's page"],
  [/^\/(search|suche|recherche|buscar|zoeken|cerca)$/, "a page of search results"],
  [/^\/(category|categories|kategorie|categoria)\/[^/]+$/, "a section page"],
  [/\/page\/\d+$/, "a list of stories"],
];

/** Paths that a story can have too: they are evidence only if the page declares one of `siteTypes`. */
const likelyPaths: [path: RegExp, kind: NotStory][] = [
  [/^(\/index\.\w{3,5}|\/[a-z]{2}(-[a-z]{2})?)?$/, "a home page"],
  [
    /^\/(sections?|rubri[ck]s?|rubriques?|ressorts?|channels?|topics?|themen?|themes?|dossiers?)(\/[^/]+){0,2}$/,
    "a section page",
  ],
  [/^\/(news|world|politics|business|sports?|culture|opinion|politik|wirtschaft|kultur|panorama)$/, "a section page"],
  [
    /^\/(archives?|latest|galler(y|ies)|photos?|videos?|podcasts?|bilder|fotos?|live)(\/\d{4}(\/\d\d)?)?$/,
    "a list of stories",
  ],
];

/** Titles of error, sign-in and consent pages, alone or before the site's name. With status 200 they are the only evidence. */
const standInTitles: [title: RegExp, kind: NotStory][] = [
  [
    /^((error|fehler|erreur)\s*)?404( error)?$|^(404\W+)?(page|story|article|file)?\s*not found$|^(seite|artikel) nicht gefunden$|^page (non trouvée|introuvable)$|^página no encontrada$|^ページが見つかりません(でした)?$/i,
    "an error page",
  ],
  [
    /^(please )?(log|sign) ?in( to (continue|read)| required)?$|^anmelde(n|ung)$|^einloggen$|^connexion$|^iniciar sesión$|^ログイン$/i,
    "a sign-in page",
  ],
  [
    /^just a moment(\.{3}|…)?$|^attention required!?$|^access denied$|^are you (a robot|human)\??$|^before you continue$|^(cookie|privacy|consent) (consent|settings|preferences|choices|wall)$|^(checking your browser|security check|robot check)$/i,
    "a consent or robot check",
  ],
];

/** Returns the kind of a page that is not a story, else null. Only what the page declares counts, never what is missing. */
export function nonStoryKind(facts: KindFacts): NotStory | null {
  const { linkedTypes, hasStory, hasOtherStories, ogType, hasDate } = facts;
  if (hasStory || (hasDate && !hasOtherStories)) return null;
  const listed = listTypes.find(([type]) => linkedTypes.includes(type))?.[1];
  if (listed !== undefined) return listed;
  const standIn = standInTitles.find(([title]) => title.test(withoutSiteName(facts.title)))?.[1];
  if (standIn !== undefined) return standIn;
  if (ogType === "article") return null;
  const path = pathOf(facts.url);
  const saysSite = [ogType ?? "", ...linkedTypes].some((type) => siteTypes.has(type));
  const paths = saysSite ? [...clearPaths, ...likelyPaths] : clearPaths;
  return paths.find(([pattern]) => pattern.test(path))?.[1] ?? null;
}

/** Returns "Page not found" for "Page not found | The Post". */
function withoutSiteName(title: string | null): string {
  return (title ?? "").split(/\s+[|–—·•:-]\s+/u)[0]!.trim();
}

/** Returns the path in lower case without a trailing slash, and "/search" for a home page with `?s=`. */
function pathOf(address: string): string {
  const url = URL.parse(address);
  const path = url?.pathname.toLowerCase().replace(/(?<!\/)\/+$/, "") ?? "";
  return path === "" && url?.searchParams.has("s") ? "/search" : path;
}
