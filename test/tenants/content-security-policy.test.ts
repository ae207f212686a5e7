import { describe, expect, test } from "vitest";
import { allows, type Directive, readPolicies } from "../../src/tenants/sites/content-security-policy.ts";

const self = "https://news.example";
const script = "https://push.example.org/sdk/pressbell.js";

/** Returns whether a page with this policy may use the address. */
const may = (header: string | string[], directive: Directive, address = script, nonce?: string) =>
  allows(readPolicies(header, ""), directive, { address, self, nonce });

describe("a content security policy", () => {
  test.each([
    ["", true],
    ["img-src 'none'", true],
    ["script-src https://push.example.org", true],
    ["script-src push.example.org", true],
    ["script-src *.example.org", true],
    ["script-src *", true],
    ["script-src HTTPS:", true],
    ["script-src https://push.example.org/sdk/", true],
    ["script-src https://push.example.org:443", true],
    ["default-src 'self' https://push.example.org", true],
    ["script-src-elem https://push.example.org; script-src 'none'", true],
    ["script-src 'nonce-abc'", false],
    ["script-src 'self'", false],
    ["script-src", false],
    ["script-src 'none'", false],
    ["script-src http:", false],
    ["script-src example.org", false],
    ["script-src *.push.example.org", false],
    ["script-src https://push.example.org/other/", false],
    ["script-src https://push.example.org:8443", false],
    ["script-src 'self'; script-src https://push.example.org", false],
    ["script-src 'strict-dynamic' https://push.example.org", false],
    ["default-src https://push.example.org, script-src 'self'", false],
  ])("%j lets the script load: %s", (policy, isAllowed) => {
    expect(may(policy, "script-src-elem")).toBe(isAllowed);
  });

  test("lets a script with its nonce load, from any host", () => {
    expect(may("script-src 'nonce-abc' 'strict-dynamic'", "script-src-elem", script, "abc")).toBe(true);
    expect(may("script-src 'nonce-abc'", "script-src-elem", script, "xyz")).toBe(false);
  });

  test("asks the next directive where one is missing", () => {
    expect(may("child-src 'none'; script-src 'self'", "worker-src", `${self}/sw.js`)).toBe(false);
    expect(may("script-src 'self'; default-src 'none'", "worker-src", `${self}/sw.js`)).toBe(true);
    expect(may("script-src *", "connect-src", script)).toBe(true);
    expect(may("script-src *; default-src 'self'", "connect-src", script)).toBe(false);
  });

  test("is read from headers and from the page, and all must allow it", () => {
    const html = `<meta charset=utf-8><META http-equiv="Content-Security-Policy" content="script-src 'self'">`;
    expect(readPolicies(["script-src *", "img-src *"], html)).toHaveLength(3);
    expect(allows(readPolicies("script-src *", html), "script-src-elem", { address: script, self })).toBe(false);
    expect(readPolicies(undefined, '<meta name="description" content="script-src">')).toEqual([]);
  });
});
