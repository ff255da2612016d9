import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { EXIT } from "../../../src/core/errors.js";
import { inspectWorkspace } from "../../../src/storage/workspace/inspect.js";
import { lockHolder, takeLock } from "../../../src/storage/workspace/lock.js";
import { openWorkspace } from "../../../src/storage/workspace/workspace.js";
import { type BuiltChild, runBuilt } from "../../helpers/built-code.js";
import { guide, openedWorkspace, temporaryFolder } from "./helpers/samples.js";

/** A process that opens the workspace, says so, and keeps it until it is ended. */
async function holdElsewhere(directory: string): Promise<BuiltChild> {
  const child = runBuilt(`
    import { openWorkspace } from "./src/storage/workspace/workspace.js";
    await openWorkspace(${JSON.stringify(directory)}, { create: true, command: "guideferry load elsewhere" });
    console.log("open");
    setInterval(() => undefined, 1000);
  `);
  onTestFinished(() => {
    child.process.kill("SIGKILL");
  });
  expect((await child.lines.next()).value).toBe("open");
  return child;
}

test("the second run says who holds the workspace, and the killed holder's lock is gone with it", async () => {
  const directory = join(temporaryFolder(), "workspace");
  const options = { create: true, command: "guideferry test" };
  const holder = await holdElsewhere(directory);
  await expect(openWorkspace(directory, options)).rejects.toThrow(`\`guideferry status ${directory}\` shows`);
  await expect(openWorkspace(directory, options)).rejects.toMatchObject({
    name: "WorkspaceError",
    exitCode: EXIT.locked,
    message: expect.stringMatching(new RegExp(`process ${holder.process.pid} on .*guideferry load elsewhere`)),
  });
  const onlooker = await inspectWorkspace(directory);
  expect(onlooker.holder()).toMatchObject({ pid: holder.process.pid, command: "guideferry load elsewhere" });
  holder.process.kill("SIGKILL");
  await holder.ended;
  expect(onlooker.holder()).toBeUndefined();
  await onlooker.close();
  const workspace = await openWorkspace(directory, options);
  await workspace.close();
});

test("a process that looks at the workspace again and again keeps nobody out and never fails", async () => {
  const directory = join(temporaryFolder(), "workspace");
  const child = runBuilt(`
    import { openWorkspace } from "./src/storage/workspace/workspace.js";
    import { inspectWorkspace } from "./src/storage/workspace/inspect.js";
    const options = { create: true, command: "onlooker" };
    await (await openWorkspace(${JSON.stringify(directory)}, options)).close();
    console.log("looking");
    process.stdin.on("end", () => process.exit()).resume();
    for (;;) {
      const onlooker = await inspectWorkspace(${JSON.stringify(directory)});
      onlooker.holder();
      onlooker.items.counts();
      onlooker.targets();
      await onlooker.close();
      await new Promise(setImmediate);
    }
  `);
  onTestFinished(() => {
    child.process.kill("SIGKILL");
  });
  await child.lines.next();
  for (let round = 0; round < 20; round += 1) {
    const workspace = await openWorkspace(directory, { create: false, command: "guideferry test" });
    await workspace.items.put(guide(round));
    await workspace.close();
  }
  child.process.stdin?.end();
  expect(await child.ended).toEqual({ code: 0, signal: null });
});

test("one process cannot open a workspace twice either", async () => {
  const workspace = await openedWorkspace();
  const again = openWorkspace(workspace.directory, { create: false, command: "guideferry status" });
  await expect(again).rejects.toMatchObject({
    exitCode: EXIT.locked,
    message: expect.stringContaining(`process ${process.pid}`),
  });
});

test("a holder whose note is missing or damaged still holds", () => {
  const file = join(temporaryFolder(), "lock");
  const taken = takeLock(file, "guideferry test");
  writeFileSync(`${file}.json`, "{");
  expect(lockHolder(file)).toMatchObject({ command: "unknown" });
  if ("lock" in taken) taken.lock.release();
  expect(lockHolder(file)).toBeUndefined();
});
