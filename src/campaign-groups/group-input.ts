import { z } from "zod";
import {
  type CampaignBody,
  type CampaignInput,
  maxSitesOfGroup,
  type ReadInput,
  readCampaignInput,
} from "../campaigns/campaign-input.ts";
import { type FieldFault, invalidFields } from "../errors.ts";
import { fault, faults, zodText } from "../faults.ts";
import { expects, parseInput, withoutNulls } from "../input.ts";

/**
 * The fields of a creation that differ by site. They belong in the site's entry. A `url` there replaces the group's.
 */
const ofOneSite = ["siteId", "topicIds", "segment", "followersOf", "corrects"] as const;

type OfOneSite = (typeof ofOneSite)[number];
type Without<Body, Names extends PropertyKey> = Body extends unknown ? Omit<Body, Names> : never;

/** The body of the creation of a group as a caller writes it. */
export type GroupBody = Without<CampaignBody, OfOneSite | "url"> & {
  url?: string;
  sites: (Pick<CampaignBody, OfOneSite> & { url?: string })[];
};

const isOfOneSite = (name: string) => ofOneSite.some((one) => one === name);

/** The entry of a site. Only its field names are checked here. The fields are checked with the campaign. */
const entry = z.strictObject(
  Object.fromEntries([...ofOneSite, "url"].map((name) => [name, z.unknown().optional()])),
  expects("a JSON object"),
);

const groupInput = z.looseObject(
  {
    sites: z
      .array(entry, expects("a list of sites"))
      .min(2, zodText(faults.too_small({ least: 2 })))
      .max(maxSitesOfGroup, zodText(faults.too_large({ most: maxSitesOfGroup }))),
  },
  expects("a JSON object"),
);

/** A parsed site of a group. `pathOf` converts a path in the site's campaign body to the path in the group's body. */
export type GroupSite = { read: ReadInput<CampaignInput>; pathOf(path: string): string };

/**
 * Reads the body that creates a group. Returns the parsed campaign of each site, checked by the same rules as a single
 * campaign. Throws `validation_failed` for faults of the list itself.
 */
export function readGroupInput(body: unknown): GroupSite[] {
  const { sites, ...shared } = parseInput(groupInput, body);
  const misplaced = Object.keys(shared).filter(isOfOneSite);
  const wrong = misplaced.map((name) => fault(`/${name}`, faults.belongs_to_one_site()));
  if (wrong.length > 0) throw invalidFields(wrong);
  const read = sites.map((site, i) => siteOf(shared, withoutNulls(site) as object, i));
  const named = read.map((site) => siteIdOf(site.read));
  const repeated = named.flatMap((siteId, i) =>
    siteId !== undefined && named.indexOf(siteId) < i ? [fault(`/sites/${i}/siteId`, faults.site_named_twice())] : [],
  );
  if (repeated.length > 0) throw invalidFields(repeated);
  return read;
}

const siteIdOf = (read: ReadInput<CampaignInput>) => (read.faults === undefined ? read.wanted : read.named).siteId;

function siteOf(shared: object, site: object, i: number): GroupSite {
  const isOwn = (name: string) => name in site || isOfOneSite(name);
  return {
    read: readCampaignInput({ ...shared, ...site }),
    pathOf: (path) => (isOwn(path.split("/")[1]!) ? `/sites/${i}${path}` : path),
  };
}

/** Removes repeated faults. Several sites can have the same fault. */
export function distinctFaults(wrong: FieldFault[]): FieldFault[] {
  return [...new Map(wrong.map((one) => [`${one.path} ${one.message}`, one])).values()];
}

/** Returns the number of sites that the body of a creation names, before it is checked: at least one. */
export function countSites(body: unknown): number {
  const sites = (body as { sites?: unknown } | null)?.sites;
  return Array.isArray(sites) ? Math.min(Math.max(sites.length, 1), maxSitesOfGroup) : 1;
}
