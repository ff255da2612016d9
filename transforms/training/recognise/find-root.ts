import type { MarkedFolder } from "./find-markers.js";

/** Where a package begins. */
export type Root =
  | { readonly kind: "found"; readonly marked: MarkedFolder; readonly others: readonly MarkedFolder[] }
  | { readonly kind: "none" }
  /** A manifest lies in a folder, and something else lies beside that folder. */
  | { readonly kind: "beside"; readonly marked: MarkedFolder; readonly outside: string }
  | { readonly kind: "several"; readonly folders: readonly string[] };

/**
 * The folder of the package: the top, else the one outermost folder with a manifest, when everything lies in it. What lies
 * beside could not be kept when the folder is taken off, so it is left to the author.
 */
export function findRoot(paths: readonly string[], marked: readonly MarkedFolder[]): Root {
  const top = marked.find(({ folder }) => folder === "");
  if (top !== undefined) return { kind: "found", marked: top, others: without(marked, top) };
  const outermost = outermostOf(marked);
  const [first] = outermost;
  if (first === undefined) return { kind: "none" };
  if (outermost.length > 1) return { kind: "several", folders: outermost.map(({ folder }) => folder) };
  const outside = paths.find((path) => !path.startsWith(first.folder));
  if (outside !== undefined) return { kind: "beside", marked: first, outside };
  return { kind: "found", marked: first, others: without(marked, first) };
}

function without(marked: readonly MarkedFolder[], one: MarkedFolder): readonly MarkedFolder[] {
  return marked.filter((other) => other !== one);
}

/** Those that lie in no other: sorted, each comes behind the one that it lies in. */
function outermostOf(marked: readonly MarkedFolder[]): readonly MarkedFolder[] {
  const outermost: MarkedFolder[] = [];
  for (const one of marked.toSorted((a, b) => (a.folder < b.folder ? -1 : 1))) {
    const last = outermost.at(-1);
    if (last === undefined || !one.folder.startsWith(last.folder)) outermost.push(one);
  }
  return outermost;
}
