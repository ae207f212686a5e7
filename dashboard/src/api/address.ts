import { ownPage } from "../../../src/own-page.ts";

/**
 * Returns the URL of `path`, below the path at which a proxy serves the service. For a path outside the dashboard,
 * returns the URL of the first page.
 */
export function addressOf(path: string): string {
  return ownPage(path, document.baseURI) ?? document.baseURI;
}
