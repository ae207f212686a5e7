import { ownPage } from "../../../src/own-page.ts";

/** The path of the dashboard's API. */
export const api = "/dashboard/api";

/** Returns the path of a tenant's operations. */
export const tenantPath = (tenantId: string) => `${api}/tenants/${tenantId}`;

/**
 * Returns the URL of `path`, below the path at which a proxy serves the service. For a path outside the dashboard,
 * returns the URL of the first page.
 */
export function addressOf(path: string): string {
  return ownPage(path, document.baseURI) ?? document.baseURI;
}
