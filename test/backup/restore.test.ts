import { expect, test } from "vitest";
import { type FillSummary, fillFromSnapshot, restoreElsewhere } from "../../src/backup/restore/fill-workspace.js";
import { snapshotContents } from "../../src/backup/restore/snapshot-contents.js";
import { openRepository } from "../../src/storage/repository/read/open-repository.js";
import type { Repository } from "../../src/storage/repository/repository.js";
import { openWorkspace, type Workspace } from "../../src/storage/workspace/workspace.js";
import { EVERYTHING, type Selection } from "../../src/sync/selection.js";
import { flipBit } from "../helpers/damage-archive.js";
import { controlOf } from "../helpers/migration.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";
import type { BackupSite } from "./helpers/backups.js";
import { looms } from "./helpers/read-backups.js";

interface Filled {
  readonly summary: FillSummary;
  readonly keys: readonly string[];
  readonly failures: readonly string[];
}

interface FillOptions {
  readonly at?: string;
  readonly directory?: string;
  readonly selection?: Partial<Selection>;
  readonly copyMedia?: boolean;
  readonly look?: (workspace: Workspace) => Promise<void>;
}

async function fill({ folder }: BackupSite, options: FillOptions = {}): Promise<Filled> {
  const repository = await openRepository(folder);
  try {
    return await fillFrom(repository, options);
  } finally {
    await repository.close();
  }
}

async function fillFrom(repository: Repository, { at, directory, selection, copyMedia = false, look }: FillOptions) {
  const contents = await snapshotContents(repository, repository.find(at).snapshot);
  const elsewhere = restoreElsewhere(repository, contents.snapshot);
  const folder = directory ?? (await temporaryFolder());
  const workspace = await openWorkspace(folder, { create: true, command: "test", wait: () => 0, elsewhere });
  try {
    const chosen = { ...EVERYTHING, ...selection };
    const parts = { elsewhere, contents, workspace, copyMedia, control: controlOf({}) };
    const summary = await fillFromSnapshot({ ...parts, selection: chosen });
    await look?.(workspace);
    const present = [...workspace.items.entries()].filter(({ state }) => state === "present");
    return { summary, keys: present.map(({ key }) => key), failures: workspace.failures.list().map(({ key }) => key) };
  } finally {
    await workspace.close();
  }
}

test("a workspace is as an extract of that night left it, byte for byte", async () => {
  const nights = await looms();
  await nights.backUp();
  const own = await openWorkspace(nights.workspace, { create: false, command: "test" });
  const digests = new Map([...own.items.entries()].map(({ key, digest }) => [key, digest]));
  await own.close();
  await fill(nights, {
    look: async ({ items }) => {
      expect(new Map([...items.entries()].map(({ key, digest }) => [key, digest]))).toEqual(digests);
    },
  });
});

test("each night is restored as it was, from one workspace too: what is not of it counts as gone", async () => {
  const nights = await looms();
  const first = await nights.backUp();
  nights.sandbox.edit.guide(1, { title: "Later" });
  nights.sandbox.edit.deleteGuide(2);
  nights.sandbox.edit.createGuide({ category: "Looms", type: "how-to", title: "New" });
  await nights.backUp({ options: { maxDeletions: { share: 1 } } });
  const directory = await temporaryFolder();
  const titleOf =
    (title: string) =>
    async ({ items }: Workspace) => {
      expect(items.entry("guide/1")?.title).toBe(title);
    };
  const last = await fill(nights, { directory, look: titleOf("Later") });
  expect(last.keys).toContain("guide/14");
  expect(last.keys).not.toContain("guide/2");
  const then = await fill(nights, { directory, at: first.index.snapshot, look: titleOf("Guide 1") });
  expect(then.keys).toContain("guide/2");
  expect(then.keys).not.toContain("guide/14");
});

test("media are read from the archive when they are needed, and copied only where that is wanted", async () => {
  const nights = await looms();
  await nights.backUp();
  const contentOf = async ({ items }: Workspace): Promise<string> => {
    const [image] = [...items.entries("image")];
    const item = image === undefined ? undefined : await items.get(image.key);
    return item?.kind === "image" ? (item.body.content?.sha256 ?? "") : "";
  };
  const lazy = await fill(nights, {
    look: async (workspace) => {
      const sha256 = await contentOf(workspace);
      expect(workspace.media.isHere(sha256)).toBe(false);
      expect(await workspace.media.verify(sha256)).toBe(true);
    },
  });
  expect(lazy.summary).toMatchObject({ media: 0, bytes: 0 });
  const copied = await fill(nights, {
    copyMedia: true,
    look: async (workspace) => expect(workspace.media.isHere(await contentOf(workspace))).toBe(true),
  });
  expect(copied.summary).toMatchObject({ media: 13, failed: 0 });
});

test("what lies there already is not written again", async () => {
  const nights = await looms();
  await nights.backUp();
  const directory = await temporaryFolder();
  await fill(nights, { directory, copyMedia: true });
  const repository = await openRepository(nights.folder);
  let opened = 0;
  const counting: Repository = {
    ...repository,
    open: (place) => {
      opened += 1;
      return repository.open(place);
    },
  };
  await fillFrom(counting, { directory, copyMedia: true });
  await repository.close();
  expect(opened).toBe(0);
});

test("damage is noted for the item that it hits, and keeps nothing else away", async () => {
  const nights = await looms();
  await nights.backUp();
  const whole = await fill(nights);
  await flipBit(nights.folder, "guide/7");
  const hit = await fill(nights);
  expect(hit.failures).toEqual(["guide/7"]);
  expect(hit.keys).toEqual(whole.keys.filter((key) => key !== "guide/7"));
  expect(hit.summary.failed).toBe(1);
});

test("a choice brings what it needs along", async () => {
  const nights = await looms();
  nights.sandbox.edit.guide(5, { prerequisites: [6], introduction: "See [[Sheds]] and [guide|9|another]." });
  await nights.backUp();
  const { keys } = await fill(nights, { selection: { include: ["guide/5"] } });
  expect(keys.filter((key) => !key.startsWith("image/"))).toEqual([
    "category/Looms",
    "guide/5",
    "guide/6",
    "wiki/WIKI/Sheds",
  ]);
  expect(keys.filter((key) => key.startsWith("image/"))).toHaveLength(2);
  const alone = await fill(nights, { selection: { include: ["guide/5"], dependencies: false } });
  expect(alone.keys).toEqual(["guide/5"]);
});
