import { existsSync } from "node:fs";
import { link, open, rename, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, relative, sep } from "node:path";
import { messageOf, UsageError } from "../../core/errors.js";
import { syncFolder } from "../../core/util/files.js";
import { isObject, type JsonObject, parseJson } from "../../core/util/json.js";

/**
 * Writes a configuration whole or not at all. Throws UsageError if the file exists and `replaces`
 * is false, or if the folder cannot be written.
 */
export async function writeConfig(file: string, text: string, replaces: boolean): Promise<void> {
  const fresh = `${file}.${process.pid}.new`;
  try {
    await writeFresh(fresh, text);
    // A link fails if the file exists, a rename does not.
    await (replaces ? rename(fresh, file) : link(fresh, file));
    await syncFolder(dirname(file));
  } catch (cause) {
    const reason = messageOf(cause);
    throw new UsageError(`The configuration ${file} could not be written: ${reason}. Nothing was changed.`, { cause });
  } finally {
    await rm(fresh, { force: true });
  }
}

async function writeFresh(file: string, text: string): Promise<void> {
  const handle = await open(file, "wx", 0o644);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

export function configText(config: JsonObject): string {
  return `${JSON.stringify(config, null, 2)}\n`;
}

/**
 * The text of a configuration with one more profile. All other keys keep their order and form.
 * `text` is a JSON object without a profile of this name.
 */
export function withProfileIn(text: string, name: string, profile: JsonObject): string {
  const content = parseJson(text);
  if (!isObject(content)) throw new TypeError("The text is no JSON object.");
  const before = isObject(content["profiles"]) ? content["profiles"] : undefined;
  const whole = { ...content, profiles: { ...before, [name]: profile } };
  const edited = before === undefined ? added(text, 1, "profiles", { [name]: profile }) : added(text, 2, name, profile);
  // A text that the editing does not understand, such as one with a key twice, is written anew.
  return JSON.stringify(parseJson(edited)) === JSON.stringify(whole) ? edited : configText(whole);
}

/** Adds a member to the outer object (depth 1) or to the object of its key `profiles` (depth 2). */
function added(text: string, depth: 1 | 2, key: string, value: JsonObject): string {
  const end = endOfObject(text, depth);
  const indent = /^[ \t]+(?=")/m.exec(text)?.[0] ?? "  ";
  const line = text.includes("\r\n") ? "\r\n" : "\n";
  const body = text.slice(0, end).trimEnd();
  const lines = `${JSON.stringify(key)}: ${JSON.stringify(value, null, indent)}`.split("\n");
  return [
    body + (body.endsWith("{") ? "" : ","),
    ...lines.map((one) => indent.repeat(depth) + one),
    indent.repeat(depth - 1) + text.slice(end),
  ].join(line);
}

/** Where the `}` of the outer object, or of its member `profiles`, is. */
function endOfObject(text: string, wanted: 1 | 2): number {
  let [depth, key, inside] = [0, "", false];
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\]]/gs)) {
    if (token === "{" || token === "[") {
      depth += 1;
      inside ||= token === "{" && depth === 2 && key === '"profiles"';
    } else if (token === "}" || token === "]") {
      if (depth === wanted && (wanted === 1 || inside)) return index;
      depth -= 1;
    } else if (depth === 1 && /^\s*:/.test(text.slice(index + token.length))) key = token;
  }
  return text.length;
}

const SCHEMA = "guideferry/config.schema.json";

/** Where an editor finds the schema: in the package of the project, else in this program. */
export function schemaFor(file: string): JsonObject {
  const own = createRequire(import.meta.url).resolve(SCHEMA);
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    const installed = join(folder, "node_modules", SCHEMA);
    if (existsSync(installed)) {
      const way = relative(dirname(file), installed).replaceAll(sep, "/");
      return { $schema: way.startsWith(".") ? way : `./${way}` };
    }
    if (folder === dirname(folder)) break;
  }
  // The cache of npx goes away.
  return own.includes("_npx") ? {} : { $schema: own };
}
