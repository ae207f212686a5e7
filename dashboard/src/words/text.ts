/** What stands in a message: a name, or a count that is formatted already. */
export type Text = string | number;
