// Parses files with PHP 7.4, the oldest that the plugin promises, which Debian does not have any more. Run it in a folder with
// @php-wasm/node-7-4. usage: node php-7.4.mjs FILE…
import { readFile } from "node:fs/promises";
import { getPHPLoaderModule } from "@php-wasm/node-7-4";
import { loadPHPRuntime, PHP } from "@php-wasm/universal";

const parse = `<?php
try {
  token_get_all(file_get_contents('/tmp/file.php'), TOKEN_PARSE);
  echo PHP_MAJOR_VERSION . '.' . PHP_MINOR_VERSION . ' parses it';
} catch (ParseError $error) {
  echo 'line ' . $error->getLine() . ': ' . $error->getMessage();
}`;

const php = new PHP(await loadPHPRuntime(await getPHPLoaderModule()));
let faults = 0;
for (const file of process.argv.slice(2)) {
  php.writeFile("/tmp/file.php", await readFile(file));
  const { text } = await php.run({ code: parse });
  if (text === "7.4 parses it") continue;
  faults++;
  process.stderr.write(`${file}, PHP 7.4: ${text}\n`);
}
// The runtime would keep the process.
process.exit(faults === 0 && process.argv.length > 2 ? 0 : 1);
