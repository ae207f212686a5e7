import { folderRules, packageRules, programRules, programs, rootRule } from "./import-rules.ts";

/** An entry of `overrides` in biome.json. */
export type Override = { includes: string[]; linter?: { rules: { style?: { noRestrictedImports?: unknown } } } };
type Pattern = { group: string[]; message: string };

export const isImportRule = (override: Override) => override.linter?.rules.style?.noRestrictedImports !== undefined;

/**
 * Returns the import rules as biome's overrides. A later override replaces an earlier one, so each file matches only
 * one.
 */
export function importOverrides(): Override[] {
  return [
    ofFiles(["src/*.ts", ...programs.map((file) => `!src/${file}`)], [rootPattern(), ...packagePatterns("")]),
    ofFiles(
      programs.map((file) => `src/${file}`),
      [
        { group: ["../**"], message: "src/ stands by itself: it takes nothing from test/ or demo/." },
        ...packagePatterns(""),
      ],
    ),
    ...Object.keys(folderRules).flatMap((folder) => [
      ofFiles([`src/${folder}/*.ts`], [folderPattern(folder, ".."), ...packagePatterns(folder)]),
      ofFiles([`src/${folder}/*/**`], [folderPattern(folder, "../.."), ...packagePatterns(folder)]),
    ]),
    ...programRules.map(({ folder, except, mayImport, because }) =>
      ofFiles(
        [`${folder}/**`, ...except.map((file) => `!${folder}/${file}`)],
        [{ group: ["**", ...mayImport.map((source) => `!${source}`)], message: because }],
      ),
    ),
  ];
}

/**
 * Returns the text of biome.json (`config`) with the import rules of the table at the end of its overrides, one rule a
 * line. The rest is unchanged.
 */
export function writeImportRules(config: string): string {
  const others = config.split("\n").filter((line) => !line.includes('"noRestrictedImports"'));
  const rules = importOverrides().map((override) => `    ${JSON.stringify(override)}`);
  return others.join("\n").replace(/\n {2}\]\n\}\n$/, () => `\n${rules.join(",\n")}\n  ]\n}\n`);
}

function ofFiles(includes: string[], patterns: Pattern[]): Override {
  return {
    includes,
    linter: { rules: { style: { noRestrictedImports: { level: "error", options: { patterns } } } } },
  };
}

function rootPattern(): Pattern {
  const allowed = rootRule.mayImport.map((folder) => `!./${folder}/**`);
  return {
    group: ["./*/**", ...allowed, ...programs.map((file) => `./${file}`), "../**"],
    message: rootRule.because,
  };
}

/** Returns the pattern of a folder. `up` is the relative path from a file of the folder or of its subfolders to src. */
function folderPattern(folder: string, up: string): Pattern {
  const { mayImport, because } = folderRules[folder]!;
  const allowed = mayImport.map((other) => `!${up}/${other}/**`);
  return { group: [`${up}/*/**`, ...programs.map((file) => `${up}/${file}`), ...allowed], message: because };
}

function packagePatterns(folder: string): Pattern[] {
  return packageRules
    .filter(({ except }) => !except.includes(folder))
    .map(({ only, because }) => ({ group: only, message: because }));
}
