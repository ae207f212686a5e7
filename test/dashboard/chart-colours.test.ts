import { expect, test } from "vitest";
import { chartColours } from "../../dashboard/src/components/chart-colours.ts";

/** The colours behind bars and lines: a paper, and the empty rest of a bar. */
const behind = { light: ["#ffffff", "#e9ecef"], dark: ["#1b2023", "#363e42"] };

/** Returns the relative luminance of a colour (WCAG 2.2). */
function luminanceOf(colour: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

function contrastOf(one: string, other: string): number {
  const [dark, light] = [luminanceOf(one), luminanceOf(other)].toSorted((a, b) => a - b);
  return (light! + 0.05) / (dark! + 0.05);
}

test.each(["light", "dark"] as const)(
  "in %s colours each series has a contrast of 3 to 1 to what is behind it",
  (scheme) => {
    const faults = Object.entries(chartColours[scheme]).flatMap(([name, colour]) =>
      behind[scheme]
        .filter((one) => contrastOf(colour, one) < 3)
        .map((one) => `${name} on ${one}: ${contrastOf(colour, one)}`),
    );
    expect(faults).toEqual([]);
  },
);
