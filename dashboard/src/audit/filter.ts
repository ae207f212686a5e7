import { textsIn } from "../components/texts-in.ts";

const names = ["kind", "userId", "from", "to"] as const;

/** What the audit log is filtered by, as its address has it. */
export type AuditFilter = { [Name in (typeof names)[number]]?: string };

/** Reads the filter from the search parameters of an address. */
export const filterIn = (search: Record<string, unknown>): AuditFilter => textsIn(names, search);
