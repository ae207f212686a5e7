import { allCommands } from "./commands.ts";

/**
 * Returns, for each shell, a script that completes commands and their options. `lines`: one line for each typed
 * beginning of a command, with the words that may follow.
 */
const scripts: Record<string, (lines: string) => string> = {
  bash: (lines) => `_pressbell() {
  local typed="\${COMP_WORDS[*]:1:COMP_CWORD-1}" word="\${COMP_WORDS[COMP_CWORD]}" line
  while [ -n "$typed" ] && ! grep -q "^$typed:" <<<"$_pressbell_words"; do
    case "$typed" in *" "*) typed="\${typed% *}" ;; *) typed= ;; esac
  done
  line=$(grep "^$typed:" <<<"$_pressbell_words")
  COMPREPLY=($(compgen -W "\${line#*:}" -- "$word"))
}
_pressbell_words='${lines}'
complete -o default -F _pressbell pressbell
`,
  zsh: (lines) => `autoload -U +X bashcompinit && bashcompinit
${scripts.bash!(lines)}`,
};

/** Returns the completion script for a shell, `bash` or `zsh`; undefined for another. */
export async function completionFor(shell: string | undefined): Promise<string | undefined> {
  const script = Object.hasOwn(scripts, shell ?? "") ? scripts[shell!]! : undefined;
  return script?.((await completionLines()).join("\n"));
}

/** Returns one line for each beginning of a command: `words typed:what may follow`. */
async function completionLines(): Promise<string[]> {
  const following = new Map<string, Set<string>>();
  const add = (typed: string, next: string) =>
    following.set(typed, (following.get(typed) ?? new Set<string>()).add(next));
  for (const { words, options } of await allCommands()) {
    words.forEach((word, at) => void add(words.slice(0, at).join(" "), word));
    for (const option of [...Object.keys(options), "help"]) add(words.join(" "), `--${option}`);
  }
  return [...following].map(([typed, next]) => `${typed}:${[...next].join(" ")}`);
}
