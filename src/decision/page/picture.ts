import { httpsImageUrl } from "../story-url.ts";

/**
 * Names of files that hold no picture of a story: a whole name, or its last word, before a number, a size or a shape.
 */
const wholeName = "default|fallback|pixel|1x1|transparent";
const lastWord =
  "logo|favicon|icon|blank|spacer|placeholder|avatar|gravatar|no-?image|no-?photo|default[-_]?(image|img|thumb)";
/** Names that a site's card has as well as a picture of a story. */
const generalName = "og|fb|facebook|twitter|share|social|card|thumb(nail)?|image";
const variant = "([-_.]?(\\d+(x\\d+)?|square|white|black|dark|light|large|small|big|hd|new|og|image|img|card|v\\d+))*";
const fileNames = new RegExp(`(^(${wholeName})|(${lastWord}))${variant}(\\.\\w{2,5})?$`);
const generalNames = new RegExp(`^(${generalName})${variant}(\\.\\w{2,5})?$`);
const folders = /\/(avatars?|gravatars?|logos?|favicons?|icons?|placeholders?|author-photos?)\//;
/** A folder of one story: a month, a number of it, or the same in other letters. */
const storyFolder = /\/(?:19|20)\d\d[/-]\d\d?\/|\/[^/]*(?<![\dx])\d{5,}(?![\dx])[^/]*\//;
const hosts = /(^|\.)(gravatar\.com|doubleclick\.net|pixel\.wp\.com)$/;
/** Below this many pixels on both sides it is an icon. */
const leastPixels = 150;
/** A picture that is declared to be as wide is no stand-in for an icon. */
const storyPixels = 600;
const sizeInName = /[-_/](\d{1,4})x(\d{1,4})(?=\.\w{2,5}$)/;
/** "16x9" is a shape. */
const mostOfShape = 21;

export type PictureFacts = {
  /** Addresses as the page gives them, the best source first. */
  candidates: string[];
  /** Pictures that the page calls logos. */
  logos: string[];
  /** The page's address. */
  base: string;
  /** The widths that the page declares for its first pictures, in pixels. */
  widths: number[];
};

/**
 * Returns the address of the first picture that is neither a logo, an icon, a face nor a stand-in, as its name and
 * folder tell; https comes before http, which is tried as https. Null if there is none.
 */
export function pickPicture({ candidates, logos, base, widths }: PictureFacts): string | null {
  const isLogo = new Set(logos.map((logo) => httpsImageUrl(asHttps(logo, base), base)));
  const addresses = candidates.map((raw) => ({ raw, address: httpsImageUrl(raw, base) }));
  const tried = addresses.map(({ raw, address }) => address ?? httpsImageUrl(asHttps(raw, base), base));
  const all = [...addresses.map(({ address }) => address), ...tried];
  // The first width belongs to the first picture.
  const isWide = (address: string) => (widths[0] ?? 0) >= storyPixels && address === tried[0];
  const isChosen = (address: string) => !isLogo.has(address) && isPicture(address, base, isWide(address));
  return all.find((address) => address !== null && isChosen(address)) ?? null;
}

function isPicture(address: string, base: string, isWide: boolean): boolean {
  const { hostname, pathname } = new URL(address);
  const path = pathname.toLowerCase();
  const file = path.slice(path.lastIndexOf("/") + 1);
  if (isSmall(path) || folders.test(path) || hosts.test(hostname) || /\.(svg|ico)$/.test(path)) return false;
  const inner = addressInQuery(address);
  // A service that scales pictures: what it scales has the name.
  if (inner !== null) return isPicture(inner, base, isWide);
  if (fileNames.test(file)) return false;
  return !generalNames.test(file) || isWide || storyFolder.test(path) || isFolderOfPage(path, base);
}

function isSmall(path: string): boolean {
  const [, width, height] = sizeInName.exec(path) ?? [];
  const [w, h] = [Number(width), Number(height)];
  const isShape = w <= mostOfShape && h <= mostOfShape && w !== h;
  return width !== undefined && !isShape && w < leastPixels && h < leastPixels;
}

/** Returns the address of a picture that the query of another holds, or null. */
function addressInQuery(address: string): string | null {
  const values = [...new URL(address).searchParams.values()].slice(0, 20);
  const inner = values.find((value) => /^https?:\/\/[^/]+\/./.test(value));
  return inner !== undefined && addressHasNoQuery(inner) ? inner : null;
}

/** Addresses within each other would be read as often as somebody nests them. */
function addressHasNoQuery(address: string): boolean {
  const url = URL.parse(address);
  return url !== null && ![...url.searchParams.values()].some((value) => /^https?:/.test(value));
}

/** Whether the picture lies in a folder that has the name of the page's. */
function isFolderOfPage(path: string, base: string): boolean {
  const folder = path.slice(0, path.lastIndexOf("/")).split("/").at(-1) ?? "";
  const parts = (URL.parse(base)?.pathname.toLowerCase() ?? "").split("/").map((part) => part.replace(/\.\w+$/, ""));
  return folder.length >= 6 && parts.includes(folder);
}

/** An http address on the usual port as https: nearly all hosts of pictures have both. */
function asHttps(raw: string, base: string): string {
  const url = raw.trim().length > 2048 || raw.trim() === "" ? null : URL.parse(raw.trim(), base);
  return url?.protocol === "http:" && url.port === "" ? `https:${url.href.slice(5)}` : raw;
}
