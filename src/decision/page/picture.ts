import { httpsImageUrl } from "../story-url.ts";

/** Names of files that hold no picture of a story: a whole name, or its last word, before a number, a size or a shape. */
const wholeName = "og|fb|facebook|twitter|share|social|default|fallback|card|thumb(nail)?|image|pixel|1x1|transparent";
const lastWord =
  "logo|favicon|icon|blank|spacer|placeholder|avatar|gravatar|no-?image|no-?photo|default[-_]?(image|img|thumb)";
const variant = "([-_.]?(\\d+(x\\d+)?|square|white|black|dark|light|large|small|big|hd|new|og|image|img|card|v\\d+))*";
const fileNames = new RegExp(`(^(${wholeName})|(${lastWord}))${variant}(\\.\\w{2,5})?$`);
const folders = /\/(avatars?|gravatars?|logos?|favicons?|icons?|placeholders?|author-photos?)\//;
const hosts = /(^|\.)(gravatar\.com|doubleclick\.net|pixel\.wp\.com)$/;
/** Below this many pixels on both sides it is an icon. */
const leastPixels = 150;
const sizeInName = /[-_/](\d{1,4})x(\d{1,4})(?=\.\w{2,5}$)/;

/**
 * Returns the address of the first picture that is neither a logo, an icon, a face nor a stand-in, as its name and folder
 * tell; https comes before http, which is tried as https. `logos`: pictures that the page calls logos. Null if there is none.
 */
export function pickPicture(candidates: string[], logos: string[], base: string): string | null {
  const isLogo = new Set(logos.map((logo) => httpsImageUrl(asHttps(logo, base), base)));
  const addresses = candidates.map((raw) => ({ raw, address: httpsImageUrl(raw, base) }));
  const tried = addresses.map(({ raw, address }) => address ?? httpsImageUrl(asHttps(raw, base), base));
  const all = [...addresses.map(({ address }) => address), ...tried];
  return all.find((address) => address !== null && !isLogo.has(address) && isPicture(address)) ?? null;
}

function isPicture(address: string): boolean {
  const { hostname, pathname } = new URL(address);
  const path = pathname.toLowerCase();
  const file = path.slice(path.lastIndexOf("/") + 1);
  const [, width, height] = sizeInName.exec(path) ?? [];
  const isSmall = width !== undefined && Number(width) < leastPixels && Number(height) < leastPixels;
  return (
    !isSmall && !fileNames.test(file) && !folders.test(path) && !hosts.test(hostname) && !/\.(svg|ico)$/.test(path)
  );
}

/** An http address on the usual port as https: nearly all hosts of pictures have both. */
function asHttps(raw: string, base: string): string {
  const url = raw.trim().length > 2048 || raw.trim() === "" ? null : URL.parse(raw.trim(), base);
  return url?.protocol === "http:" && url.port === "" ? `https:${url.href.slice(5)}` : raw;
}
