import { textsIn } from "../components/texts-in.ts";

const names = ["kind", "userId", "from", "to"] as const;

/** The filter of the audit log, as the address of the page has it. */
export type AuditFilter = { [Name in (typeof names)[number]]?: string };

/** Reads the filter from the search parameters of an address. */
export const filterIn = (search: Record<string, unknown>): AuditFilter => textsIn(names, search);
