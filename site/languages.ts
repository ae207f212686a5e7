import type { ExampleRequest } from "./request.ts";

/** A language in which the site shows an example, beside curl. */
export type Language = {
  name: string;
  /** For colours, and as the extension of a file. */
  fence: "js" | "py" | "php";
  /** Returns a program that sends the request, and prints the status and the body of its answer. */
  write(request: ExampleRequest): string;
};

/** How a language writes the parts of a literal. `text` gets a text that may hold variables. */
type Style = {
  indent: string;
  text: (text: string) => string;
  list: [open: string, close: string];
  map: [open: string, pair: (name: string, value: string) => string, close: string];
};

/** What the page shows without a scroll bar. */
const columns = 70;
const variable = /\$([A-Z_]+)/g;

/** Writes a JSON value in one line, or where that is too long one member a line. */
function literal(value: unknown, style: Style, depth = 1): string {
  if (typeof value === "string") return style.text(value);
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const [open, close] = Array.isArray(value) ? style.list : [style.map[0], style.map[2]];
  const members = Array.isArray(value)
    ? value.map((each) => literal(each, style, depth + 1))
    : Object.entries(value).map(([name, each]) => style.map[1](name, literal(each, style, depth + 1)));
  const space = open === "{" && style === inJavaScript ? " " : "";
  const line = `${open}${space}${members.join(", ")}${space}${close}`;
  if (line.length + depth * style.indent.length <= columns) return line;
  const at = style.indent.repeat(depth);
  return `${open}\n${members.map((member) => `${at}${style.indent}${member},\n`).join("")}${at}${close}`;
}

/** The variables of a request, in their order, each once. */
function variablesOf(request: ExampleRequest): string[] {
  const texts = [request.url, ...request.headers.map(([, value]) => value), JSON.stringify(request.body ?? "")];
  return [...new Set(texts.flatMap((text) => [...text.matchAll(variable)].map(([, name]) => name!)))];
}

const only = (text: string) => /^\$([A-Z_]+)$/.exec(text)?.[1];
const hasVariable = (text: string) => text.search(variable) >= 0;

const inJavaScript: Style = {
  indent: "  ",
  text: (text) =>
    only(text) ?? (hasVariable(text) ? `\`${text.replaceAll(variable, "$${$1}")}\`` : JSON.stringify(text)),
  list: ["[", "]"],
  map: ["{", (name, value) => `${/^\w+$/.test(name) ? name : JSON.stringify(name)}: ${value}`, "}"],
};

function writeJavaScript(request: ExampleRequest): string {
  const { method, url, headers, body, cookies } = request;
  const sent = cookies === "sends" ? [["Cookie", "$COOKIES"]] : [];
  return [
    ...(cookies ? [`import { ${cookies === "sends" ? "readFileSync" : "writeFileSync"} } from "node:fs";\n`] : []),
    `const { ${variablesOf(request).join(", ")} } = process.env;`,
    ...(cookies === "sends" ? ['const COOKIES = readFileSync("cookies.txt", "utf8");'] : []),
    `const response = await fetch(${inJavaScript.text(url)}, {`,
    ...(method === "GET" ? [] : [`  method: "${method}",`]),
    `  headers: ${literal(Object.fromEntries([...headers, ...sent]), inJavaScript)},`,
    ...(body === undefined ? [] : [`  body: JSON.stringify(${literal(body, inJavaScript)}),`]),
    "});",
    ...(cookies === "stores"
      ? [
          'const cookies = response.headers.getSetCookie().map((line) => line.split(";")[0]);',
          'writeFileSync("cookies.txt", cookies.join("; "));',
        ]
      : []),
    "console.log(response.status, await response.text());",
  ].join("\n");
}

const inPython: Style = {
  indent: "    ",
  text: (text) =>
    only(text) !== undefined
      ? `environ["${only(text)}"]`
      : `${hasVariable(text) ? "f" : ""}${JSON.stringify(text.replaceAll(variable, "{environ['$1']}"))}`,
  list: ["[", "]"],
  map: ["{", (name, value) => `${JSON.stringify(name)}: ${value}`, "}"],
};

function writePython(request: ExampleRequest): string {
  const { method, url, headers, body, cookies } = request;
  return [
    ...(body === undefined ? [] : ["import json"]),
    "from os import environ",
    "from urllib.error import HTTPError",
    "from urllib.request import Request, urlopen\n",
    "request = Request(",
    `    ${inPython.text(url)},`,
    ...(method === "GET" ? [] : [`    method="${method}",`]),
    `    headers=${literal(Object.fromEntries(headers), inPython)},`,
    ...(body === undefined ? [] : [`    data=json.dumps(${literal(body, inPython)}).encode(),`]),
    ")",
    ...(cookies === "sends" ? ['request.add_header("Cookie", open("cookies.txt").read())'] : []),
    "try:",
    "    response = urlopen(request)",
    "except HTTPError as error:",
    "    response = error",
    ...(cookies === "stores"
      ? [
          'cookies = [line.split(";")[0] for line in response.headers.get_all("Set-Cookie")]',
          'open("cookies.txt", "w").write("; ".join(cookies))',
        ]
      : []),
    "print(response.status, response.read().decode())",
  ].join("\n");
}

const inPhp: Style = {
  indent: "    ",
  text: (text) => (only(text) ? text : JSON.stringify(text)),
  list: ["[", "]"],
  map: ["[", (name, value) => `${JSON.stringify(name)} => ${value}`, "]"],
};

function writePhp(request: ExampleRequest): string {
  const { method, url, headers, body, cookies } = request;
  const lines = headers.map(([name, value]) => `${name}: ${value}`);
  const variables = Object.fromEntries(variablesOf(request).map((name) => [name, `$${name}`]));
  return [
    "<?php",
    `${literal(variables, inPhp, 0)} = getenv();`,
    `$request = curl_init(${inPhp.text(url)});`,
    "curl_setopt_array($request, [",
    "    CURLOPT_RETURNTRANSFER => true,",
    ...(method === "GET" ? [] : [`    CURLOPT_CUSTOMREQUEST => "${method}",`]),
    `    CURLOPT_HTTPHEADER => ${literal(lines, inPhp)},`,
    ...(body === undefined ? [] : [`    CURLOPT_POSTFIELDS => json_encode(${literal(body, inPhp)}),`]),
    ...(cookies === undefined ? [] : [`    CURLOPT_COOKIE${cookies === "stores" ? "JAR" : "FILE"} => "cookies.txt",`]),
    "]);",
    "$body = curl_exec($request);",
    'echo curl_getinfo($request, CURLINFO_RESPONSE_CODE), " ", $body, "\\n";',
  ].join("\n");
}

/** The languages of the API reference, in the order of its tabs. */
export const languages: Language[] = [
  { name: "JavaScript", fence: "js", write: writeJavaScript },
  { name: "Python", fence: "py", write: writePython },
  { name: "PHP", fence: "php", write: writePhp },
];
