import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseAst } from "vite";
import { expect, test } from "vitest";

const sources = new URL("../../dashboard/src/", import.meta.url).pathname;
/** Files that contain code. main.tsx also has the text for the case that no words could be loaded. */
const foreign = ["components/snippet.ts", "integrations/examples.ts", "main.tsx"];
const files = readdirSync(sources, { recursive: true, encoding: "utf8" }).filter(
  (name) => /\.tsx?$/.test(name) && !name.startsWith("words/") && !foreign.includes(name),
);

/** The attributes and properties whose text people read. */
const readAttributes = /^(title|label|placeholder|aria-label|description|alt|caption|legend|lead|action|refusal)$/;

/** Names, keys and code, which are the same in every language. */
const notWords =
  /^(Pressbell|· Pressbell|K|utm_|noreferrer noopener|pressbell password link .*|setup-link|<div id=.*|ui-monospace.*|https:\/\/[a-z.]*|\/rss.xml|\{"publicKey.*)$/;

// biome-ignore lint/suspicious/noExplicitAny: the nodes of a parser
type Node = Record<string, any>;

/** Two words in a row, anywhere in a text. Class names do not match, because they have hyphens. */
const sentence = /(^|[^-\w])[A-Za-z][a-z’]+[,:;]? [a-z]+([^-\w]|$)/;

/**
 * Returns whether people read a text there: in an element, in an attribute, or in an object that becomes a part of a
 * page.
 */
function isReadIn(parent: Node, child: Node, isRead: boolean): boolean {
  if (parent.type === "JSXAttribute") return readAttributes.test(parent.name.name);
  if (parent.type === "Property") return readAttributes.test(parent.key.name ?? parent.key.value);
  if (parent.type === "JSXElement" || parent.type === "JSXFragment") return child.type === "JSXExpressionContainer";
  // The arguments of a call are names and keys. Its result is checked where it is made.
  return isRead && parent.type !== "CallExpression" && parent.type !== "BinaryExpression";
}

/** Returns the texts of a file that a person would read, and that no language can replace. */
function literalsIn(file: string): string[] {
  const found: string[] = [];
  const note = (text: string) => {
    const trimmed = text.replace(/\s+/g, " ").trim();
    if (/[A-Za-z]/.test(trimmed) && !notWords.test(trimmed)) found.push(`${file}: ${trimmed}`);
  };
  const visit = (node: Node, isRead: boolean): void => {
    if (node.type.startsWith("TS") && !/^TS(As|Satisfies|NonNull)Expression$/.test(node.type)) return;
    // The message of an Error goes to the console.
    if (node.type === "NewExpression" && node.callee.name === "Error") return;
    const text = node.type === "Literal" ? node.value : node.type === "TemplateElement" ? node.value.cooked : null;
    if (node.type === "JSXText") note(node.value);
    else if (typeof text === "string" && (isRead || sentence.test(text))) note(text);
    for (const [name, value] of Object.entries(node)) {
      if (name === "key" && !node.computed) continue;
      for (const child of Array.isArray(value) ? value : [value]) {
        if (typeof child?.type === "string") visit(child, isReadIn(node, child, isRead));
      }
    }
  };
  visit(parseAst(readFileSync(join(sources, file), "utf8"), { lang: "tsx" }), false);
  return found;
}

test("the words of every page are in words/, where each language has its own", () => {
  expect(files.length).toBeGreaterThan(150);
  expect(files.flatMap(literalsIn)).toEqual([]);
});

/** Returns where a file reads words while it is loaded: outside of functions, or in an object that is read at once. */
function readAtLoad(file: string): string[] {
  const found: string[] = [];
  const visit = (node: Node, isPassedOn: boolean): void => {
    if (node.type === "ArrowFunctionExpression" || node.type === "FunctionDeclaration") return;
    if (node.type === "Property" && node.kind === "get" && !isPassedOn) return;
    if (node.type === "MemberExpression" && node.object.name === "words") found.push(`${file}: ${node.property.name}`);
    const isCall = node.type === "NewExpression" || node.type === "CallExpression";
    for (const value of Object.values(node)) {
      for (const child of Array.isArray(value) ? value : [value]) {
        if (typeof child?.type === "string") visit(child, isPassedOn || isCall);
      }
    }
  };
  visit(parseAst(readFileSync(join(sources, file), "utf8"), { lang: "tsx" }), false);
  return found;
}

test("no module reads words while it is loaded, when they are not there yet", () => {
  // Mantine keeps the theme object unchanged, and reads it when a dialog is shown.
  expect(files.filter((file) => file !== "theme.ts").flatMap(readAtLoad)).toEqual([]);
});
