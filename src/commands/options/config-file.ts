import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { z } from "zod";
import { UsageError } from "../../core/errors.js";
import { CONFIG_KEYS, type Config, configSchema } from "./config-schema.js";
import { asksForSecret } from "./credential-names.js";
import { suggest } from "./suggest.js";

/** Looked for in the working directory, in this order. */
export const CONFIG_FILES = ["guideferry.config.json", "guideferry.config.mjs"] as const;

/** A checked configuration and where it came from, for messages. */
export interface ConfigFile {
  readonly path: string | null;
  readonly config: Config;
}

/**
 * Reads the file that `--config` names, or the one in the working directory. Throws UsageError: the named file is not there,
 * both files are there, it can't be read, a key is unknown, a value is wrong, a secret stands in it.
 */
export async function readConfig(named: string | null, directory: string): Promise<ConfigFile> {
  const path = named === null ? found(directory) : resolve(directory, named);
  if (path === null) return { path, config: {} };
  if (!existsSync(path)) throw new UsageError(`The configuration file ${path} is not there. Check --config.`);
  const content = await load(path);
  refuseSecrets(path, content);
  const parsed = configSchema.safeParse(content);
  if (!parsed.success) throw new UsageError(parsed.error.issues.map((issue) => explain(path, issue)).join("\n"));
  return { path, config: parsed.data };
}

function found(directory: string): string | null {
  const there = CONFIG_FILES.map((name) => join(directory, name)).filter((path) => existsSync(path));
  if (there.length > 1) {
    throw new UsageError(`${there.join(" and ")} are both there. Remove one, or name one with --config.`);
  }
  return there[0] ?? null;
}

async function load(path: string): Promise<unknown> {
  try {
    if (!path.endsWith(".mjs")) return JSON.parse(await readFile(path, "utf8"));
    const module: { readonly default?: unknown } = await import(pathToFileURL(path).href);
    return module.default;
  } catch (error) {
    // No `cause`, and no text of a SyntaxError: both quote the file, and somebody may have put a secret there.
    const reason = error instanceof SyntaxError ? `it is not valid ${syntaxOf(path)}` : String(error);
    throw new UsageError(`The configuration file ${path} can't be read: ${reason}.`);
  }
}

function syntaxOf(path: string): string {
  return path.endsWith(".mjs") ? "JavaScript" : "JSON";
}

function refuseSecrets(path: string, content: unknown): void {
  const keys = typeof content === "object" && content !== null ? Object.keys(content) : [];
  const key = keys.find(asksForSecret);
  if (key === undefined) return;
  throw new UsageError(
    `${path}: "${key}" puts a sign-in into the file, where it would be copied and committed. Put the value into an ` +
      `environment variable and name that variable with a key such as "sourceTokenVariable"; the value was not used.`,
  );
}

function explain(path: string, issue: z.core.$ZodIssue): string {
  if (issue.code !== "unrecognized_keys") return `${path}: ${place(issue)}${issue.message}.`;
  return issue.keys.map((key) => `${path}: unknown key "${key}".${suggest(key, CONFIG_KEYS)}`).join("\n");
}

function place(issue: z.core.$ZodIssue): string {
  return issue.path.length === 0 ? "" : `${JSON.stringify(issue.path.join("."))}: `;
}
