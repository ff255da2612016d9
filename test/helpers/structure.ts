import type { SourceFile } from "./source-files.js";

/** Figures of the modules' structure; each may only get better. */
export interface Structure {
  readonly modules: number;
  /** Lines of the module in the middle when all stand in the order of their lengths. */
  readonly medianLines: number;
  /** Nine of ten modules have at most so many lines. */
  readonly ninthDecileLines: number;
  readonly longestModule: number;
  /** Share of the modules that exactly one other module imports, in percent. */
  readonly oneImporter: number;
  /** Share of the exported names that exactly one other module imports, in percent. */
  readonly exportsUsedOnce: number;
  /** Modules on the longest way along imports. */
  readonly longestChain: number;
  /** Lines of comments that are wider than 100 columns. */
  readonly wideComments: number;
}

/**
 * Measures `files`, which must hold whatever they import of each other. Lazy imports count as
 * importers only.
 */
export function structureOf(files: readonly SourceFile[]): Structure {
  const lengths = files.map(({ text }) => text.split("\n").length - 1).sort((one, other) => one - other);
  const importers = new Map<string, Set<string>>();
  const users = new Map<string, Set<string>>();
  for (const file of files) {
    for (const to of [...file.imports, ...file.lazyImports]) put(importers, to, file.path);
    for (const [to, name] of importedNames(file)) put(users, `${to}#${name}`, file.path);
  }
  const exported = files.flatMap(({ path, text }) => [...text.matchAll(EXPORT)].map(([, name]) => `${path}#${name}`));
  return {
    modules: files.length,
    medianLines: lengths[Math.floor(lengths.length / 2)] ?? 0,
    ninthDecileLines: lengths[Math.floor(lengths.length * 0.9)] ?? 0,
    longestModule: lengths.at(-1) ?? 0,
    oneImporter: share(files, ({ path }) => importers.get(path)?.size === 1),
    exportsUsedOnce: share(exported, (name) => users.get(name)?.size === 1),
    longestChain: longestChain(files),
    wideComments: files
      .flatMap(({ text }) => text.split("\n"))
      .filter((line) => line.length > 100 && COMMENT.test(line)).length,
  };
}

/**
 * Folders that import each other in a circle, at each level: the children of one folder, files as
 * well, each as `src/sync: load > plan`. One entry for each group of children.
 */
export function folderCycles(files: readonly SourceFile[]): readonly string[] {
  const folders = new Set(files.flatMap(({ path }) => parents(path)));
  return [...folders].sort().flatMap((folder) => {
    const edges = new Map<string, Set<string>>();
    for (const { path, imports } of files) {
      const from = childOf(folder, path);
      if (from === undefined) continue;
      for (const name of imports) {
        const to = childOf(folder, name);
        if (to !== undefined && to !== from) put(edges, from, to);
      }
    }
    return circles(edges).map((circle) => `${folder}: ${circle.sort().join(" > ")}`);
  });
}

const EXPORT =
  /^export\s+(?:declare\s+|abstract\s+|async\s+)*(?:const|let|function\*?|class|interface|type|enum)\s+([\w$]+)/gm;
const COMMENT = /^\s*(?:\/\/|\*|\/\*)/;

function put(map: Map<string, Set<string>>, key: string, value: string): void {
  const values = map.get(key) ?? new Set();
  map.set(key, values.add(value));
}

function share<T>(all: readonly T[], counts: (one: T) => boolean): number {
  return Math.ceil((all.filter(counts).length / all.length) * 1000) / 10;
}

/** The module and the name of each `import { name } from`. */
function importedNames(file: SourceFile): readonly (readonly [string, string])[] {
  const found: (readonly [string, string])[] = [];
  const lines = [...file.text.matchAll(/^(?:import|export)\s+(?:type\s+)?\{([^}]*)\}\s*from\s+"(\.[^"]+)"/gm)];
  for (const [, names = "", specifier = ""] of lines) {
    const to = file.imports.find((path) => isAt(path, file.path, specifier));
    if (to === undefined) continue;
    for (const name of names.split(",")) {
      const [bare = ""] = name
        .trim()
        .replace(/^type\s+/, "")
        .split(/\s+as\s+/);
      if (bare !== "") found.push([to, bare]);
    }
  }
  return found;
}

function isAt(path: string, from: string, specifier: string): boolean {
  const base = new URL(specifier, `file:///${from}`).pathname.slice(1).replace(/\.js$/, "");
  return path.replace(/\.tsx?$/, "") === base;
}

function longestChain(files: readonly SourceFile[]): number {
  const imports = new Map(files.map((file) => [file.path, file.imports]));
  const lengths = new Map<string, number>();
  const measure = (path: string): number => {
    const known = lengths.get(path);
    if (known !== undefined) return known;
    const length = Math.max(0, ...(imports.get(path) ?? []).map((next) => measure(next) + 1));
    lengths.set(path, length);
    return length;
  };
  return Math.max(...files.map(({ path }) => measure(path)));
}

function parents(path: string): readonly string[] {
  const names = path.split("/").slice(0, -1);
  return names.map((_name, at) => names.slice(0, at + 1).join("/"));
}

function childOf(folder: string, path: string): string | undefined {
  return path.startsWith(`${folder}/`) ? path.slice(folder.length + 1).split("/")[0] : undefined;
}

/** Groups of names of which each leads to each other one (Tarjan's algorithm). */
function circles(edges: ReadonlyMap<string, ReadonlySet<string>>): readonly string[][] {
  const order = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const found: string[][] = [];
  const visit = (name: string): number => {
    const at = order.size;
    order.set(name, at);
    low.set(name, at);
    stack.push(name);
    for (const next of edges.get(name) ?? []) {
      const reached = order.has(next) ? (stack.includes(next) ? (order.get(next) ?? at) : at) : visit(next);
      low.set(name, Math.min(low.get(name) ?? at, reached));
    }
    const lowest = low.get(name) ?? at;
    if (lowest === at) {
      const group = stack.splice(stack.indexOf(name));
      if (group.length > 1) found.push(group);
    }
    return lowest;
  };
  for (const name of edges.keys()) if (!order.has(name)) visit(name);
  return found;
}
