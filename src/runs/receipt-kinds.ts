/** The kinds of receipts, and their numbers in the database. */
export const receiptKinds = {
  displayed: 1,
  clicked: 2,
  dismissed: 3,
  unsubscribed: 4,
  action1: 5,
  action2: 6,
} as const;

export type ReceiptKind = keyof typeof receiptKinds;
