import { chooseEncryption, describeEncryption } from "../src/delivery/crypto/encryption.ts";

// Part of `npm run build`, for whoever installs the program for another user: the first start does it otherwise.
const encryption = await chooseEncryption("auto");
process.stdout.write(`messages will be encrypted by ${describeEncryption(encryption)}\n`);
