import { existsSync } from "node:fs";
import { basename, extname } from "node:path";
import { pathToFileURL } from "node:url";
import { z } from "zod";
import { TRANSFORMS } from "../../../transforms/index.js";
import { renameCategory, renameType } from "../../../transforms/steps/rename.js";
import { EXIT, FerryError, UsageError } from "../../core/errors.js";
import type { Transform, TransformContext, TransformSpec } from "../../core/formats.js";
import { issueSchema, type Report } from "../../core/model/issue.js";
import { type Item, itemSchema } from "../../core/model/item.js";
import { kindOf } from "../../core/model/key.js";
import type { TransformChoice } from "../options/site-options.js";
import type { Settings } from "../options/table.js";
import { suggest } from "../options/values.js";

export type ChosenTransform = (context: TransformContext) => Transform;

/**
 * Finds or loads the chosen transforms and checks their options. Throws UsageError: a name is
 * unknown, a module can't be loaded or exports no transform, an option is missing, wrong or
 * unknown.
 */
export async function readTransforms(choices: readonly TransformChoice[]): Promise<readonly ChosenTransform[]> {
  const chosen: ChosenTransform[] = [];
  for (const { name, options } of choices) {
    const isModule = /\.[cm]?js$/.test(name);
    const spec = isModule ? await importTransform(name) : known(name);
    const checked = checkOptions(name, spec, options);
    const make = (context: TransformContext): Transform => spec.create(checked, context);
    chosen.push(isModule ? (context) => guarded(name, make, context) : (context) => named(name, make(context)));
  }
  return chosen;
}

function known(name: string): TransformSpec<unknown, string> {
  const found = TRANSFORMS.find((spec) => spec.name === name);
  if (found !== undefined) return found;
  const names = TRANSFORMS.map((spec) => spec.name);
  throw new UsageError(
    `There is no transform "${name}".${suggest(name, names)} The built-in transforms are ${names.join(", ")}. Choose your own by its file: --transform ./mine.mjs`,
  );
}

function checkOptions(
  name: string,
  spec: TransformSpec<unknown, string>,
  options: TransformChoice["options"],
): unknown {
  const parsed = spec.options.safeParse(options);
  if (parsed.success) return parsed.data;
  const reasons = parsed.error.issues.map((issue) => reasonOf(issue, spec, options));
  throw new UsageError(`--transform ${name}: ${reasons.join("; ")}.`);
}

function reasonOf(
  issue: z.core.$ZodIssue,
  { options: schema }: TransformSpec<unknown, string>,
  given: TransformChoice["options"],
): string {
  if (issue.code === "unrecognized_keys") {
    const names = schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
    const has = names.length === 0 ? "it has none" : `it has ${names.join(", ")}`;
    return issue.keys.map((key) => `there is no option "${key}", ${has}${hint(key, names)}`).join("; ");
  }
  const path = issue.path.join(".");
  if (path === "") return issue.message;
  const value = issue.path.reduce<unknown>(
    (at, key) => (typeof at === "object" && at !== null ? Reflect.get(at, key) : undefined),
    given,
  );
  return `${path} is ${value === undefined ? "missing" : JSON.stringify(value)}, ${issue.message}`;
}

function hint(key: string, names: readonly string[]): string {
  const found = suggest(key, names).trim().replace(/\?$/, "?");
  return found === "" ? "" : ` (${found})`;
}

/** `--type-map` and `--category-map` as transforms. Throws UsageError for a wrong title or type. */
export function mappingTransforms({
  typeMap,
  categoryMap,
}: Pick<Settings, "typeMap" | "categoryMap">): readonly ChosenTransform[] {
  return [
    ...mapping("--type-map", renameType, { types: typeMap }, typeMap),
    ...mapping("--category-map", renameCategory, { titles: categoryMap }, categoryMap),
  ];
}

function mapping<O>(
  flag: string,
  spec: TransformSpec<O, string>,
  options: unknown,
  pairs: Readonly<Record<string, string>>,
): readonly ChosenTransform[] {
  if (Object.keys(pairs).length === 0) return [];
  const parsed = spec.options.safeParse(options);
  if (parsed.success) return [(context) => named(flag, spec.create(parsed.data, context))];
  const reasons = parsed.error.issues.map(({ path, message }) => `${JSON.stringify(path.at(-1) ?? "")}: ${message}`);
  throw new UsageError(`${flag}: ${[...new Set(reasons)].join("; ")}.`);
}

/** Loads a transform from a module. Throws UsageError: missing, not loadable, or no transform. */
async function importTransform(path: string): Promise<TransformSpec<unknown, string>> {
  if (!existsSync(path)) throw new UsageError(`The transform ${path} does not exist. Check --transform.`);
  const given = (await load(path)).default;
  if (given === undefined) throw new UsageError(`The transform ${path} has no default export: ${EXPECTED}.`);
  if (typeof given === "function") return ofFunction(path, given as Transform);
  const parsed = specSchema.safeParse(given);
  if (parsed.success) return { ...parsed.data, options: parsed.data.options ?? ANY };
  const faults = parsed.error.issues.map(({ path: at, message }) => `${at.join(".")} ${message}`.trim());
  throw new UsageError(`The default export of ${path} is not a transform (${faults.join("; ")}): ${EXPECTED}.`);
}

const EXPECTED =
  "export default a function from an item to an array of items, or { name, about, options?, create(options, context) } where create makes that function";

const ANY = z.record(z.string(), z.unknown());

const specSchema = z.object({
  name: z.string("must be a text"),
  about: z.string("must be a text"),
  // By its method, because a module may use its own copy of zod.
  options: z
    .custom<z.ZodType>(
      (value) => typeof (value as { readonly safeParse?: unknown } | null)?.safeParse === "function",
      "must be a zod schema",
    )
    .optional(),
  create: z.custom<TransformSpec<unknown, string>["create"]>(
    (value) => typeof value === "function",
    "must be a function",
  ),
});

async function load(path: string): Promise<{ readonly default?: unknown }> {
  try {
    return await import(pathToFileURL(path).href);
  } catch (error) {
    throw new UsageError(`The transform ${path} could not be loaded: ${String(error)}`, { cause: error });
  }
}

function ofFunction(path: string, transform: Transform): TransformSpec<unknown, string> {
  return {
    name: basename(path, extname(path)),
    about: "",
    options: z.strictObject({}),
    create: () => transform,
  };
}

/**
 * Guards a transform of a module: it gets frozen items, and its results are checked. Throws
 * UsageError if it cannot be created, and for each item that fails an error that names both.
 */
function guarded(name: string, make: (context: TransformContext) => Transform, context: TransformContext): Transform {
  const transform = made(name, make, context);
  const fenced = named(name, (item, report) => {
    try {
      return transform(item, checkedReport(name, item, report));
    } catch (error) {
      if (!(error instanceof TypeError) || !FROZEN.test(error.message)) throw error;
      throw failure(
        name,
        item,
        `it changes its input item (${error.message}). Items are frozen: return a new one, { ...item, body: { ...item.body, … } }`,
        error,
      );
    }
  });
  return (item, report) => {
    const given: unknown = fenced(deepFrozen(item), report);
    return checkedItems(name, item, given);
  };
}

const FROZEN = /read only property|object is not extensible|Cannot delete property|Cannot define property/;

function made(name: string, make: (context: TransformContext) => Transform, context: TransformContext): Transform {
  try {
    const transform: unknown = make(context);
    if (typeof transform === "function") return transform as Transform;
    throw new UsageError(`The transform ${name}: create() must return a function from an item to an array of items.`);
  } catch (error) {
    if (error instanceof FerryError) throw error;
    throw new UsageError(`The transform ${name} could not be created: ${String(error)}`, { cause: error });
  }
}

function checkedReport(name: string, item: Item, report: Report<string>): Report<string> {
  return (issue) => {
    const parsed = issueSchema.safeParse(issue);
    if (!parsed.success)
      throw failure(name, item, `it reported something that is not an issue: ${faults(parsed.error)}`);
    report(parsed.data);
  };
}

function checkedItems(name: string, item: Item, given: unknown): readonly Item[] {
  if (!Array.isArray(given)) {
    const what = given instanceof Promise ? "a promise" : given === null ? "null" : `a value of type ${typeof given}`;
    throw failure(
      name,
      item,
      `it returned ${what} instead of an array of items ([] leaves the item out, several items split it)`,
    );
  }
  const items: readonly unknown[] = given;
  return items.map((each, index) => (each === item ? item : checkedItem(name, item, each, index)));
}

function checkedItem(name: string, item: Item, given: unknown, index: number): Item {
  const parsed = itemSchema.safeParse(given);
  if (!parsed.success) throw failure(name, item, `its result [${index}] is not an item: ${faults(parsed.error)}`);
  if (kindOf(parsed.data.key) === parsed.data.kind) return parsed.data;
  throw failure(name, item, `it returned an item of kind ${parsed.data.kind} with the key ${parsed.data.key}`);
}

const MOST_FAULTS = 3;

function faults({ issues }: z.ZodError): string {
  return issues
    .slice(0, MOST_FAULTS)
    .map(({ path, message }) => `${path.length === 0 ? "" : `${path.join(".")}: `}${message}`)
    .join("; ");
}

function named(name: string, transform: Transform): Transform {
  return (item, report) => {
    try {
      return transform(item, report);
    } catch (error) {
      if (error instanceof FerryError) throw error;
      throw failure(
        name,
        item,
        error instanceof Error ? `it threw "${error.message}"` : `it threw ${String(error)}`,
        error,
      );
    }
  };
}

/** The failure of one item in a transform. */
function failure(name: string, item: Item, reason: string, cause?: unknown): FerryError {
  return new FerryError(`The transform ${name} failed on ${item.key}: ${reason}. The item was not sent.`, {
    exitCode: EXIT.someFailed,
    cause,
  });
}

/** Values that are deeply frozen already: items share parts. */
const done = new WeakSet<object>();

/** The value, deeply frozen. Without recursion, because answers of a site may nest deeply. */
export function deepFrozen<T>(value: T): T {
  const waiting: unknown[] = [value];
  while (waiting.length > 0) {
    const next = waiting.pop();
    if (typeof next !== "object" || next === null || done.has(next)) continue;
    done.add(Object.freeze(next));
    for (const inner of Object.values(next)) waiting.push(inner);
  }
  return value;
}
