import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { z } from "zod";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const run = promisify(execFile);

const lockSchema = z.object({
  packages: z.record(z.string(), z.object({ dev: z.boolean().default(false), link: z.boolean().default(false) })),
});

/**
 * Makes the tarball that would be published, from `lib/` as it is: `npm run build`
 * comes first.
 *
 * @param folder receives the tarball
 * @returns its path
 */
export async function packTarball(folder: string): Promise<string> {
  await run("npm", ["pack", "--ignore-scripts", "--silent", "--pack-destination", folder], {
    cwd: ROOT,
    shell: process.platform === "win32",
  });
  const name = (await readdir(folder)).find((file) => file.endsWith(".tgz"));
  if (name === undefined) throw new Error(`npm pack left no tarball in ${folder}.`);
  return join(folder, name);
}

/**
 * Installs the packed tarball into a folder as npm does, with its runtime dependencies and no
 * others: a package that only development has is missing. They are links to those of the checkout,
 * so no registry is asked. `npx guideferry` and `import "guideferry"` work in the folder.
 *
 * @param folder an empty folder
 * @param also names of development dependencies to add, such as `@types/node`
 * @returns the folder of the installed package
 */
export async function installPacked(folder: string, also: readonly string[] = []): Promise<string> {
  const modules = join(folder, "node_modules");
  const installed = join(modules, "guideferry");
  await mkdir(join(modules, ".bin"), { recursive: true });
  await mkdir(installed);
  const packed = await mkdtemp(join(tmpdir(), "guideferry-packed-"));
  try {
    await run("tar", ["-xzf", await packTarball(packed), "-C", installed, "--strip-components=1"]);
  } finally {
    await rm(packed, { recursive: true, force: true });
  }
  for (const name of [...(await runtimePackages()), ...also]) {
    await mkdir(dirname(join(modules, name)), { recursive: true });
    await symlink(join(ROOT, "node_modules", name), join(modules, name), "junction");
  }
  await symlink("../guideferry/lib/src/cli.js", join(modules, ".bin", "guideferry"));
  return installed;
}

/** The packages that `npm install guideferry` brings: those of the lock file that are not for development. */
async function runtimePackages(): Promise<readonly string[]> {
  const { packages } = lockSchema.parse(JSON.parse(await readFile(join(ROOT, "package-lock.json"), "utf8")));
  const here = new Set(await readdir(join(ROOT, "node_modules")));
  return Object.entries(packages)
    .filter(([, { dev, link }]) => !dev && !link)
    .map(([path]) => /^node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(path)?.[1] ?? "")
    .filter((name) => here.has(name.split("/")[0] ?? ""));
}
