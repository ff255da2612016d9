import { Decrypter, Encrypter, Stanza } from "age-encryption";
import { describe, expect, it } from "vitest";
import { PassphraseIdentity } from "../../../../src/storage/repository/read/repository-keys.js";

const PLAIN = Buffer.from("Warp the loom before you weave.");

async function sealed(passphrase: string, workFactor: number): Promise<Uint8Array> {
  const encrypter = new Encrypter();
  encrypter.setPassphrase(passphrase);
  encrypter.setScryptWorkFactor(workFactor);
  return encrypter.encrypt(PLAIN);
}

async function opened(file: Uint8Array, passphrase: string): Promise<Buffer> {
  const decrypter = new Decrypter();
  decrypter.addIdentity(new PassphraseIdentity(passphrase));
  return Buffer.from(await decrypter.decrypt(file));
}

const SALT = Buffer.alloc(16, 7).toString("base64").replace(/=+$/, "");

describe("a passphrase", () => {
  it.each(["loom", "Webstuhl für Käthe", "織機 🧶", ""])(
    "opens what the library sealed with %j, and no other does",
    async (passphrase) => {
      const file = await sealed(passphrase, 10);
      expect(await opened(file, passphrase)).toEqual(PLAIN);
      await expect(opened(file, `${passphrase} `)).rejects.toThrow(/no identity matched/);
    },
  );

  it("opens several files at once", async () => {
    const files = await Promise.all([8, 9, 10, 11].map((workFactor) => sealed("loom", workFactor)));
    const decrypter = new Decrypter();
    decrypter.addIdentity(new PassphraseIdentity("loom"));
    const all = await Promise.all(files.map((file) => decrypter.decrypt(file)));
    expect(all.map((bytes) => Buffer.from(bytes))).toEqual(files.map(() => PLAIN));
  });

  it("lets everything else go on while its key is derived", async () => {
    const file = await sealed("loom", 17);
    let turns = 0;
    const ticking = setInterval(() => {
      turns += 1;
    }, 1);
    await opened(file, "loom");
    clearInterval(ticking);
    expect(turns).toBeGreaterThan(20);
  });

  it("leaves what is for others", async () => {
    expect(
      await new PassphraseIdentity("loom").unwrapFileKey([new Stanza(["X25519", "abc"], new Uint8Array(32))]),
    ).toBeNull();
  });

  it.each([
    ["asks for more memory than there is", ["scrypt", SALT, "31"], 32, /work factor is too high/],
    ["has no number", ["scrypt", SALT, "1e1"], 32, /invalid/],
    ["has a short salt", ["scrypt", SALT.slice(0, 8), "10"], 32, /invalid/],
    ["has a salt with a tail", ["scrypt", `${SALT}!`, "10"], 32, /invalid/],
    ["has no salt", ["scrypt"], 32, /invalid/],
    ["has a body that is none", ["scrypt", SALT, "10"], 31, /invalid/],
  ])("refuses a header that %s", async (_what, words, size, message) => {
    const stanza = new Stanza(words, new Uint8Array(size));
    await expect(new PassphraseIdentity("loom").unwrapFileKey([stanza])).rejects.toThrow(message);
  });

  it("refuses a header that is for others besides", async () => {
    const stanzas = [
      ["scrypt", SALT, "10"],
      ["X25519", "abc"],
    ].map((words) => new Stanza(words, new Uint8Array(32)));
    await expect(new PassphraseIdentity("loom").unwrapFileKey(stanzas)).rejects.toThrow(/only recipient/);
  });
});
