import { chooseEncryption } from "../../src/delivery/encryption.ts";

/** Before all tests: the native helper is built once, so that the first processes of the service do not each wait for it. */
export async function setup(): Promise<void> {
  await chooseEncryption("auto");
}
