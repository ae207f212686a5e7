import type { ServerResponse } from "node:http";
import { appError } from "../errors.ts";

/**
 * Most reads and writes of readers that a process works on at once. Its few connections for readers serve as many within
 * half a second; a rush beyond that is refused at the door, where a refusal costs no statement, and browsers come again.
 */
const maxPlaces = 100;

/**
 * Creates the places of a process. The returned function takes one until `response` has ended or its connection is
 * closed. Throws `unavailable` if none is free.
 */
export function createReaderPlaces(): (response: ServerResponse) => void {
  let taken = 0;
  return (response) => {
    if (taken >= maxPlaces) throw appError("unavailable");
    taken++;
    response.once("close", () => taken--);
  };
}
