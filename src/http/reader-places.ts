import type { ServerResponse } from "node:http";
import { appError } from "../errors.ts";

/**
 * Most reads and writes of readers that a process works on at once. Its few connections for readers serve as many
 * within half a second; a rush beyond that is refused at the door, where a refusal costs no statement, and browsers
 * come again.
 */
export const maxPlaces = 100;
/** The most places of one site: a rush there leaves half of all places to other sites. */
export const placesOfSite = 50;

/**
 * Creates the places of a process. The returned function takes one until `response` has ended or its connection is
 * closed. Throws `unavailable` if none is free, or none of those that the site may take.
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
