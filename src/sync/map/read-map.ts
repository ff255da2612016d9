import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { z } from "zod";
import { UsageError } from "../../core/errors.js";
import type { SiteIdentity } from "../../core/model/identity.js";
import { type Key, kindOf } from "../../core/model/key.js";
import { parseJson } from "../../core/util/json.js";

export interface MapSites {
  readonly source: SiteIdentity;
  readonly target: SiteIdentity;
}

export interface MappedThing {
  readonly key: Key;
  readonly id: string;
}

/** Kinds that texts link to. Media are not used, since an account can use its own uploads only. */
const KINDS = ["category", "wiki", "guide", "step"] as const;

const rowSchema = z.object({
  type: z.literal("address"),
  kind: z.string(),
  key: z.string().regex(/^[a-z]+\/./),
  newId: z.string().min(1),
  oldAddress: z.string().nullable(),
  newAddress: z.url(),
});

/**
 * Reads the output of `guideferry map --json` of another workspace. Throws UsageError where the
 * file is missing, is not a map, or has another source or target.
 */
export async function* readMap(path: string, sites: MapSites): AsyncGenerator<MappedThing> {
  const content = createReadStream(path);
  try {
    let number = 0;
    for await (const line of createInterface({ input: content, crlfDelay: Number.POSITIVE_INFINITY })) {
      number += 1;
      if (line.trim() === "") continue;
      const row = rowIn(line, `${path}:${number}`);
      if (!KINDS.some((kind) => kind === row.kind)) continue;
      refuseOther(row, sites, `${path}:${number}`);
      yield { key: row.key as Key, id: row.newId };
    }
  } catch (error) {
    if (!(error instanceof Error && "code" in error && "syscall" in error)) throw error;
    throw new UsageError(`The map ${path} cannot be read (${String(error.code)}). Nothing was written.`, {
      cause: error,
    });
  } finally {
    content.destroy();
  }
}

type Row = z.infer<typeof rowSchema>;

function rowIn(line: string, where: string): Row {
  const parsed = rowSchema.safeParse(parseJson(line));
  if (parsed.success && kindOf(parsed.data.key as Key) === parsed.data.kind) return parsed.data;
  throw new UsageError(
    `${where} is not a line of \`guideferry map --json\`. Nothing was written. Make a new map: guideferry map WORKSPACE --json > FILE`,
  );
}

function refuseOther({ oldAddress, newAddress }: Row, { source, target }: MapSites, where: string): void {
  const isOfSource =
    oldAddress === null || source.origin === ""
      ? oldAddress === null && source.origin === ""
      : isOn(oldAddress, [source.origin, source.root, ...source.hosts.map((host) => `https://${host}`)]);
  if (isOfSource && isOn(newAddress, [target.origin, target.root])) return;
  throw new UsageError(
    `${where} belongs to another migration, from ${oldAddress ?? "documents"} to ${newAddress}. This migration is from ${source.root} to ${target.root}. Nothing was written.`,
  );
}

function isOn(address: string, sites: readonly string[]): boolean {
  if (!URL.canParse(address)) return false;
  const { host } = new URL(address);
  return sites.some((site) => URL.canParse(site) && new URL(site).host === host);
}
