import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { withScratchFolder } from "../../../src/core/util/files.js";
import { createUploadFolder } from "../../../src/sandbox/writes/media.js";
import { temporaryFolder } from "../../helpers/temporary-folder.js";

const BUILT = new URL("../../../dist/src/", import.meta.url);

describe("a scratch folder", () => {
  it("is gone with all that is in it when the work is done", async () => {
    const path = await withScratchFolder("test", async (folder) => {
      await mkdir(join(folder, "deep"));
      writeFileSync(join(folder, "deep/file"), "text");
      return folder;
    });
    expect([existsSync(path), existsSync(dirname(path))]).toEqual([false, true]);
  });

  it("is gone when the work fails, and the failure is handed on", async () => {
    const broken = new Error("broken");
    let path = "";
    const work = withScratchFolder("test", (folder) => {
      path = folder;
      return Promise.reject(broken);
    });
    await expect(work).rejects.toBe(broken);
    expect([path, existsSync(path)]).toEqual([expect.stringMatching(/guideferry-test-/), false]);
  });

  it.each([
    ["the process ends in the midst", "process.exit(3);", 3],
    ["an error that nobody expects ends the process", "setImmediate(() => { throw new Error('broken'); });", 1],
  ])("is gone when %s", async (_when, end, code) => {
    const script = `
      import { writeFileSync } from "node:fs";
      import { scratchFolder } from "${new URL("core/util/files.js", BUILT).href}";
      const [{ path }] = await Promise.all([scratchFolder("one"), scratchFolder("two")]);
      writeFileSync(path + "/file", "text");
      ${end}
    `;
    expect(await leftBy(script)).toEqual([code, []]);
  });
});

describe("what was uploaded into a sandbox", () => {
  it("is gone when the process ends without closing it", async () => {
    const script = `
      import { startSandbox } from "${new URL("sandbox/index.js", BUILT).href}";
      import { readdirSync } from "node:fs";
      const { url, token } = await startSandbox();
      const headers = { authorization: "api " + token };
      const body = "%PDF-1.4 invented";
      const { status } = await fetch(url + "/user/media/uploads?file=a.pdf", { method: "POST", headers, body });
      process.exit(status === 200 && readdirSync(process.env.TMPDIR).length === 1 ? 0 : 9);
    `;
    expect(await leftBy(script)).toEqual([0, []]);
  });

  it("gets no folder any more once the sandbox is closed", async () => {
    const folder = createUploadFolder();
    const path = await folder.path();
    await folder.remove();
    expect(existsSync(path)).toBe(false);
    await expect(folder.path()).rejects.toThrow("closed");
    const unused = createUploadFolder();
    await unused.remove();
    await expect(unused.path()).rejects.toThrow("closed");
  });
});

/**
 * Runs a module; gives its exit code and the names that it left in the temporary folder that it was
 * given.
 */
async function leftBy(script: string): Promise<readonly [code: number, left: readonly string[]]> {
  const TMPDIR = await temporaryFolder();
  const child = spawn(process.execPath, ["--input-type=module", "--eval", script], {
    env: { ...process.env, TMPDIR },
    stdio: "ignore",
  });
  const [code] = await once(child, "close");
  return [code, readdirSync(TMPDIR)];
}
