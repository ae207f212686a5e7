import { chooseEncryption, describeEncryption } from "../src/delivery/crypto/encryption.ts";

// Part of `npm run build`, for an installation that another user runs. Otherwise the first start builds the encryptor.
const encryption = await chooseEncryption("auto");
process.stdout.write(`messages will be encrypted by ${describeEncryption(encryption)}\n`);
