import { describe, expect, test } from "vitest";
import { checkUrl, readAllowHosts, type UrlRefusal } from "../../src/egress/page/url-guard.ts";

const strict = { allowHosts: [] };
const withPath = (length: number) => `https://example.com/${"a".repeat(length - 20)}`;
const label = (length: number) => "a".repeat(length);

const refused: [UrlRefusal, ...urls: string[]][] = [
  ["length", withPath(2049), withPath(1_000_000)],
  ["characters", "https://example.com\\@127.0.0.1/", "https:/\\127.0.0.1/", "https://exa\tmple.com/a\nb"],
  [
    "characters",
    "https://example.com/\r\nX: 1",
    " https://example.com/",
    "https://example.com/ ",
    "https://example.com/\u0000",
  ],
  ["characters", "https://example.com/\u007f", "https://example.com/\u0085", "https://example.com/\u2028"],
  ["scheme", "http://example.com/", "file:///etc/passwd", "gopher://a.example", "ftp://a.example", "data:text/html,x"],
  ["scheme", "javascript:alert(1)", "blob:https://example.com/x", "ws://a.example", "about:blank", "dict://a.example"],
  [
    "scheme",
    "//example.com/",
    "example.com",
    "",
    "https://",
    "https:///127.0.0.1/",
    "https:example.com",
    "https:/a.example",
  ],
  [
    "userinfo",
    "https://user:pw@example.com/",
    "https://user@example.com",
    "https://@example.com",
    "https://:@example.com",
  ],
  ["userinfo", "https://example.com@127.0.0.1/", "https://127.0.0.1%2f@example.com/"],
  ["syntax", "https://example.com:65536/", "https://example.com:443:80/", "https://localhost%00.example.com/"],
  [
    "syntax",
    "https://256.1.1.1/",
    "https://1.2.3.4.5/",
    "https://0x100000000/",
    "https://4294967296/",
    "https://[fe80::1%25eth0]/",
  ],
  ["address", "https://127.0.0.1/", "https://127.1/", "https://127.0.1/", "https://2130706433/", "https://0x7f000001/"],
  [
    "address",
    "https://0x7f.1/",
    "https://0177.0.0.1/",
    "https://017700000001/",
    "https://0/",
    "https://0x/",
    "https://0.0.0.0/",
  ],
  [
    "address",
    "https://127.0.0.1./",
    "https://①②⑦.⓪.⓪.①/",
    "https://１２７.0.0.1/",
    "https://127。0。0。1/",
    "https://%31%32%37.0.0.1/",
  ],
  [
    "address",
    "https://localhost/",
    "https://LOCALHOST./",
    "https://foo.localhost/",
    "https://metadata.google.internal/",
  ],
  ["address", "https://[::1]/", "https://[0:0:0:0:0:0:0:1]/", "https://[::]/", "https://[::ffff:127.0.0.1]/"],
  [
    "address",
    "https://[::ffff:a9fe:a9fe]/",
    "https://[::127.0.0.1]/",
    "https://[::ffff:0:127.0.0.1]/",
    "https://[64:ff9b::7f00:1]/",
  ],
  ["address", "https://[64:ff9b::808:808]/", "https://[64:ff9b:1::a9fe:a9fe]/", "https://[2002:7f00:1::]/"],
  ["address", "https://[2002:808:808::]/", "https://[2001:0:4136:e378:8000:63bf:3fff:fdd2]/", "https://[2001:20::1]/"],
  ["address", "https://[2001:db8::1]/", "https://[3fff::1]/", "https://[100::1]/", "https://[5f00::1]/"],
  ["address", "https://[fe80::1]/", "https://[fec0::1]/", "https://[fc00::1]/", "https://[fd00:ec2::254]/"],
  ["address", "https://[ff02::1]/", "https://10.0.0.1/", "https://172.16.0.1/", "https://172.31.255.255/"],
  ["address", "https://192.168.0.1/", "https://169.254.170.2/", "https://100.64.0.1/", "https://100.127.255.255/"],
  ["address", "https://100.100.100.200/", "https://192.0.0.192/", "https://192.0.0.1/", "https://192.0.2.1/"],
  ["address", "https://198.51.100.1/", "https://203.0.113.1/", "https://198.18.0.1/", "https://192.88.99.1/"],
  ["address", "https://224.0.0.1/", "https://239.255.255.250/", "https://240.0.0.1/", "https://255.255.255.255/"],
  ["scheme", "jar:https://example.com!/", "ldap://a.example/", "chrome://version/", "view-source:https://example.com/"],
  ["address", "https://169.254.169.254/latest/meta-data/", "https://168.63.129.16/", "https://127.0.0.1#@example.com/"],
  ["address", "https://1e3.local/", "https://printer.local/", "https://nas.home.arpa/", "https://127.0.0.1:22/"],
  [
    "host",
    "https://intranet/",
    "https://xn--/",
    "https://1e3/",
    "https://example.com../",
    "https://a..b/",
    "https://.example.com/",
  ],
  ["host", `https://${label(64)}.example/`, `https://${Array(5).fill(label(60)).join(".")}/`],
  ["port", "https://example.com:22/", "https://example.com:80/", "https://example.com:8443/", "https://example.com:0/"],
];

const allowed: [raw: string, href: string][] = [
  ["https://example.com", "https://example.com/"],
  ["HTTPS://EXAMPLE.com:443/A", "https://example.com/A"],
  ["https://example.com./", "https://example.com/"],
  ["https://example.com/a?b=c#part", "https://example.com/a?b=c"],
  ["https://example.com/@desk", "https://example.com/@desk"],
  ["https://example.com/%0d%0aX-Injected:1", "https://example.com/%0d%0aX-Injected:1"],
  ["https://аррӏе.com/", "https://xn--80ak6aa92e.com/"],
  ["https://ex\u00admple.com/", "https://exmple.com/"],
  ["https://example.com/brücke", "https://example.com/br%C3%BCcke"],
  ["https://8.8.8.8/", "https://8.8.8.8/"],
  ["https://[2606:4700:4700::1111]/", "https://[2606:4700:4700::1111]/"],
  ["https://1.1.1/", "https://1.1.0.1/"],
  ["https://100.128.0.1/", "https://100.128.0.1/"],
  ["https://172.32.0.1/", "https://172.32.0.1/"],
  ["https://kubernetes.default.svc/", "https://kubernetes.default.svc/"],
  ["https://-a.com/", "https://-a.com/"],
  ["https://no-such-name.invalid/", "https://no-such-name.invalid/"],
  [withPath(2048), withPath(2048)],
];

describe("checkUrl", () => {
  test.each(refused)("refuses a URL for its %s", (reason, ...urls) => {
    expect(urls.map((url) => [url, checkUrl(url, strict)])).toEqual(
      urls.map((url) => [url, { allowed: false, reason }]),
    );
  });

  test.each(allowed)("allows the public URL of row %#", (raw, href) => {
    const verdict = checkUrl(raw, strict);
    expect(verdict).toMatchObject({ allowed: true, allowListed: false });
    expect(verdict.allowed && verdict.url.href).toBe(href);
  });

  test("allows the hosts that the operator lists, on the port of the entry or on every port", () => {
    const rules = { allowHosts: readAllowHosts(["127.0.0.1:8443", "[::1]", "cms.Intranet.", "desk"]) };
    const verdicts = (...urls: string[]) => urls.map((url) => checkUrl(url, rules).allowed);
    expect(
      verdicts("https://127.0.0.1:8443/", "https://127.1:8443/", "https://[::1]/", "https://[::1]:99/"),
    ).not.toContain(false);
    expect(verdicts("https://cms.intranet/", "https://CMS.intranet.:8080/", "https://desk/a")).not.toContain(false);
    expect(verdicts("https://127.0.0.1/", "https://127.0.0.1:8444/", "https://127.0.0.2:8443/")).not.toContain(true);
  });

  test("checks scheme, user name and characters of a listed host, too", () => {
    const rules = { allowHosts: readAllowHosts(["127.0.0.1"]) };
    for (const url of ["http://127.0.0.1/", "https://a@127.0.0.1/", "https://127.0.0.1/\\"]) {
      expect(checkUrl(url, rules).allowed).toBe(false);
    }
  });
});

describe("readAllowHosts", () => {
  test.each([
    "",
    "*",
    "*.example.com",
    "https://a.example",
    "a.example/",
    "::1",
    "a:b",
    "a:0",
    "a:65536",
    "a b",
    "u@a",
  ])("throws an error that names the invalid entry %o", (entry) =>
    expect(() => readAllowHosts(["ok.example", entry])).toThrow(`"${entry}" is not host[:port]`),
  );
});
