import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Fault } from "../../../src/sandbox/index.js";
import type { FoundPackage } from "../../../src/training/package.js";
import { localServer } from "../../helpers/local-server.js";
import type { Package } from "../../helpers/training-packages.js";
import { importInto, type RunOptions } from "./helpers/imports.js";
import { scorm } from "./helpers/packages.js";
import { modulesOf, only, type World, world } from "./helpers/world.js";

const BY_URL: RunOptions = { startByUrl: true };
const BY_ADDRESS = "POST imports/1/start/byUrl";

interface Stored {
  readonly site: World;
  readonly found: FoundPackage;
  run(options?: RunOptions): ReturnType<World["run"]>;
}

/** A package in a store on this machine, which gives it to whoever has the whole link. */
async function stored(content: Package): Promise<Stored> {
  const site = await world({ "one.zip": content });
  const bytes = await readFile(join(site.shelf.folder, "one.zip"));
  const store = await localServer(({ path }, response) => {
    response.writeHead(path.endsWith("?sig=s3cr3t") ? 200 : 403).end(bytes);
  });
  const source = `${store.origin}/one.zip`;
  const found = site.shelf.found("one.zip", { source, url: `${source}?sig=s3cr3t` });
  return { site, found, run: (options) => importInto(site.sandbox, site.workspace(), [found], options) };
}

const starts = ({ writes }: World): readonly string[] => writes().filter((write) => write.includes("/start/"));

describe("a package at an address", () => {
  it("is fetched by the site when that is wanted and it goes in as it is, and its secrets are kept nowhere", async () => {
    const { site, found, run } = await stored(scorm("Ladders"));
    site.sandbox.training.next({ end: "error", message: `could not fetch ${found.url}` });
    const told = await run(BY_URL);
    expect(only(told)).toMatchObject({ state: "failed", reason: expect.stringContaining("could not fetch") });
    const { results } = await run(BY_URL);
    expect(results).toMatchObject([{ state: "complete" }]);
    expect(starts(site)).toEqual([BY_ADDRESS, "POST imports/2/start/byUrl"]);
    expect(JSON.stringify([told.results, results, await site.rows()])).not.toContain("s3cr3t");
  });

  it.each<readonly [string, Package, RunOptions]>([
    ["when nobody asked the site to fetch it", scorm("Ladders"), {}],
    ["when something in it was repaired", { ...scorm("Ladders"), ".DS_Store": "junk" }, BY_URL],
  ])("is sent as a file %s", async (_when, content, options) => {
    const { site, run } = await stored(content);
    expect(only(await run(options))).toMatchObject({ state: "complete" });
    expect(starts(site)).toEqual(["POST imports/1/start/byUpload"]);
  });

  it.each<readonly [string, Fault, number]>([
    ["504, done", { kind: "status", status: 504, applied: true }, 1],
    ["504, not done", { kind: "status", status: 504, applied: false }, 2],
    ["a reset, done", { kind: "reset", applied: true }, 1],
    ["a reset, not done", { kind: "reset", applied: false }, 2],
    ["an answer that cannot be read", { kind: "garbage" }, 1],
  ])("comes once when its start gets %s", async (_kind, fault, calls) => {
    const { site, run } = await stored(scorm("Ladders"));
    site.sandbox.faults.inject(fault, { method: "POST", path: /byUrl$/ });
    expect(only(await run(BY_URL))).toMatchObject({ state: "complete", reason: "" });
    expect(starts(site)).toEqual(Array.from({ length: calls }, () => BY_ADDRESS));
    expect(modulesOf(site.sandbox)).toEqual(["Ladders: complete"]);
    expect(only(await run(BY_URL)).action).toBe("unchanged");
  });
});
