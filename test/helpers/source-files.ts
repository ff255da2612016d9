import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** One TypeScript file of the project. */
export interface SourceFile {
  /** From the project's root, with slashes: `src/service/http/client.ts`. */
  readonly path: string;
  readonly text: string;
  /** Static imports of the project's own files, types as well. */
  readonly imports: readonly string[];
  /** `import("…")` of the project's own files. */
  readonly lazyImports: readonly string[];
  /** Names of packages and of Node's modules. */
  readonly packages: readonly string[];
}

/** Every TypeScript file in these folders of the project. */
export function sourceFiles(...folders: readonly string[]): readonly SourceFile[] {
  return folders.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => /\.tsx?$/.test(name))
      .map((name) => read(join(folder, name).replaceAll(sep, "/")))
      .sort((a, b) => (a.path < b.path ? -1 : 1)),
  );
}

function read(path: string): SourceFile {
  const text = readFileSync(join(ROOT, path), "utf8");
  const code = withoutComments(text);
  const named = [...code.matchAll(/(?:^|\n)(?:import|export)\s[^;]*?from\s+"([^"]+)"/g)].map(([, name]) => name ?? "");
  const bare = [...code.matchAll(/(?:^|\n)import\s+"([^"]+)"/g)].map(([, name]) => name ?? "");
  const lazy = [...code.matchAll(/\bimport\(\s*"([^"]+)"\s*\)/g)].map(([, name]) => name ?? "");
  const all = [...named, ...bare];
  return {
    path,
    text,
    imports: all.filter((name) => name.startsWith(".")).map((name) => resolve(path, name)),
    lazyImports: lazy.filter((name) => name.startsWith(".")).map((name) => resolve(path, name)),
    packages: [...all, ...lazy].filter((name) => !name.startsWith(".")),
  };
}

/** Comment lines only: enough for import lines, and safe for text with slashes. */
function withoutComments(text: string): string {
  return text.replace(/^\s*(?:\/\/|\*|\/\*).*$/gm, "");
}

function resolve(from: string, name: string): string {
  const path = normalize(join(dirname(from), name)).replaceAll(sep, "/");
  const source = relative(".", path).replaceAll(sep, "/").replace(/\.js$/, ".ts");
  return existsSync(join(ROOT, source)) ? source : `${source}x`;
}
