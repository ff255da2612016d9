import { execFile } from "node:child_process";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { installPacked } from "./helpers/packed.js";
import { removeFolder } from "./helpers/temporary-folder.js";

const run = promisify(execFile);

describe("the published package, installed in an empty folder", () => {
  let folder = "";

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "guideferry-test-"));
    await installPacked(folder);
  });
  afterAll(() => removeFolder(folder));

  it("runs by npx", async () => {
    const { stdout } = await run("npx", ["--no", "guideferry", "--version"], { cwd: folder });
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});
