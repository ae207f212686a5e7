/** What a page evidently is instead of a story, as a sentence goes on: "This is …". */
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
  /** Where it was read, after redirects. */
  url: string;
  title: string | null;
  /** Lower case. */
  ogType: string | null;
  /** Local names of the types of all that its JSON-LD describes. */
  linkedTypes: string[];
  /** It describes the story that it is; or several that are elsewhere. */
  hasStory: boolean;
  hasOtherStories: boolean;
  hasDate: boolean;
};

const listTypes: [type: string, kind: NotStory][] = [
  ["SearchResultsPage", "a page of search results"],
  ["ProfilePage", "an author's page"],
  ["CollectionPage", "a list of stories"],
];

/** Types of a whole site or of something that is no story: with a path below they are evidence, alone they are not. */
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

/** Paths that say it themselves: nobody files a story of its own directly under these. */
const tellingPaths: [path: RegExp, kind: NotStory][] = [
  [/^\/(tags?|schlagworte?|mots-cles|etiquetas?)\/[^/]+$/, "a tag page"],
  [/^\/(authors?|autor(en|in)?|auteurs?|autores)\/[^/]+$/, "an author's page"],
  [/^\/(search|suche|recherche|buscar|zoeken|cerca)$/, "a page of search results"],
  [/^\/(category|categories|kategorie|categoria)\/[^/]+$/, "a section page"],
  [/\/page\/\d+$/, "a list of stories"],
];

/** Paths that can be a story's as well: they need a word of the page that it is no story. */
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

/** Titles that stand in a story's place, whole or before the site's name. With status 200 nothing else tells. */
const standIns: [title: RegExp, kind: NotStory][] = [
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

/** What the page evidently is instead of a story, or null. Only what it says itself counts, never what it leaves out. */
export function nonStoryKind(facts: KindFacts): NotStory | null {
  const { linkedTypes, hasStory, hasOtherStories, ogType, hasDate } = facts;
  if (hasStory || (hasDate && !hasOtherStories)) return null;
  const listed = listTypes.find(([type]) => linkedTypes.includes(type))?.[1];
  if (listed !== undefined) return listed;
  const standIn = standIns.find(([title]) => title.test(nameless(facts.title)))?.[1];
  if (standIn !== undefined) return standIn;
  if (ogType === "article") return null;
  const path = pathOf(facts.url);
  const saysSite = [ogType ?? "", ...linkedTypes].some((type) => siteTypes.has(type));
  const paths = saysSite ? [...tellingPaths, ...likelyPaths] : tellingPaths;
  return paths.find(([pattern]) => pattern.test(path))?.[1] ?? null;
}

/** "Page not found | The Post" without the site's name. */
function nameless(title: string | null): string {
  return (title ?? "").split(/\s+[|–—·•:-]\s+/u)[0]!.trim();
}

/** Lower case, without the slash that may end it, and with `?s=` of a home page as the search that it is. */
function pathOf(address: string): string {
  const url = URL.parse(address);
  const path = url?.pathname.toLowerCase().replace(/\/+$/, "") ?? "";
  return path === "" && url?.searchParams.has("s") ? "/search" : path;
}
