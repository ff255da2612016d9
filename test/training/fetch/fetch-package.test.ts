import { randomBytes } from "node:crypto";
import { readdir, readFile, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import { fetchPackage } from "../../../src/training/fetch-package.js";
import { localServer } from "../../helpers/local-server.js";
import { temporaryFolder } from "../../helpers/temporary-folder.js";
import { forever, testStack } from "../../service/helpers/test-stack.js";
import { fetching, give, PACKAGE } from "./package-host.js";

describe("a package of the web", () => {
  it("comes whole, under a name of our own, for the owner alone, and goes when it is not needed", async () => {
    const counts: number[] = [];
    const { work, folder } = await fetching(({ headers }, response) => give(response, headers.range), {
      path: "/..%2F..%2Fevil.sh?sig=s3cret",
      onBytes: (count) => counts.push(count),
    });
    const { path, remove } = await work;
    expect((await readFile(path)).equals(PACKAGE)).toBe(true);
    expect(join(folder, basename(path))).toBe(path);
    expect(basename(path)).toMatch(/^[0-9a-f]{16}-[0-9a-f]{8}\.zip$/);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(PACKAGE.length);
    await remove();
    await remove();
    expect(await readdir(folder)).toEqual([]);
  });

  it("goes on by range where the line was cut", async () => {
    const { work, arrivals } = await fetching(({ headers }, response, count) =>
      give(response, headers.range, count < 4 ? { cutAfter: 50_000 } : {}),
    );
    expect((await readFile((await work).path)).equals(PACKAGE)).toBe(true);
    expect(arrivals.map(({ headers }) => headers.range)).toEqual([
      undefined,
      "bytes=50000-",
      "bytes=100000-",
      "bytes=150000-",
    ]);
  });

  it("begins anew where the host knows no ranges", async () => {
    const { work } = await fetching(({ headers }, response, count) =>
      give(response, headers.range, { ranges: false, ...(count === 1 ? { cutAfter: 50_000 } : {}) }),
    );
    expect((await readFile((await work).path)).equals(PACKAGE)).toBe(true);
  });

  it("begins anew where another package lies there meanwhile", async () => {
    for (const bytes of [randomBytes(400_000), randomBytes(20_000)]) {
      const { work } = await fetching(({ headers }, response, count) =>
        give(response, headers.range, count === 1 ? { cutAfter: 50_000 } : { bytes }),
      );
      expect((await readFile((await work).path)).equals(bytes)).toBe(true);
    }
  });

  it("may be cut more often than that when each try brings a good piece", async () => {
    const bytes = randomBytes(9 * 1024 * 1024);
    const { work, arrivals } = await fetching(({ headers }, response) =>
      give(response, headers.range, { bytes, cutAfter: 1_050_000 }),
    );
    // The last try is cut behind the end.
    expect((await readFile((await work).path)).equals(bytes)).toBe(true);
    expect(arrivals.length).toBeGreaterThan(8);
  });

  it("may be as large as the limit", async () => {
    const { work } = await fetching((_, response) => give(response, undefined, { length: null }), {
      maximumBytes: 300_000,
    });
    expect((await stat((await work).path)).size).toBe(300_000);
  });

  it("is warned of when its link ends soon", async () => {
    const warnings: string[] = [];
    const soon = Math.floor(Date.now() / 1000) + 120;
    const { work, origin } = await fetching(({ headers }, response) => give(response, headers.range), {
      path: `/c.zip?Expires=${soon}&Signature=s3cret`,
      warn: (sentence) => warnings.push(sentence),
    });
    await work;
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatch(`The link to ${origin}/c.zip expires at `);
  });

  it("may be fetched twice at the same time", async () => {
    const folder = await temporaryFolder();
    const { origin } = await localServer(({ headers }, response) => give(response, headers.range));
    const open = testStack(origin).openMedia;
    const both = [0, 1].map(() => fetchPackage(`${origin}/c.zip`, folder, { open, signal: forever }));
    await Promise.all(both);
    expect(await readdir(folder)).toHaveLength(2);
  });
});
