import { readConfig } from "../config.ts";
import { chooseEncryption, describeEncryption } from "../delivery/crypto/encryption.ts";
import { type AloneCommand, print } from "./command.ts";

/**
 * The command for an installation whose service cannot write into the program's folder. The owner of the folder runs
 * it once.
 */
export const encryption: AloneCommand = {
  words: ["encryption"],
  summary: "Say what encrypts messages, and build the native helper",
  usage:
    "encryption [--json]\n" +
    "      says what encrypts messages, and builds the native helper first if it can; needed where the service may not write\n" +
    "      into the program's folder",
  options: { json: { type: "boolean" } },
  async runAlone(environment, values) {
    const { ENCRYPTION } = readConfig(environment, { secretKey: "optional" });
    print(values, { encryption: describeEncryption(await chooseEncryption(ENCRYPTION)) });
  },
};
