import { fileURLToPath } from "node:url";
import { version } from "../version.ts";
import type { AloneCommand, Command } from "./command.ts";
import { allCommands, findCommand, loadGroups } from "./commands.ts";
import { completionFor } from "./completion.ts";

type AnyCommand = Command | AloneCommand;

/** The words that start the command line. The npm package holds JavaScript, a checkout TypeScript. */
const program = import.meta.url.endsWith(".ts") ? "npm run -s pressbell --" : "npx pressbell";

/** The folder of the documentation. The npm package has a copy. */
const docs = fileURLToPath(new URL("../../docs", import.meta.url));

/** Returns the usage of one command. */
export function usageOf({ usage }: AnyCommand): string {
  return `Usage: ${program} ${usage}\n`;
}

/**
 * Returns the text for words that name no command: the commands with the same first word, and how to list all
 * commands.
 */
export async function commandsLike(words: string[]): Promise<string> {
  const like = (await allCommands()).filter(({ words: [first] }) => first === words[0]);
  return `${like.map(lineOf).join("")}${like.length > 0 ? "\n" : ""}All commands: ${program} help\n`;
}

/**
 * Returns the answer to a question about the command line itself: `help`, `--help` and `-h`, alone or with a command,
 * `version` and `--version`, and `completion SHELL`. Returns undefined for other words.
 */
export async function answerHelp(words: string[]): Promise<string | undefined> {
  if (["version", "--version", "-v"].includes(words[0] ?? "")) return `pressbell ${version}\n`;
  if (words[0] === "completion") return completionFor(words[1]);
  const asks = words[0] === "help" || words.includes("--help") || words.includes("-h");
  if (!asks) return undefined;
  const command = await findCommand(words.filter((word) => !["help", "--help", "-h"].includes(word)));
  return command === undefined ? overview() : usageOf(command);
}

async function overview(): Promise<string> {
  const groups = (await loadGroups()).map(({ title, commands }) => `${title}\n${commands.map(lineOf).join("")}`);
  return (
    `Usage: ${program} COMMAND [OPTIONS]\n\n${groups.join("\n")}\n` +
    `Options of a command: ${program} COMMAND --help\n` +
    "Completions for bash or zsh: source <(pressbell completion bash)\n" +
    `Pages such as docs/run.md are in ${docs}\n`
  );
}

function lineOf({ words, summary }: AnyCommand): string {
  return `  ${words.join(" ").padEnd(24)}${summary}\n`;
}
