import { z } from "zod";
import { TRANSFORMS } from "../../../transforms/index.js";
import type { Transform, TransformContext, TransformSpec } from "../../core/contracts.js";
import { UsageError } from "../../core/errors.js";
import { suggest } from "../options/suggest.js";
import type { TransformChoice } from "../options/transform-option.js";
import { guarded } from "./guarded.js";
import { importTransform } from "./import-transform.js";
import { named } from "./named.js";

/** A transform with its options, ready for a run. */
export type ChosenTransform = (context: TransformContext) => Transform;

/**
 * Finds or loads the chosen transforms and checks their options. Throws UsageError: a name is unknown, a module can't be
 * loaded or exports no transform, an option is missing, wrong or unknown.
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

function known(name: string): TransformSpec<unknown> {
  const found = TRANSFORMS.find((spec) => spec.name === name);
  if (found !== undefined) return found;
  const names = TRANSFORMS.map((spec) => spec.name);
  throw new UsageError(
    `There is no transform "${name}".${suggest(name, names)} There are ${names.join(", ")}; your own is chosen by its file: --transform ./mine.mjs`,
  );
}

function checkOptions(name: string, spec: TransformSpec<unknown>, options: TransformChoice["options"]): unknown {
  const parsed = spec.options.safeParse(options);
  if (parsed.success) return parsed.data;
  const reasons = parsed.error.issues.map((issue) => reasonOf(issue, spec, options));
  throw new UsageError(`--transform ${name}: ${reasons.join("; ")}.`);
}

function reasonOf(
  issue: z.core.$ZodIssue,
  { options: schema }: TransformSpec<unknown>,
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
