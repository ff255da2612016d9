import { execFile } from "node:child_process";
import { readFile, realpath, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it, onTestFinished } from "vitest";
import { startSandbox } from "../../src/sandbox/index.js";
import { installPacked } from "../helpers/packed.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const COMPILER = join(ROOT, "node_modules/typescript/bin/tsc");
const run = promisify(execFile);

it("compiles the program of the guide with strict types, from the packed tarball, and runs it to its end, twice", async () => {
  const folder = await realpath(await temporaryFolder());
  await installPacked(folder, ["@types/node"]);
  const [source, target] = await Promise.all([
    startSandbox({ site: join(ROOT, "samples/site") }),
    startSandbox({ people: join(ROOT, "samples/site") }),
  ]);
  onTestFinished(() => Promise.all([source.close(), target.close()]).then(() => undefined));
  const program = (await programOfGuide())
    .replace("https://old.example", source.origin)
    .replace("https://new.example", target.origin);
  await writeFile(join(folder, "package.json"), '{ "type": "module" }');
  await writeFile(join(folder, "program.ts"), program);
  const flags = ["--strict", "--exactOptionalPropertyTypes", "--skipLibCheck", "false", "--module", "nodenext"];
  await run(process.execPath, [COMPILER, ...flags, "--target", "es2022", "--types", "node", "program.ts"], {
    cwd: folder,
  });

  const environment = { ...process.env, HOME: folder, OLD_TOKEN: source.token, NEW_TOKEN: target.token };
  const writes = () => target.recorded.filter(({ method }) => method !== "GET").length;
  const call = () => run(process.execPath, ["program.js"], { cwd: folder, env: environment });
  const first = await call();
  expect(first.stderr).toBe("");
  expect(first.stdout).toMatch(/^extract \d+ \d+$/m);
  expect(first.stdout.trimEnd().split("\n").at(-1)).toMatch(/^ok [1-9]\d* \S+report\.html$/);
  const written = writes();
  expect((await call()).stdout.trimEnd().split("\n").at(-1)).toMatch(/^ok 0 /);
  expect(writes()).toBe(written);
});

/** The first program of the page, which is short. */
async function programOfGuide(): Promise<string> {
  const page = await readFile(join(ROOT, "docs/guide/use-as-a-library.md"), "utf8");
  const program = /```ts\n(.*?)```/s.exec(page)?.[1] ?? "";
  expect(program.split("\n").filter((line) => line !== "").length).toBeLessThanOrEqual(18);
  return program;
}
