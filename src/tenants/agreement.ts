/**
 * The text on readers' data that owners accept (dashboard/src/parts/agreement.tsx), by the day of its last change. With
 * another text comes another version: what an owner has accepted stays known by its own.
 */
export const agreementVersion = "2026-11-21";
