import { waitForStop } from "./cli/stop-signals.ts";
import { runWords } from "./run-words.ts";

const failure = await runWords(process.argv.slice(2), { environment: process.env, waitForStop });
if (failure !== undefined) {
  process.stderr.write(failure.text);
  // `exit` instead of `exitCode`, because delivery threads that have started would keep the process running.
  process.exit(failure.exitCode);
}
