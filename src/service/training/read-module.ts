import type { SiteModule } from "../../core/training.js";
import { isObject } from "../wire/place.js";
import { asId, fieldOf, firstOf, idIn, type Layers, layersOf } from "./fields.js";
import { CURRENT_VERSION, FIELDS, PLACES } from "./vocabulary.js";

/** Characters of a title that are kept: a list may have 200,000, and be written by somebody who means ill. */
const LONGEST_TITLE = 500;

/** The id of the module that an answer tells of; undefined: it can't be read. */
export function readModuleId(answer: unknown): string | undefined {
  return idIn(answer, PLACES.module, FIELDS.moduleId);
}

/** A module as a list shows it; undefined: it has no id. */
export function readModule(row: unknown): SiteModule | undefined {
  const id = readModuleId(row);
  if (id === undefined) return undefined;
  const layers = layersOf(row, PLACES.module);
  const title = firstOf(layers, FIELDS.title, (value) => (typeof value === "string" ? value : undefined)) ?? "";
  return {
    id,
    title: title.length > LONGEST_TITLE ? beginning(title) : title,
    currentImport: readCurrentImport(layers),
  };
}

/** As bytes between, since a slice keeps the whole text in memory. */
function beginning(title: string): string {
  return Buffer.from(title.slice(0, LONGEST_TITLE)).toString();
}

function readCurrentImport({ inside }: Layers): string | null {
  for (const layer of inside) {
    const named = importIn(fieldOf(layer, FIELDS.currentImport)) ?? importOf(fieldOf(layer, CURRENT_VERSION));
    if (named !== undefined) return named;
  }
  return null;
}

function importIn(value: unknown): string | undefined {
  return asId(value) ?? (isObject(value) ? asId(fieldOf(value, FIELDS.importId)) : undefined);
}

/** A version's own `id` is not that of its import. */
function importOf(version: unknown): string | undefined {
  if (!isObject(version)) return typeof version === "boolean" ? undefined : asId(version);
  return asId(fieldOf(version, ["importid"])) ?? importIn(fieldOf(version, ["import"]));
}
