import { expect, test } from "vitest";
import { chooseEncryption, describeEncryption } from "../../src/delivery/crypto/encryption.ts";
import { runHere } from "./run-here.ts";

test("encryption builds the native helper without a database, and says what encrypts", async () => {
  const { code, out } = await runHere(["encryption", "--json"], { DATABASE_URL: "postgres://nobody@127.0.0.1:1/none" });
  expect({ code, ...JSON.parse(out) }).toEqual({
    code: 0,
    encryption: describeEncryption(await chooseEncryption("auto")),
  });
  expect(await runHere(["encryption"], { ENCRYPTION: "node" })).toMatchObject({
    code: 0,
    out: "encryption: node:crypto (as ENCRYPTION says)\n",
  });
}, 120_000);
