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

async function stored(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = names.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Promise.all(files.map((file) => readFile(file, "latin1")));
}

describe("a site whose pictures lie in the network of the operator", { tags: ["network-namespace"] }, () => {
  it.each([
    ["on the internet", "93.184.216.34"],
    ["in another private network", "192.168.7.7"],
  ])("%s leads no request there, by address or by redirect; each picture is a loss", async (_where, site) => {
    const folder = await temporaryFolder();
    const words = ["-rn", process.execPath, SCRIPT, DIST, folder, site];
    const { stdout } = await promisify(execFile)("unshare", words, { maxBuffer: 1e8 });
    const { hostile, ...runs } = JSON.parse(stdout) as { hostile: number } & Readonly<
      Record<"first" | "allowed" | "failed" | "retried", Run>
    >;
    const { first, allowed, failed, retried } = runs;
    expect(first.reached).toEqual([]);
    expect(first.code).toBe(0);
    expect(first.summary.extracted.refusedMedia).toHaveLength(hostile);
    expect(first.summary.extracted.failures).toBe(0);
    // Directly and by redirect; what the site gives for a picture elsewhere stays refused.
    expect(allowed.reached).toEqual(["10.0.0.5/latest/meta-data", "10.0.0.5/latest/meta-data"]);
    expect(allowed.code).toBe(0);
    expect(allowed.summary.extracted.refusedMedia).toHaveLength(hostile - 2);
    // A retry reads from the host that the run before was allowed to read from, and from no other.
    expect(failed.code).toBe(3);
    expect([retried.code, new Set(retried.reached)]).toEqual([0, new Set(["10.0.0.5/latest/meta-data"])]);
    const told = await stored(join(folder, "other", "reports"));
    expect(told.join("\n")).toContain(
      `To take them up again: guideferry retry ${join(folder, "other")} --allow-private-media 10.0.0.5`,
    );
    const texts = await stored(join(folder, "workspace"));
    expect(texts.filter((text) => text.includes("never to be kept"))).toEqual([]);
    expect(texts.some((text) => text.includes("media-refused"))).toBe(true);
  });
});
