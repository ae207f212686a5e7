import type { PastNudge } from "../src/forecast/forecast.ts";

/** The factors on the click rate in an invented history. */
export type Effects = { evening: number; picture: number; question: number; weekend: number; sport: number };

export const noEffects: Effects = { evening: 1, picture: 1, question: 1, weekend: 1, sport: 1 };
export const usualEffects: Effects = { evening: 1.8, picture: 1.5, question: 0.7, weekend: 0.6, sport: 1.3 };

const sections = ["local", "sport", "politics", "culture"];
const titles = [
  "Bridge over the river opens to cars on Saturday",
  "Council votes on the tram: what changes for you?",
  "Storm warning for the coast until midnight",
  "City beats rivals 3:1 in the cup",
  "Why the hospital needs new doctors, and where they could come from",
];

/**
 * Invents a plausible history of a site, with two or three notifications a day, oldest first. 2 % (`clicks`) of the
 * readers click, changed by the effects, and by about a third from story to story. `random` returns numbers from 0 to
 * below 1.
 */
export function makeHistory(nudges: number, effects: Effects, random: () => number, clicks = 0.02): PastNudge[] {
  /** Returns a nearly normal number: the sum of twelve uniform numbers. */
  const normal = () => Array.from({ length: 12 }, random).reduce((sum, n) => sum + n, -6);
  return Array.from({ length: nudges }, (_, i) => {
    const hour = 6 + Math.floor(17 * random());
    const title = titles[Math.floor(titles.length * random())]!;
    const ageDays = 1 + 0.4 * (nudges - i);
    const weekday = 1 + (Math.floor(ageDays) % 7);
    const hasImage = random() < 0.5;
    const accepted = 8_000 + Math.floor(2_000 * random());
    const section = sections[Math.floor(sections.length * random())]!;
    const rate =
      clicks *
      Math.exp(0.3 * normal()) *
      (hour >= 16 && hour < 21 ? effects.evening : 1) *
      (hasImage ? effects.picture : 1) *
      (section === "sport" ? effects.sport : 1) *
      (title.includes("?") ? effects.question : 1) *
      (weekday >= 6 ? effects.weekend : 1);
    const expected = accepted * rate;
    const clicked = Math.max(0, Math.round(expected + Math.sqrt(expected) * normal()));
    const displayed = Math.round(accepted * (0.6 + 0.05 * normal()));
    const left = Math.max(0, Math.round(5 + 2 * normal()));
    const url = `https://news.example/${section}/story-${i}`;
    const facts = { title, url, hasImage, topicIds: [], hour, weekday, hoursSinceLast: 10 * random() };
    return { ...facts, ageDays, accepted, reporting: accepted, displayed, clicked, left };
  });
}
