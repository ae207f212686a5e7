/** A part of a message: a name, or a count that is already formatted. */
export type Text = string | number;
