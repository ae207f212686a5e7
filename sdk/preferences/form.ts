import { element } from "../dom.ts";
import type { Preferences } from "./service.ts";
import type { Words } from "./words.ts";

type Topics = { all: { topicId: string; name: string }[]; chosen: string[] };

const limits = [1, 2, 3, 5, 8, 12];
const usualDigest = "18:00";
const usualQuiet = { from: "22:00", until: "07:00" };

/** Creates the form. `onSave` gets the preferences, and the chosen topics if the site has any. */
export function createForm(
  words: Words,
  { maxADay, quietHours, digestAt, breaking }: Preferences,
  { all, chosen }: Topics,
  onSave: (preferences: Preferences, topicIds: string[] | undefined) => void,
): HTMLElement {
  const topics = all.map(({ topicId, name }) => ({ topicId, ...check("checkbox", name, chosen.includes(topicId)) }));
  const limit = select(words, maxADay);
  const none = check("radio", words.never, digestAt === null);
  const digest = check("radio", words.digest, digestAt !== null);
  const digestTime = time(digestAt ?? usualDigest, words.digest);
  const quiet = check("checkbox", words.quietOn, quietHours !== null);
  const always = check("checkbox", words.breakingOn, breaking);
  const from = time((quietHours ?? usualQuiet).from, `${words.quiet} ${words.from}`);
  const until = time((quietHours ?? usualQuiet).until, `${words.quiet} ${words.until}`);
  digest.label.append(digestTime);
  const span = element("label", words.from, from);
  span.append(words.until, until);
  const save = element("button", words.save);
  save.className = "main";
  const form = element(
    "form",
    "",
    ...(all.length > 0
      ? [group(words.topics, element("small", words.topicsHint), ...topics.map(({ label }) => label))]
      : []),
    group(words.howMany, limit),
    group(words.rest, none.label, digest.label),
    group(words.quiet, quiet.label, span),
    group(words.breaking, element("small", words.breakingHint), always.label),
    save,
  );
  // The browser shows the message beside its field.
  const checkTimes = () => {
    const [begin, end, at] = [from.value, until.value, digestTime.value];
    const isWithin = begin < end ? begin <= at && at < end : begin <= at || at < end;
    const isEmpty = quiet.input.checked && begin === end;
    until.setCustomValidity(isEmpty ? words.noQuiet : "");
    const isQuiet = quiet.input.checked && digest.input.checked && !isEmpty && isWithin;
    digestTime.setCustomValidity(isQuiet ? words.digestInQuiet : "");
  };
  form.oninput = checkTimes;
  checkTimes();
  form.onsubmit = (event) => {
    event.preventDefault();
    const preferences = {
      maxADay: Number(limit.value) || null,
      quietHours: quiet.input.checked ? { from: from.value, until: until.value } : null,
      breaking: always.input.checked,
      digestAt: digest.input.checked ? digestTime.value : null,
      timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    };
    const topicIds = topics.filter(({ input }) => input.checked).map(({ topicId }) => topicId);
    onSave(preferences, all.length > 0 ? topicIds : undefined);
  };
  return form;
}

function group(title: string, ...children: HTMLElement[]): HTMLElement {
  return element("fieldset", "", element("legend", title), ...children);
}

function check(
  type: "checkbox" | "radio",
  text: string,
  checked: boolean,
): { input: HTMLInputElement; label: HTMLElement } {
  const input = document.createElement("input");
  Object.assign(input, { type, checked, name: type === "radio" ? "rest" : "" });
  const label = element("label", "", input);
  label.append(text);
  return { input, label };
}

function time(value: string, name: string): HTMLInputElement {
  const input = document.createElement("input");
  Object.assign(input, { type: "time", value, required: true });
  input.setAttribute("aria-label", name);
  return input;
}

function select(words: Words, maxADay: number | null): HTMLSelectElement {
  const created = document.createElement("select");
  created.setAttribute("aria-label", words.howMany);
  const numbers = [...new Set([...limits, maxADay ?? 1])].sort((a, b) => a - b);
  created.append(new Option(words.all, "", false, maxADay === null));
  for (const n of numbers) {
    created.append(new Option(words.atMost.replace("{n}", String(n)), String(n), false, n === maxADay));
  }
  return created;
}
