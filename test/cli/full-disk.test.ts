import { createHash, randomBytes } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { type Sandbox, startSandbox } from "../../src/sandbox/index.js";
import { fillLooms } from "../backup/helpers/looms.js";
import { filesOf } from "../helpers/damaged-snapshots.js";
import { guideItem } from "../helpers/items.js";
import { makeRepository } from "../helpers/repository.js";
import { runCli } from "../helpers/run-cli.js";
import { mountSmallDisk, runWithSmallFiles } from "../helpers/small-disk.js";
import { post, upload } from "../helpers/small-sites.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";

const FULL = /While writing (\S+): the disk is full.* Make room and run the same command again/;
const MEGABYTE = 1_000_000;

/** Documents of 6 MB that can't be packed smaller, on the first guide. */
async function addDocuments(sandbox: Sandbox, count: number): Promise<readonly Buffer[]> {
  const contents = Array.from({ length: count }, () =>
    Buffer.concat([Buffer.from("%PDF-1.4\n"), randomBytes(6 * MEGABYTE)]),
  );
  const documents: number[] = [];
  for (const [at, bytes] of contents.entries())
    documents.push(await upload(sandbox, "uploads", `plan-${at}.pdf`, bytes));
  const answer = await fetch(`${sandbox.url}/guides/1`, { headers: { authorization: `api ${sandbox.token}` } });
  const { guide_revisionid: revision } = (await answer.json()) as { readonly guide_revisionid: number };
  await post(sandbox, `guides/1?revisionid=${revision}`, { documents }, "PATCH");
  return contents;
}

it("a full disk stops a backup and a restore with 4, names the file, and with room the same command completes", {
  tags: ["mount"],
  timeout: 300_000,
}, async () => {
  const directory = await temporaryFolder();
  const [disk, other] = [
    mountSmallDisk(join(directory, "disk"), 24),
    mountSmallDisk(join(directory, "other"), 10),
  ] as const;
  const sandbox = await startSandbox({});
  onTestFinished(() => sandbox.close());
  fillLooms(sandbox);
  const environment = { GUIDEFERRY_SOURCE_TOKEN: sandbox.token, XDG_STATE_HOME: directory };
  const run = (...words: readonly string[]) => runCli(words, { directory, environment });
  const backup = ["backup", sandbox.url, "--to", "disk/repo"] as const;
  const repository = join(directory, "disk", "repo");
  expect((await run(...backup)).code).toBe(0);
  const documents = await addDocuments(sandbox, 5);
  const before = await filesOf(repository, "workspace");

  const whileReading = await run(...backup);
  expect([whileReading.code, whileReading.stderr]).toEqual([4, expect.stringMatching(FULL)]);
  disk.resize(48);
  // What was read stays; now it does not fit into archives.
  const beforeWriting = await run(...backup);
  expect([beforeWriting.code, beforeWriting.stderr]).toEqual([
    4,
    expect.stringMatching(
      /The disk of \S+repo has \d+ MB free, but .* Nothing was written. Make room \(`guideferry prune`/,
    ),
  ]);
  expect(await filesOf(repository, "workspace")).toEqual(before);
  expect((await run("verify", "disk/repo")).code).toBe(0);
  disk.resize(120);
  const done = await run(...backup);
  expect([done.code, done.stdout]).toEqual([0, expect.stringContaining("18 media files (5 new)")]);
  expect((await run("verify", "disk/repo")).code).toBe(0);

  const restore = ["restore", "disk/repo", "other/out"] as const;
  const stopped = await run(...restore);
  expect([stopped.code, stopped.stderr]).toEqual([4, expect.stringMatching(FULL)]);
  const exported = await run("export", "disk/repo", "-o", "other/one.zip");
  expect([exported.code, exported.stderr]).toEqual([
    4,
    expect.stringMatching(/The disk of \S+other has \d+ MB free, but .* Make room, or give a path on another disk,/),
  ]);
  expect(readdirSync(join(directory, "other"))).toEqual(["out"]);
  other.resize(120);
  expect((await run(...restore)).code).toBe(0);
  for (const bytes of documents) {
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    expect(readFileSync(join(directory, "other", "out", "media", sha256.slice(0, 2), sha256)).equals(bytes)).toBe(true);
  }
  expect((await run("export", "disk/repo", "-o", "other/one.zip")).code).toBe(0);
});

describe("a file that may not grow", () => {
  const snapshots = ["20261101T030000Z", "20261102T030000Z", "20261103T030000Z", "20261104T030000Z"] as const;

  /** Of each snapshot something else is too much for 1 MiB when it is written anew. */
  async function repositoryOf(folder: string): Promise<string> {
    const maker = await makeRepository(join(folder, "repo"));
    const same = [0, 1].map(() => randomBytes(500_000));
    for (const [at, snapshot] of snapshots.entries()) {
      const media = [...same, randomBytes(500_000)];
      const kind = at === 0 || at === 3 ? "full" : "incremental";
      await maker.add({ snapshot, items: [guideItem(1, { title: `Version ${at}` })], media, kind });
    }
    return maker.folder;
  }

  it("stops an export with 4: what stood there stays, nothing else is left, and without the limit it completes", async () => {
    const directory = await temporaryFolder();
    await repositoryOf(directory);
    await writeFile(join(directory, "one.zip"), "an older one");
    const words = ["export", "repo", "-o", "one.zip"] as const;
    const full = await runWithSmallFiles(words, directory);
    expect([full.code, FULL.exec(full.stderr)?.[1]]).toEqual([4, join(directory, "one.zip")]);
    expect(readFileSync(join(directory, "one.zip"), "utf8")).toBe("an older one");
    expect(readdirSync(directory).sort()).toEqual(["one.zip", "repo"]);
    expect((await runCli(words, { directory })).code).toBe(0);
    expect((await runCli(["restore", "one.zip", "out"], { directory })).code).toBe(0);
  });

  it("stops a prune that compacts with 4: no snapshot is lost, and the next run completes", async () => {
    const directory = await temporaryFolder();
    const folder = await repositoryOf(directory);
    const before = await filesOf(folder);
    const words = ["prune", "repo", "--keep-last", "2", "--compact"] as const;
    const full = await runWithSmallFiles(words, directory);
    expect([full.code, FULL.exec(full.stderr)?.[1]]).toEqual([
      4,
      expect.stringMatching(/20261103T030001Z\.full\.zip$/),
    ]);
    // Its format is raised before the first new archive.
    const after = await filesOf(folder);
    expect([...after.keys()]).toEqual([...before.keys()]);
    for (const name of before.keys()) if (name !== "repository.json") expect(after.get(name)).toBe(before.get(name));
    expect((await runCli(["verify", "repo"], { directory })).code).toBe(0);
    const done = await runCli(words, { directory });
    expect([done.code, done.stdout]).toEqual([0, expect.stringContaining("20261103T030001Z")]);
    expect((await runCli(["verify", "repo"], { directory })).code).toBe(0);
    expect(readdirSync(folder).filter((name) => name.includes("20261101T"))).toEqual([]);
  });
});
