import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { EXIT } from "../../../src/core/errors.js";
import { runBuilt } from "../../helpers/built-code.js";
import { temporaryFolder } from "./helpers/samples.js";

interface Told {
  readonly name: string;
  readonly exitCode: number;
  readonly message: string;
}

/**
 * What the process tells of the error of `work`. The super-user may write everywhere, so there it
 * goes on as another user.
 */
async function refusal(work: string, before: readonly string[] = []): Promise<Told> {
  const child = runBuilt(
    `
    import { chmodSync } from "node:fs";
    import { inspectWorkspace } from "./src/storage/workspace/inspect.js";
    import { openWorkspace } from "./src/storage/workspace/workspace.js";
    if (${before.length === 0} && process.getuid?.() === 0) process.setuid(65534);
    const open = (directory) => openWorkspace(directory, { create: true, command: "writer" });
    try {
      ${work}
      console.log("{}");
    } catch ({ name, exitCode, message }) {
      console.log(JSON.stringify({ name, exitCode, message }));
    }`,
    { before },
  );
  expect(await child.ended).toEqual({ code: 0, signal: null });
  return JSON.parse(await child.output);
}

/** A folder that any user may use. At the end a workspace in it may be removed again. */
function openFolder(): string {
  const folder = temporaryFolder();
  chmodSync(folder, 0o777);
  onTestFinished(() => {
    const workspace = join(folder, "workspace");
    if (existsSync(workspace)) chmodSync(workspace, 0o700);
  });
  return folder;
}

const REFUSED = { name: "WorkspaceError", exitCode: EXIT.usage };

test("a workspace in which nothing may be written is refused with what to do", async () => {
  const directory = JSON.stringify(join(openFolder(), "workspace"));
  const told = await refusal(`
    await (await open(${directory})).close();
    chmodSync(${directory}, 0o500);
    await open(${directory});`);
  expect(told).toMatchObject({ ...REFUSED, message: expect.stringMatching(/lock.*refuses access.*0700/) });
});

test("a workspace that may not be read is not said to be absent", async () => {
  const directory = JSON.stringify(join(openFolder(), "workspace"));
  const told = await refusal(`
    await (await open(${directory})).close();
    chmodSync(${directory}, 0);
    await inspectWorkspace(${directory});`);
  expect(told).toMatchObject({ ...REFUSED, message: expect.stringMatching(/workspace\.json.*refuses access/) });
});

/**
 * Puts a file system in which nothing can be written over the folder, for the process behind it
 * only.
 */
function readOnly(folder: string): readonly string[] {
  const script = `mount --bind '${folder}' '${folder}' && mount -o remount,bind,ro '${folder}' && exec "$@"`;
  return ["unshare", "-rm", "sh", "-c", script, "sh"];
}

const canMount = spawnSync("unshare", ["-rm", "true"]).status === 0;
if (!canMount) console.warn("Skipped: this system lets no test mount a read-only disk (unshare -rm)");

test("a read-only disk is named as the cause, for a workspace that is there and for a new one", {
  tags: ["unshare"],
}, async () => {
  const folder = temporaryFolder();
  const there = join(folder, "there");
  expect(await refusal(`await (await open(${JSON.stringify(there)})).close();`, ["env"])).toEqual({});
  mkdirSync(join(folder, "empty"));
  for (const name of ["there", "new", "new/deep", "empty"]) {
    const told = await refusal(`await open(${JSON.stringify(join(folder, name))});`, readOnly(folder));
    expect(told).toMatchObject({ ...REFUSED, message: expect.stringMatching(/is read-only.*--workspace/) });
  }
});
