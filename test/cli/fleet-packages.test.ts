import { execFile } from "node:child_process";
import { cp, mkdir, readdir, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { temporaryFolder } from "../helpers/temporary-folder.js";

const PROJECT = dirname(fileURLToPath(new URL("../../package.json", import.meta.url)));

it.each(["pg", "pg-boss"])("says what to install where %s is not", async (absent) => {
  const folder = await temporaryFolder();
  const packages = join(PROJECT, "node_modules");
  await mkdir(join(folder, "node_modules"));
  await cp(join(PROJECT, "lib"), join(folder, "lib"), { recursive: true });
  await cp(join(PROJECT, "package.json"), join(folder, "package.json"));
  for (const name of await readdir(packages))
    if (name !== absent) await symlink(join(packages, name), join(folder, "node_modules", name));
  const env = {
    ...process.env,
    GUIDEFERRY_DATABASE: "postgres://worker:hunter2@127.0.0.1:1/fleet",
    XDG_STATE_HOME: folder,
  };
  for (const words of [["worker"], ["fleet", "list"]]) {
    const run = promisify(execFile)(process.execPath, [join(folder, "lib/src/cli.js"), ...words], { cwd: folder, env });
    const failure = await run.catch((error: unknown) => error);
    expect(failure).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(new RegExp(`${absent} is not installed.*npm install pg pg-boss`, "s")),
    });
    expect(JSON.stringify(failure)).not.toContain("hunter2");
  }
});
