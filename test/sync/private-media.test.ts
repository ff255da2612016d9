import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import type { ExtractSummary } from "../../src/sync/extract/summary.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";

const SCRIPT = fileURLToPath(new URL("../helpers/private-network.mjs", import.meta.url));
const DIST = fileURLToPath(new URL("../../dist", import.meta.url));

interface Run {
  readonly code: number;
  /** Address and path of each request that came to the operator's network. */
  readonly reached: readonly string[];
  readonly summary: { readonly extracted: ExtractSummary };
}

interface Runs {
  /** How many pictures lie there. */
  readonly hostile: number;
  readonly first: Run;
  readonly allowed?: Run;
  readonly failed?: Run;
  readonly retried?: Run;
}

async function stored(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = names.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Promise.all(files.map((file) => readFile(file, "latin1")));
}

/**
 * Runs in a network of its own, with the site at this address. `choices`: also with what the
 * operator allows.
 */
async function runsAt(site: string, folder: string, choices = ""): Promise<Runs> {
  const words = ["-rn", process.execPath, SCRIPT, DIST, folder, site, choices];
  const { stdout } = await promisify(execFile)("unshare", words, { maxBuffer: 1e8 });
  return JSON.parse(stdout) as Runs;
}

/** No picture is asked for there, by address or by redirect; each is a loss. */
async function expectRefused({ first, hostile }: Runs, folder: string): Promise<void> {
  expect([first.reached, first.code]).toEqual([[], 0]);
  expect(first.summary.extracted.refusedMedia).toHaveLength(hostile);
  expect(first.summary.extracted.failures).toBe(0);
  const texts = await stored(join(folder, "workspace"));
  expect(texts.filter((text) => text.includes("never to be kept"))).toEqual([]);
  expect(texts.some((text) => text.includes("media-refused"))).toBe(true);
}

describe("a site whose pictures lie in the network of the operator", { tags: ["network-namespace"] }, () => {
  it("in another private network leads no request there", async () => {
    const folder = await temporaryFolder();
    await expectRefused(await runsAt("192.168.7.7", folder), folder);
  });

  it("on the internet leads no request there but to a host that the operator allows", async () => {
    const folder = await temporaryFolder();
    const runs = await runsAt("93.184.216.34", folder, "choices");
    await expectRefused(runs, folder);
    const { hostile, allowed, failed, retried } = runs;
    // Directly and by redirect; what the site gives for a picture elsewhere stays refused.
    expect(allowed?.reached).toEqual(["10.0.0.5/latest/meta-data", "10.0.0.5/latest/meta-data"]);
    expect(allowed?.code).toBe(0);
    expect(allowed?.summary.extracted.refusedMedia).toHaveLength(hostile - 2);
    // A retry reads from the host that the run before was allowed to read from, and from no other.
    expect(failed?.code).toBe(3);
    expect([retried?.code, new Set(retried?.reached)]).toEqual([0, new Set(["10.0.0.5/latest/meta-data"])]);
    const told = await stored(join(folder, "other", "reports"));
    expect(told.join("\n")).toContain(
      `To try again: guideferry retry ${join(folder, "other")} --allow-private-media 10.0.0.5`,
    );
  });
});
