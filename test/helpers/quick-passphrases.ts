import crypto from "node:crypto";
import { syncBuiltinESMExports } from "node:module";
import { afterAll, beforeAll, vi } from "vitest";

/** Of each derivation. Real ones take 1 s of processor time and 256 MB. */
const QUICK = { N: 1024, r: 8, p: 1 };

/**
 * Derives keys from passphrases quickly in the tests of a file, whose process writes and reads all
 * that is encrypted. `test/storage/repository/write/encryption.test.ts` derives keys as users do.
 */
export function quickPassphrases(): void {
  beforeAll(() => {
    const { scrypt } = crypto;
    vi.spyOn(crypto, "scrypt").mockImplementation((passphrase, salt, length, _options, done) =>
      scrypt(passphrase, salt, length, QUICK, done),
    );
    // For modules that imported the function by its name.
    syncBuiltinESMExports();
  });
  afterAll(() => {
    vi.mocked(crypto.scrypt).mockRestore();
    syncBuiltinESMExports();
  });
}
