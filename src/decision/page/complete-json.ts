/** More levels than any description of a story has: a deeper text is hostile. */
const maxDepth = 1000;

/**
 * Returns JSON that breaks off without its last, incomplete member, and with what is open closed; "" if no member is
 * complete, or it is nested over 1,000 levels deep. JSON that is whole comes back as it is. Takes linear time.
 */
export function completeJson(text: string): string {
  const whole = walk(text);
  if (whole.open.length === 0) return text;
  const kept = text.slice(0, whole.lastComma);
  return kept + walk(kept).open.reverse().join("");
}

/** Returns the brackets that close what is open at the end, and where the last comma between two members is. */
function walk(text: string): { open: string[]; lastComma: number } {
  const open: string[] = [];
  let lastComma = 0;
  let isString = false;
  for (let at = 0; at < text.length && open.length <= maxDepth; at += 1) {
    const char = text[at]!;
    if (char === '"') isString = !isString;
    else if (isString) at += char === "\\" ? 1 : 0;
    else if (char === "{" || char === "[") open.push(char === "{" ? "}" : "]");
    else if (char === "}" || char === "]") open.pop();
    else if (char === ",") lastComma = at;
  }
  return { open, lastComma: open.length > maxDepth ? 0 : lastComma };
}
