import { randomFillSync } from "node:crypto";
import { truncate, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { Encrypter, generateX25519Identity, identityToRecipient } from "age-encryption";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LocalFolder } from "../../../../src/storage/repository/files/local-folder.js";
import type { ByteSource } from "../../../../src/storage/repository/files/repository-storage.js";
import { ageSource } from "../../../../src/storage/repository/read/byte-source.js";
import { RepositoryKeys } from "../../../../src/storage/repository/read/repository-keys.js";
import { temporaryFolder } from "../../../helpers/temporary-folder.js";
import "../../../helpers/seed.js";

const CHUNK = 64 * 1024;

async function sealed(
  plain: Buffer,
): Promise<{ readonly path: string; readonly size: number; readonly open: () => Promise<ByteSource> }> {
  const identity = await generateX25519Identity();
  const encrypter = new Encrypter();
  encrypter.addRecipient(await identityToRecipient(identity));
  const path = join(await temporaryFolder(), "file.zip.age");
  const bytes = await encrypter.encrypt(plain);
  await writeFile(path, bytes);
  const keys = new RepositoryKeys({ identities: [identity], passphrase: null });
  return { path, size: bytes.length, open: async () => ageSource(await sourceOf(path), "file.zip.age", keys) };
}

async function sourceOf(path: string): Promise<ByteSource> {
  const source = await new LocalFolder(dirname(path)).open(basename(path));
  if (source === undefined) throw new Error(`${path} is missing.`);
  return source;
}

async function bytesAt(source: ByteSource, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await source.read(buffer, filled, length - filled, position + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}

describe("an encrypted file", () => {
  it.each([0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK, 5 * CHUNK + 77])(
    "of %d bytes is read anywhere",
    async (size) => {
      const plain = randomFillSync(Buffer.alloc(size));
      const source = await (await sealed(plain)).open();
      expect(source.bytes).toBe(size);
      expect(await bytesAt(source, 0, size + 9)).toEqual(plain);
      await fc.assert(
        fc.asyncProperty(fc.nat(size + 10), fc.nat(3 * CHUNK), async (position, length) => {
          expect((await bytesAt(source, position, length)).equals(plain.subarray(position, position + length))).toBe(
            true,
          );
        }),
        { numRuns: 30 },
      );
      await source.close();
    },
  );

  it("is refused when it is cut anywhere, even between two chunks", async () => {
    const plain = randomFillSync(Buffer.alloc(3 * CHUNK));
    const { path, size, open } = await sealed(plain);
    for (const left of [
      size - 1,
      size - CHUNK - 16,
      size - 2 * (CHUNK + 16),
      size - 3 * (CHUNK + 16),
      200,
      100,
      21,
      0,
    ]) {
      await truncate(path, left);
      await expect(open()).rejects.toMatchObject({ exitCode: 6 });
    }
  });
});
