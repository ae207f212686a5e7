/** A request as an example of docs/api.md shows it. Texts may hold variables, each as `$NAME`. */
export type ExampleRequest = {
  method: string;
  url: string;
  headers: [name: string, value: string][];
  /** The JSON of its body; undefined without one. */
  body: unknown;
  /** Whether it stores the cookies of its answer in cookies.txt, or sends those. */
  cookies: "stores" | "sends" | undefined;
};

/** Reads the curl command of an example. Throws for an option that no example has yet. */
export function readCurl(script: string): ExampleRequest {
  const [program, ...words] = wordsOf(script);
  if (program !== "curl") throw new Error(`an example begins with curl, not ${program}`);
  const request: ExampleRequest = { method: "", url: "", headers: [], body: undefined, cookies: undefined };
  while (words.length > 0) {
    const word = words.shift()!;
    if (word === "-s") continue;
    if (word === "-X") request.method = words.shift()!;
    else if (word === "-H") request.headers.push(splitOnce(words.shift()!, ": "));
    else if (word === "-d") request.body = JSON.parse(words.shift()!);
    else if (word === "-c" || word === "-b") {
      if (words.shift() !== "cookies.txt") throw new Error("cookies are kept in cookies.txt");
      request.cookies = word === "-c" ? "stores" : "sends";
    } else if (word.startsWith("$PRESSBELL/")) request.url = word;
    else throw new Error(`site/request.ts does not know ${word}`);
  }
  request.method ||= request.body === undefined ? "GET" : "POST";
  return request;
}

/** Splits a command into words as a shell does (POSIX, 2.2 Quoting), without expanding variables. */
function wordsOf(script: string): string[] {
  const part = /'([^']*)'|"([^"]*)"|[^\s'"\\]+|\\\n/gy;
  const words: string[] = [];
  for (const word of script.trim().match(/(?:'[^']*'|"[^"]*"|[^\s'"\\])+/g) ?? [])
    words.push(word.replaceAll(part, (text, single, double) => single ?? double ?? text));
  return words;
}

function splitOnce(text: string, at: string): [string, string] {
  const index = text.indexOf(at);
  return [text.slice(0, index), text.slice(index + at.length)];
}
