import { writeNudge } from "../../src/decision/nudge.ts";
import { readArticle } from "../../src/decision/page/article.ts";
import { fold, medianMs } from "./measure-decision.ts";
import type { SuitePage } from "./suite.ts";

/** The value that was read for one field of a page. `wanted`: the first right value. */
export type ReadField = { field: Field; page: SuitePage; found: string | null; wanted: string; isRight: boolean };
type Field = "title" | "day" | "moment" | "image";

const dayMs = 86_400_000;
const hourMs = 3_600_000;

/** Reads a page and compares it with its expected values. `cpuMs`: the CPU time of reading it. */
export function measurePage(page: SuitePage): { fields: ReadField[]; cpuMs: number } {
  const before = process.threadCpuUsage();
  const { article } = readArticle({ url: page.url, body: page.body, robotsHeader: null });
  const { user, system } = process.threadCpuUsage(before);
  const { title } = writeNudge(article);
  const { date, image } = page;
  const isTitle = page.title.some((wanted) => fold(wanted) === fold(title ?? ""));
  const isImage = image.some((wanted) => placeOf(wanted) === placeOf(article.imageUrl ?? ""));
  const at = article.publishedAt;
  const fields: (false | Omit<ReadField, "page">)[] = [
    page.title.length > 0 && { field: "title", found: title, wanted: page.title[0]!, isRight: isTitle },
    date !== undefined && { field: "day", found: at, wanted: date, isRight: at !== null && isDay(at, date) },
    date !== undefined &&
      date.length > 10 && {
        field: "moment",
        found: at,
        wanted: date,
        isRight: at !== null && Date.parse(at) === Date.parse(date),
      },
    image.length > 0 && { field: "image", found: article.imageUrl, wanted: image[0]!, isRight: isImage },
  ];
  const wanted = fields.filter((field) => field !== false).map((field) => ({ ...field, page }));
  return { fields: wanted, cpuMs: (user + system) / 1_000 };
}

/** Returns whether a moment is on the wanted day in any time zone. */
function isDay(at: string, wanted: string): boolean {
  const [ms, start] = [Date.parse(at), Date.parse(wanted.slice(0, 10))];
  return ms >= start - 14 * hourMs && ms < start + dayMs + 12 * hourMs;
}

/** Returns an address without scheme and query. Addresses that differ only in these mean the same picture. */
function placeOf(address: string): string {
  const url = URL.parse(address);
  return url === null ? address : `${url.host}${url.pathname}`;
}

/** Returns the figures of each field, and a line for each value that is wrong or missing. */
export function reportSuite(pages: ReturnType<typeof measurePage>[]): string {
  const all = pages.flatMap(({ fields }) => fields);
  const figures = [...Map.groupBy(all, ({ field }) => field)].map(([field, some]) => {
    const right = some.filter(({ isRight }) => isRight).length;
    const said = some.filter(({ found }) => found !== null).length;
    return `${field.padEnd(6)}  right ${share(right, some.length)}, of what is said ${share(right, said)}`;
  });
  const wrong = all.filter(({ isRight }) => !isRight);
  const lines = wrong.map(
    ({ field, page, found, wanted }) => `${page.id} ${field}: ${found ?? "none"}\n    wanted: ${wanted}`,
  );
  const cost = `CPU a page: ${medianMs(pages.map(({ cpuMs }) => cpuMs)).toFixed(1)} ms in the median`;
  return [...figures, cost, ...(lines.length === 0 ? [] : ["", "Wrong:", ...lines])].join("\n");
}

function share(count: number, of: number): string {
  return of === 0 ? "none" : `${((100 * count) / of).toFixed(1)} % (${count}/${of})`;
}
