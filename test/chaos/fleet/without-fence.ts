import { cp, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { temporaryFolder } from "../../helpers/temporary-folder.js";

const CHECKOUT = join(import.meta.dirname, "../../..");

/** A text of a module of the build, which it has exactly once, and what takes its place. */
type Replacement = readonly [file: string, from: string, to: string];

/** A holder whose lease has ended writes on, to the database and to the site. */
const REPLACEMENTS: readonly Replacement[] = [
  [
    "src/fleet/state-shipping.js",
    "WHERE task = $1 AND token = $2 AND until > clock_timestamp() FOR KEY SHARE",
    "WHERE task = $1 AND $2::bigint IS NOT NULL",
  ],
  ["src/fleet/state-shipping.js", "if (row?.fenced === true && row.had === batch.length)", "if (row !== undefined)"],
  ["src/fleet/lease.js", "throw this.#lose(this.#endedFor(row));", "return;"],
  ["src/fleet/lease.js", "this.#lost.abort(error);", "void 0;"],
  ["src/fleet/lease.js", "assertWritable() {", "assertWritable() { return;"],
];

/**
 * Copies the build into a folder of the test, switches the fence off there, and returns the path of
 * its program. Throws when the code has another form than expected here.
 */
export async function withoutFence(): Promise<string> {
  const folder = await temporaryFolder();
  for (const name of ["src", "transforms"]) {
    await cp(join(CHECKOUT, "dist", name), join(folder, "dist", name), { recursive: true });
  }
  for (const name of ["package.json", "node_modules"]) await symlink(join(CHECKOUT, name), join(folder, name));
  for (const [file, from, to] of REPLACEMENTS) {
    const path = join(folder, "dist", file);
    const parts = (await readFile(path, "utf8")).split(from);
    if (parts.length !== 2) throw new Error(`${file} has ${parts.length - 1} times: ${from}`);
    await writeFile(path, parts.join(to));
  }
  return join(folder, "dist/src/cli.js");
}
