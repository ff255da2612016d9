import { existsSync } from "node:fs";
import { basename, extname } from "node:path";
import { pathToFileURL } from "node:url";
import { z } from "zod";
import type { Transform, TransformSpec } from "../../core/contracts.js";
import { UsageError } from "../../core/errors.js";

/** Loads somebody's own transform from a module. Throws UsageError: it is not there, can't be loaded, or exports none. */
export async function importTransform(path: string): Promise<TransformSpec<unknown>> {
  if (!existsSync(path)) throw new UsageError(`The transform ${path} is not there. Check --transform.`);
  const given = (await load(path)).default;
  if (given === undefined) throw new UsageError(`The transform ${path} has no default export: ${EXPECTED}.`);
  if (typeof given === "function") return ofFunction(path, given as Transform);
  const parsed = specSchema.safeParse(given);
  if (parsed.success) return { ...parsed.data, options: parsed.data.options ?? ANY };
  const faults = parsed.error.issues.map(({ path: at, message }) => `${at.join(".")} ${message}`.trim());
  throw new UsageError(`The default export of ${path} is no transform (${faults.join("; ")}): ${EXPECTED}.`);
}

const EXPECTED =
  "export default a function from an item to an array of items, or { name, about, options?, create(options, context) } where create makes that function";

const ANY = z.record(z.string(), z.unknown());

const specSchema = z.object({
  name: z.string("must be a text"),
  about: z.string("must be a text"),
  // By what it does, since a module may bring a copy of zod of its own.
  options: z
    .custom<z.ZodType>(
      (value) => typeof (value as { readonly safeParse?: unknown } | null)?.safeParse === "function",
      "must be a zod schema",
    )
    .optional(),
  create: z.custom<TransformSpec<unknown>["create"]>((value) => typeof value === "function", "must be a function"),
});

async function load(path: string): Promise<{ readonly default?: unknown }> {
  try {
    return await import(pathToFileURL(path).href);
  } catch (error) {
    throw new UsageError(`The transform ${path} could not be loaded: ${String(error)}`, { cause: error });
  }
}

function ofFunction(path: string, transform: Transform): TransformSpec<unknown> {
  return {
    name: basename(path, extname(path)),
    about: "",
    options: z.strictObject({}),
    create: () => transform,
  };
}
