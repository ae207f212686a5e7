import type { ServerResponse } from "node:http";
import { appError } from "../errors.ts";

/**
 * The most reads and writes of readers that a process works on at once. Its few connections for readers serve this
 * many within half a second. Further requests are refused at the door. A refusal there costs no statement, and
 * browsers come again.
 */
export const maxPlaces = 100;
/** The most places of one site. A rush there leaves half of all places to other sites. */
export const placesOfSite = 50;

/**
 * Creates the places of a process. The returned function takes a place until `response` has ended or its connection
 * is closed. It throws `unavailable` if no place is free, or if the site has all the places that it may take.
 */
export function createReaderPlaces(): (response: ServerResponse, siteId?: string) => void {
  const taken = new Map<string, number>();
  let all = 0;
  return (response, siteId = "") => {
    const ofSite = taken.get(siteId) ?? 0;
    if (all >= maxPlaces || ofSite >= placesOfSite) throw appError("unavailable");
    all++;
    taken.set(siteId, ofSite + 1);
    response.once("close", () => {
      all--;
      const left = taken.get(siteId)! - 1;
      if (left === 0) taken.delete(siteId);
      else taken.set(siteId, left);
    });
  };
}
