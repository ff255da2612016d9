import { isAbsolute, relative, resolve, sep } from "node:path";

/** Does a path lie in a folder, or is it the folder itself? */
export function isUnder(path: string, folder: string): boolean {
  const way = relative(resolve(folder), resolve(path));
  return way === "" || !(way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way));
}
