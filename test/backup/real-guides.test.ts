import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { verifyRepository } from "../../src/backup/verify/verify-repository.js";
import type { Sandbox } from "../../src/sandbox/index.js";
import { openRepository } from "../../src/storage/repository/read/open-repository.js";
import { EVERYTHING } from "../../src/sync/selection.js";
import { restoreNight } from "../helpers/restore-snapshot.js";
import { REAL_SITE } from "../sync/extract-site.js";
import { type BackupSite, startBackups } from "./helpers/backups.js";
import { textOf } from "./helpers/read-backups.js";

const TEST_ZIP = "import sys, zipfile; sys.exit(any(zipfile.ZipFile(one).testzip() for one in sys.argv[1:]))";

/** `GUIDES=64`: all are restored, which takes twice as long as all else. */
const GUIDES = Number(process.env["GUIDES"] ?? 16);

it(`the 64 real guides with all their images are backed up and opened by others, and ${GUIDES} restored`, {
  tags: ["shared", "unzip", "python3"],
}, async () => {
  const site = await startBackups({ site: REAL_SITE });
  const first = await site.backUp({ options: { partBytes: 200_000 } });
  expect([first.index.complete, first.failures]).toEqual([true, []]);
  const content = contentOf(site.sandbox);
  const keys = await guidesOf(site, first.index.snapshot);
  expect(keys).toHaveLength(64);
  const [vandalised = ""] = keys;
  site.sandbox.edit.guide(Number(vandalised.slice("guide/".length)), {
    title: "Nonsense",
    introduction: "Nonsense.",
  });
  const { index } = await site.backUp();
  expect(await textOf(site, vandalised, first.index.snapshot)).not.toContain("Nonsense");
  expect(await textOf(site, vandalised, index.snapshot)).toContain("Nonsense");

  const archives = readdirSync(site.folder).filter((name) => name.endsWith(".zip"));
  expect(archives.length).toBeGreaterThan(3);
  // unzip takes one archive, or a pattern that it matches itself.
  execFileSync("unzip", ["-tqq", join(site.folder, "*.zip")]);
  execFileSync("python3", ["-c", TEST_ZIP, ...archives.map((name) => join(site.folder, name))]);

  const repository = await openRepository(site.folder);
  try {
    const signal = new AbortController().signal;
    const check = await verifyRepository(repository, { thoroughness: { kind: "bytes" }, hasKeys: false, signal });
    expect([check.damaged, check.problems, check.hits]).toEqual([false, [], []]);
    const include = keys.filter((_, at) => at % (keys.length / GUIDES) < 1);
    const selection = { ...EVERYTHING, include };
    const { target, filled, loaded } = await restoreNight(repository, first.index.snapshot, selection);
    expect([filled.failed, loaded.failed, loaded.refused]).toEqual([0, 0, 0]);
    const restored = contentOf(target);
    expect(include).toHaveLength(GUIDES);
    expect(restored.size).toBeGreaterThanOrEqual(GUIDES);
    expect(restored).toEqual(new Map([...content].filter(([title]) => restored.has(title))));
  } finally {
    await repository.close();
  }
});

async function guidesOf({ folder }: BackupSite, snapshot: string): Promise<readonly string[]> {
  const repository = await openRepository(folder);
  const keys: string[] = [];
  for await (const { key, kind } of repository.items(snapshot)) if (kind === "guide") keys.push(key);
  await repository.close();
  return keys;
}

/** The bytes of everything that each guide shows, by its title. */
function contentOf(sandbox: Sandbox): ReadonlyMap<string, readonly string[]> {
  const { guides } = sandbox.namedState();
  return new Map(
    guides.map((guide) => [
      String(guide["title"]),
      [...new Set(JSON.stringify(guide).match(/"[0-9a-f]{64}"/g))].toSorted(),
    ]),
  );
}
