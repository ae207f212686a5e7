import { httpsImageUrl } from "../story-url.ts";

/**
 * Names of files that hold no picture of a story. `wholeName` matches a whole name, and `lastWord` its last word. A
 * number, a size or a shape may follow.
 */
const wholeName = "default|fallback|pixel|1x1|transparent";
const lastWord =
  "logo|favicon|icon|blank|spacer|placeholder|avatar|gravatar|no-?image|no-?photo|default[-_]?(image|img|thumb)";
/** File names that pictures of stories and cards of sites both have. */
const generalName = "og|fb|facebook|twitter|share|social|card|thumb(nail)?|image";
const variant = "([-_.]?(\\d+(x\\d+)?|square|white|black|dark|light|large|small|big|hd|new|og|image|img|card|v\\d+))*";
const fileNames = new RegExp(`(^(${wholeName})|(${lastWord}))${variant}(\\.\\w{2,5})?$`);
const generalNames = new RegExp(`^(${generalName})${variant}(\\.\\w{2,5})?$`);
const folders = /\/(avatars?|gravatars?|logos?|favicons?|icons?|placeholders?|author-photos?)\//;
/** A folder of one story: it has a month or the number of a story. */
const storyFolder = /\/(?:19|20)\d\d[/-]\d\d?\/|\/[^/]*(?<![\dx])\d{5,}(?![\dx])[^/]*\//;
const hosts = /(^|\.)(gravatar\.com|doubleclick\.net|pixel\.wp\.com)$/;
/** A picture with fewer pixels on both sides is an icon. */
const leastPixels = 150;
/** A picture that is declared to be at least this wide is one of a story, even if it has a general name. */
const storyPixels = 600;
const sizeInName = /[-_/](\d{1,4})x(\d{1,4})(?=\.\w{2,5}$)/;
/** Numbers up to this one are a shape, such as "16x9", and not a size. */
const mostOfShape = 21;

export type PictureFacts = {
  /** Addresses of pictures from the page, the best source first. */
  candidates: string[];
  /** Pictures that the page calls logos. */
  logos: string[];
  /** The page's address. */
  base: string;
  /** The widths that the page declares for its first pictures, in pixels. */
  widths: number[];
};

/**
 * Returns the address of the first picture that is neither a logo, an icon, a face nor a stand-in, judging by its name
 * and folder. Prefers https addresses. Tries an http address as https. Returns null if there is none.
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
  // A service that scales pictures. The address of the picture that it scales has the name.
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

/** Returns the address of a picture that is in the query of another address, or null. */
function addressInQuery(address: string): string | null {
  const values = [...new URL(address).searchParams.values()].slice(0, 20);
  const inner = values.find((value) => /^https?:\/\/[^/]+\/./.test(value));
  return inner !== undefined && addressHasNoQuery(inner) ? inner : null;
}

/**
 * Returns whether the query of an address has no address. Otherwise addresses within each other would be read as often
 * as somebody nests them.
 */
function addressHasNoQuery(address: string): boolean {
  const url = URL.parse(address);
  return url !== null && ![...url.searchParams.values()].some((value) => /^https?:/.test(value));
}

/** Returns whether the picture is in a folder with the same name as a part of the page's path. */
function isFolderOfPage(path: string, base: string): boolean {
  const folder = path.slice(0, path.lastIndexOf("/")).split("/").at(-1) ?? "";
  const parts = (URL.parse(base)?.pathname.toLowerCase() ?? "").split("/").map((part) => part.replace(/\.\w+$/, ""));
  return folder.length >= 6 && parts.includes(folder);
}

/** Returns an http address on the usual port as https. Nearly all hosts of pictures serve both. */
function asHttps(raw: string, base: string): string {
  const url = raw.trim().length > 2048 || raw.trim() === "" ? null : URL.parse(raw.trim(), base);
  return url?.protocol === "http:" && url.port === "" ? `https:${url.href.slice(5)}` : raw;
}
