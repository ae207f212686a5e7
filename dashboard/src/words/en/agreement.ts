/** The data processing agreement. A change of this text needs a new version, and translations have to follow it. */
export const agreement = {
  title: "Data processing agreement",
  lead: "The publisher decides for what readers are nudged (controller); this installation does it on the publisher's instructions alone (processor, article 28 GDPR).",
  /** Only a translation has this text, which says that the English text counts. */
  original: "",
  parts: [
    {
      head: "What is kept:",
      text: "the address and keys that a reader's browser gives for push messages, the topics that the reader chose, and when. No name, no e-mail address, no IP address.",
    },
    {
      head: "For what:",
      text: "to send the publisher's nudges to readers who asked for them, and to count what became of them.",
    },
    {
      head: "Who else sees it:",
      text: "the push service of the reader's browser (Google, Mozilla, Apple, Microsoft), which gets the message encrypted for that browser only.",
    },
    {
      head: "How long:",
      text: "until the reader unsubscribes or the push service says that the browser is gone; then it is deleted at once.",
    },
    {
      head: "The publisher",
      text: "asks readers for their consent, tells them of this, and answers their requests;",
    },
    {
      head: "the operator",
      text: "keeps the machine, its secret key and its backups safe, and reports a breach without delay.",
    },
  ],
};
