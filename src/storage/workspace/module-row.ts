import { z } from "zod";
import { EXIT, WorkspaceError } from "../../core/errors.js";
import { type Module, moduleSchema } from "../../core/model/module.js";
import { DEAD_ENDS, JOURNEY, type PackageRow } from "../../core/training.js";
import { bareAddresses } from "../../core/util/bare-addresses.js";

const rowSchema = z.object({
  digest: z.string(),
  manifestDigest: z.string(),
  source: z.string(),
  place: z.string(),
  module: moduleSchema,
  state: z.enum([...JOURNEY, ...DEAD_ENDS]),
  moduleId: z.string().nullable(),
  importId: z.string().nullable(),
  isNewVersion: z.boolean(),
  before: z.array(z.string()).readonly(),
  reason: z.string(),
  warnings: z.array(z.string()).readonly(),
  changed: z.int().nonnegative(),
  started: z.int().nonnegative(),
}) satisfies z.ZodType<PackageRow>;

/** A row as it may lie on a disk: no address in it can open anything. */
export function storableRow(row: PackageRow): PackageRow {
  return {
    ...row,
    source: bareAddresses(row.source),
    place: bareAddresses(row.place),
    module: storableModule(row.module),
    reason: bareAddresses(row.reason),
    warnings: row.warnings.map(bareAddresses),
  };
}

function storableModule(module: Module): Module {
  return {
    ...module,
    units: module.units.map((unit) => ({
      ...unit,
      launch: unit.launch === null ? null : bareAddresses(unit.launch),
    })),
    external: module.external.map(bareAddresses),
  };
}

/** Throws WorkspaceError when the text is not what `storableRow` made, which names the file and the package. */
export function readRow(body: string, digest: string, file: string): PackageRow {
  const { data, error } = rowSchema.safeParse(jsonOf(body));
  if (data !== undefined) return data;
  throw new WorkspaceError(
    `${file}: what is known of the import of the package ${digest} can't be read, so the file is damaged. Nothing was changed. ` +
      "Restore the workspace from a copy; without it, an import finds what is at the site only where the site tells the names of the files.",
    { cause: error, exitCode: EXIT.differences },
  );
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
