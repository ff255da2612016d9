import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Decrypter, generateX25519Identity, identityToRecipient } from "age-encryption";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Sealer } from "../../../../src/storage/repository/read/byte-source.js";
import { encryptTo, encryptWithPassphrase } from "../../../../src/storage/repository/write/encryption.js";
import { writeSnapshot } from "../../../../src/storage/repository/write/write-snapshot.js";
import "../../../helpers/seed.js";
import { sourceFiles } from "../../../helpers/source-files.js";
import { temporaryFolder } from "../../../helpers/temporary-folder.js";
import { planOf, sha256 } from "./helpers/plans.js";

const CHUNK = 65_536;

async function sealed(pieces: readonly Buffer[], recipients: readonly string[]): Promise<Buffer> {
  const { sealer, head } = await Sealer.begin(encryptTo(recipients));
  const body = pieces.map((piece) => sealer.add(piece));
  return Buffer.concat([head, ...body, sealer.end()]);
}

describe("what is sealed", () => {
  it("is opened by each of its recipients, in whichever pieces it came", async () => {
    const identities = [await generateX25519Identity(), await generateX25519Identity()];
    const recipients = await Promise.all(identities.map(identityToRecipient));
    // Lengths around the chunks of the format, where its last chunk is easily got wrong.
    const length = fc.constantFrom(0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK, 3 * CHUNK + 17);
    await fc.assert(
      fc.asyncProperty(fc.array(length, { maxLength: 4 }), async (lengths) => {
        const pieces = lengths.map((one, at) => Buffer.alloc(one, at + 1));
        const file = await sealed(pieces, recipients);
        for (const identity of identities) {
          const decrypter = new Decrypter();
          decrypter.addIdentity(identity);
          expect(Buffer.from(await decrypter.decrypt(file)).equals(Buffer.concat(pieces))).toBe(true);
        }
      }),
      { numRuns: 6 },
    );
  });

  it("is opened by the age tool", { tags: ["age"] }, async () => {
    const folder = await temporaryFolder();
    const identity = await generateX25519Identity();
    writeFileSync(join(folder, "key"), `${identity}\n`);
    for (const length of [0, CHUNK, CHUNK + 1]) {
      writeFileSync(
        join(folder, "file.age"),
        await sealed([Buffer.alloc(length, 7)], [await identityToRecipient(identity)]),
      );
      const opened = execFileSync("age", ["-d", "-i", join(folder, "key"), join(folder, "file.age")]);
      expect(opened.equals(Buffer.alloc(length, 7))).toBe(true);
    }
  });

  // Its key is derived by JavaScript, which takes seconds: that no other passphrase opens it, passphrase-identity.test.ts shows.
  it("with a passphrase is opened with it by the age library", async () => {
    const { sealer, head } = await Sealer.begin(encryptWithPassphrase("warp and weft"));
    const file = Buffer.concat([head, sealer.add(Buffer.from("text")), sealer.end()]);
    const decrypter = new Decrypter();
    decrypter.addPassphrase("warp and weft");
    expect(await decrypter.decrypt(file, "text")).toBe("text");
  });

  it.each(["", "age1", "AGE-SECRET-KEY-1QQQQ", "age1pq1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq"])(
    "is never for %j, which is no recipient",
    (recipient) => {
      expect(() => encryptTo([recipient])).toThrow(/is not a recipient. Give age1/);
    },
  );
});

it("an encrypted archive is known by the hashes of both its texts, and shows no name of what is in it", async () => {
  const identity = await generateX25519Identity();
  const contents = { "items/wiki/aa/Secret-Heddle-1.json": '{"title":"Secret Heddle"}\n' };
  const plan = await planOf(contents, { encryption: encryptTo([await identityToRecipient(identity)]) });
  const index = await writeSnapshot(plan);
  const [copy, file] = index.archives;
  if (file?.plain == null) throw new Error("no plain hash");
  expect([copy?.name.endsWith(".full.rows.zip.age"), copy?.plain === null]).toEqual([true, false]);
  expect([index.encrypted, file.name.endsWith(".full.zip.age")]).toEqual([true, true]);
  const stored = readFileSync(join(plan.folder, file.name));
  expect(file).toMatchObject({ bytes: stored.length, sha256: sha256(stored) });
  const decrypter = new Decrypter();
  decrypter.addIdentity(identity);
  const plain = Buffer.from(await decrypter.decrypt(stored));
  expect(file.plain).toEqual({ bytes: plain.length, sha256: sha256(plain) });
  const beside = readFileSync(join(plan.folder, `${index.name}-${index.snapshot}.index.json`), "utf8");
  expect(`${stored.toString("latin1")}${beside}`).not.toMatch(/Heddle/);
  expect(plain.toString("latin1")).toMatch(/Heddle/);
});

it("is loaded only where something is encrypted, as its library takes longer to load than a plain archive to open", () => {
  const users = (module: string): readonly string[] => {
    const loads = new RegExp(`^import (?!type )[^;]*from "[^"]*${module}"`, "m");
    return sourceFiles("src").flatMap(({ path, text }) => (loads.test(text) ? [path] : []));
  };
  expect(users("age-encryption")).toEqual(["src/storage/repository/write/encryption.ts"]);
  expect(users("/encryption.js")).toEqual([]);
});
