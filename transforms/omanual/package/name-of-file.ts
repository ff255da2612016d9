import type { Files } from "../../../src/core/formats.js";

/** How messages name a file of a package: `looms.omanual:Loom-12/guide.xml`. A document that lies alone is its own package. */
export function nameOfFile({ name, paths }: Pick<Files, "name" | "paths">, path: string): string {
  const isAlone = paths.length === 1 && name.split(/[/\\]/).at(-1)?.normalize("NFC") === path;
  return isAlone ? name : `${name}:${path}`;
}
