import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const FOLDER = fileURLToPath(new URL("../../../../../shared/data/training/", import.meta.url));

/**
 * Real, broken and hostile packages with what a correct importer does with each. They lie beside
 * the project, or nowhere.
 */
export const IS_THERE = existsSync(`${FOLDER}index.json`);

/** One file of the collection. */
export interface Listed {
  readonly file: string;
  readonly importer: "accept" | "accept-with-warning" | "refuse" | "parse-ok" | "parse-with-warning";
  readonly codes: readonly string[];
  readonly zipCodes?: readonly string[];
}

export function placeOf({ file }: Pick<Listed, "file">): string {
  return FOLDER + file;
}

export function collection(): readonly Listed[] {
  const { files } = JSON.parse(readFileSync(`${FOLDER}index.json`, "utf8")) as { readonly files: readonly Listed[] };
  return files;
}
