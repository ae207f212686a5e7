/** The periods that the overview can show, in days. */
export const periods = [7, 30, 90, 365] as const;
export type PeriodDays = (typeof periods)[number];
