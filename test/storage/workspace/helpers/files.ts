import { readdirSync, type Stats, statSync } from "node:fs";
import { join } from "node:path";

/** Everything in a folder and the folder itself. */
export function everyFileIn(folder: string): readonly { readonly path: string; readonly stats: Stats }[] {
  const paths = [folder, ...readdirSync(folder, { recursive: true }).map((name) => join(folder, String(name)))];
  return paths.map((path) => ({ path, stats: statSync(path) }));
}

/** The names of the files below a folder, sorted. */
export function filesIn(folder: string): readonly string[] {
  return everyFileIn(folder)
    .filter(({ stats }) => stats.isFile())
    .map(({ path }) => path.slice(folder.length + 1))
    .sort();
}
