import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import type { Workspace } from "../../../src/storage/workspace/workspace.js";
import { openWorkspace } from "../../../src/storage/workspace/workspace.js";
import { guideItem, mediaItem, step, wikiItem } from "../../helpers/items.js";
import { pngOf } from "../../helpers/png.js";
import { printTable } from "../backup/print-table.js";
import { runGuideferry } from "../backup/run.js";
import { type Exchange, startSite } from "./site-process.js";

const MOST_STEPS = 30;
const TAGS = [0, 1, 3];
const PICTURES = 2;

/**
 * Counts the requests of guides of 1 to 30 steps, with tags and pictures, as the site sees them.
 */
export async function benchRequests(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "guideferry-bench-"));
  const workspace = join(folder, "workspace");
  try {
    await fill(workspace);
    const site = await startSite();
    try {
      const environment = { GUIDEFERRY_TARGET_TOKEN: site.token, XDG_STATE_HOME: folder };
      await runGuideferry(["load", workspace, site.door, "--quiet"], { environment });
      report(await site.passed());
    } finally {
      await site.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function fill(directory: string): Promise<void> {
  const workspace = await openWorkspace(directory, { create: true, command: "bench" });
  try {
    await workspace.claim(SOURCE);
    await workspace.items.put(wikiItem("CATEGORY", "Looms"));
    for (let steps = 1; steps <= MOST_STEPS; steps += 1)
      for (const tags of TAGS) await putGuide(workspace, steps, tags);
  } finally {
    await workspace.close();
  }
}

async function putGuide(workspace: Workspace, steps: number, tags: number): Promise<void> {
  const id = 1000 * tags + steps;
  const pictures = Array.from({ length: PICTURES }, (_, at) => `image/${10 * id + at}` as const);
  const use = { guid: null, fileName: null, path: "steps[0].media.images[0]", url: "https://old.example/p" };
  for (const [at, key] of pictures.entries()) {
    const bytes = Buffer.concat([PICTURE, Buffer.from(key)]);
    const open = (from: number) =>
      Promise.resolve({ content: Readable.from([bytes]), from, size: bytes.length, type: "image/png" });
    const content = await workspace.media.receive(open, new AbortController().signal);
    await workspace.items.put(mediaItem("image", 10 * id + at, { content, fileName: `${at}.png` }));
  }
  const media = { type: "images" as const, images: pictures };
  const item = guideItem(id, {
    title: titleOf(steps, tags),
    category: "Looms",
    difficulty: "Easy",
    subject: titleOf(steps, tags),
    public: true,
    // Those that a site gives to new guides by itself: others cost a guide one request more.
    flags: ["GUIDE_USER_CONTRIBUTED", "GUIDE_IN_PROGRESS"],
    tags: Array.from({ length: tags }, (_, at) => `tag ${at}`),
    steps: Array.from({ length: steps }, (_, at) => step(1000 * id + at, ["Turn it."], at === 0 ? { media } : {})),
  });
  await workspace.items.put({ ...item, media: pictures.map((key) => ({ key, ...use })) });
}

const PICTURE = pngOf(800, 600);

function titleOf(steps: number, tags: number): string {
  return `Guide of ${steps} steps and ${tags} tags`;
}

function report(exchanges: readonly Exchange[]): void {
  const counts = new Map<string, number>();
  const titles = new Map<string, string>();
  for (const { method, url, answer } of exchanges) {
    const made = method === "POST" && url.startsWith("/api/2.0/guides") && !/guides\/\d/.test(url);
    const guide = made ? (JSON.parse(answer) as { readonly guideid: number; readonly title: string }) : undefined;
    if (guide !== undefined) titles.set(String(guide.guideid), guide.title);
    const id = guide === undefined ? /guides\/(\d+)/.exec(url)?.[1] : String(guide.guideid);
    if (id !== undefined) counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  const uploads = exchanges.filter(({ method, url }) => method === "POST" && url.includes("/user/media/")).length;
  const byTitle = new Map([...counts].map(([id, count]) => [titles.get(id), count]));
  const rows = [1, 2, 5, 10, 20, MOST_STEPS].map((steps) => [
    String(steps),
    String(steps + 2),
    ...TAGS.map((tags) => String(byTitle.get(titleOf(steps, tags)) ?? "none")),
  ]);
  const others = exchanges.length - uploads - [...counts.values()].reduce((sum, count) => sum + count, 0);
  process.stdout.write(
    `${titles.size} guides with ${PICTURES} pictures each: ${exchanges.length} requests, of them ${uploads} uploads and ${others} for the whole site\n\n`,
  );
  printTable(["steps", "steps + 2", ...TAGS.map((tags) => `with ${tags} tags`)], rows);
}

const SOURCE = {
  root: "https://old.example/api/2.0",
  origin: "https://old.example",
  siteId: "7",
  name: "Weavers",
  dialect: "dozuki" as const,
  hosts: ["old.example"],
  language: "en",
  languages: ["en"],
  account: { id: 3, name: "ferry", admin: true },
};
