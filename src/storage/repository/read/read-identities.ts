import { readFile } from "node:fs/promises";
import { UsageError } from "../../../core/errors.js";
import { diskError } from "../../archive/disk-error.js";
import { RepositoryKeys } from "./repository-keys.js";

const IDENTITY = /^AGE-SECRET-KEY-(?:PQ-)?1[0-9A-Z]+$/;
const LONGEST = 1024 * 1024;

/**
 * Keys from identity files as `age-keygen` writes them (a key a line, `#` begins a comment) and a passphrase. Throws UsageError for a file
 * that has none or something else, without quoting it, and ArchiveError when a file can't be read.
 */
export async function readKeys(files: readonly string[], passphrase: string | null): Promise<RepositoryKeys> {
  const identities: string[] = [];
  for (const file of files) identities.push(...(await readIdentities(file)));
  const keys = new RepositoryKeys({ identities, passphrase: passphrase === "" ? null : passphrase });
  try {
    await keys.check();
    return keys;
  } catch (cause) {
    throw new UsageError(
      `A key of ${files.join(", ")} is damaged: its checksum is wrong. Give the file as age-keygen made it.`,
      {
        cause,
      },
    );
  }
}

async function readIdentities(file: string): Promise<readonly string[]> {
  const text = await readText(file);
  const lines = text.split(/\r?\n/).map((line, at) => ({ line: line.trim(), number: at + 1 }));
  const meant = lines.filter(({ line }) => line !== "" && !line.startsWith("#"));
  const wrong = meant.find(({ line }) => !IDENTITY.test(line));
  if (wrong !== undefined) throw new UsageError(`${file}, line ${wrong.number}: ${whatItIs(wrong.line)}`);
  if (meant.length === 0) throw new UsageError(`${file} has no key: a line AGE-SECRET-KEY-1… as age-keygen writes it.`);
  return meant.map(({ line }) => line);
}

async function readText(file: string): Promise<string> {
  try {
    const bytes = await readFile(file);
    return bytes.length > LONGEST ? "too long for a file of keys" : bytes.toString("utf8");
  } catch (error) {
    throw diskError(error, `reading the keys in ${file}`);
  }
}

function whatItIs(line: string): string {
  if (line.startsWith("age-encryption.org/")) {
    return "the file itself is encrypted. Decrypt it first (age -d), or give it by a pipe that does.";
  }
  if (line.startsWith("age1")) return "this is a recipient, which only encrypts; its key begins with AGE-SECRET-KEY-1.";
  return "no key of age was found here; a key begins with AGE-SECRET-KEY-1, a comment with #.";
}
