/** What a reader does with a nudge, and its number in the database. */
export const receiptKinds = { displayed: 1, clicked: 2, dismissed: 3, unsubscribed: 4 } as const;

export type ReceiptKind = keyof typeof receiptKinds;
