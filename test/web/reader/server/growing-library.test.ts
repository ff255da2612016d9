import { mkdir, readdir, rename, rm, truncate } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { startSandbox } from "../../../../src/sandbox/index.js";
import { openWorkspace } from "../../../../src/storage/workspace/workspace.js";
import { openLibrary } from "../../../../src/web/reader/open-library.js";
import { renderPage } from "../../../../src/web/reader/pages/render-page.js";
import type { RenderPage } from "../../../../src/web/reader/pages/scope.js";
import { startReader } from "../../../../src/web/reader/server/start-reader.js";
import { fillLooms } from "../../../backup/helpers/looms.js";
import { fillWorkspace } from "../../../helpers/fill-workspace.js";
import { guideItem, mediaItem } from "../../../helpers/items.js";
import { type Maker, makeRepository, sha256Of } from "../../../helpers/repository.js";
import { runHere } from "../../../helpers/run-here.js";
import { temporaryFolder } from "../../../helpers/temporary-folder.js";

const [FIRST, SECOND, THIRD] = ["20261119T030000Z", "20261120T030000Z", "20261121T030000Z"] as const;
const FILM = Buffer.concat([Buffer.from("\0\0\0\x20ftypisom\0\0\x02\0", "latin1"), Buffer.alloc(9_000_000, "film")]);
const CONTENT = { sha256: sha256Of(FILM), size: FILM.length, type: "video/mp4" };
const ITEMS = [guideItem(1), mediaItem("video", 5, { content: CONTENT, fileName: "film.mp4" })];

describe("a library that grows while it is read", () => {
  it("shows a new snapshot at once, and goes on with what is open", async () => {
    const { folder, maker } = await repository();
    const { url } = await served(folder);
    const open = await fetch(`${url}at/${SECOND}/media/${CONTENT.sha256}.mp4`);
    const reader = open.body?.getReader();
    const pieces = [(await reader?.read())?.value ?? Buffer.alloc(0)];

    await maker.add({ snapshot: THIRD, items: [guideItem(1, { title: "Mended heddle" }), ...ITEMS.slice(1)] });
    const first = await fetch(url);
    expect(first.url).toBe(`${url}at/${THIRD}/index.html`);
    expect(await first.text()).toContain("Mended heddle");
    const menu = await (await fetch(`${url}at/${SECOND}/guide/1.html`)).text();
    expect(menu).toContain(`../../${THIRD}/guide/1.html`);
    expect(await (await fetch(`${url}at/${SECOND}/changes/${THIRD}.html`)).text()).toContain("Mended heddle");

    for (let piece = await reader?.read(); piece?.value !== undefined; piece = await reader?.read())
      pieces.push(piece.value);
    expect(sha256Of(Buffer.concat(pieces))).toBe(CONTENT.sha256);
  });

  it("answers for twenty times that are opened at once, each with its own page", async () => {
    const { folder, maker } = await repository();
    const many = Array.from({ length: 18 }, (_, day) => `202612${String(day + 1).padStart(2, "0")}T030000Z`);
    for (const snapshot of many)
      await maker.add({ snapshot, items: [guideItem(1, { title: `Heddle of ${snapshot}` }), ...ITEMS.slice(1)] });
    const { url } = await served(folder);
    const pages = [FIRST, SECOND, ...many].flatMap((time) => [`${time}/guide/1.html`, `${time}/index.html`]);
    const answers = await Promise.all(
      pages.map(async (page) => {
        const answer = await fetch(`${url}at/${page}`);
        return [page, answer.status, await answer.text()] as const;
      }),
    );
    expect(answers.filter(([, status]) => status !== 200).map(([page, status]) => [page, status])).toEqual([]);
    for (const [page, , text] of answers)
      if (page.startsWith("202612") && page.endsWith("1.html"))
        expect(text).toContain(`Heddle of ${page.slice(0, 16)}`);
  });

  it("stays at the time that was asked for", async () => {
    const { folder, maker } = await repository();
    const { url } = await served(folder, { first: FIRST });
    await maker.add({ snapshot: THIRD, items: ITEMS });
    expect((await fetch(url)).url).toBe(`${url}at/${FIRST}/index.html`);
    expect((await fetch(`${url}at/${THIRD}/guide/1.html`)).status).toBe(200);
  });

  it("finds what was put elsewhere, and says of a time that was cleared away that it is gone", async () => {
    const { folder } = await repository();
    const { url } = await served(folder);
    const page = `${url}at/${SECOND}/guide/1.html`;
    const [before, film] = [await (await fetch(page)).text(), `${url}at/${SECOND}/media/${CONTENT.sha256}.mp4`];
    expect((await fetch(film)).status).toBe(200);

    // As `prune` leaves it: the night stays, and is whole in itself.
    const other = join(await temporaryFolder(), "repository");
    const whole = await makeRepository(other);
    await whole.add({ snapshot: SECOND, kind: "full", items: ITEMS, media: [FILM] });
    // What is open of the old archives is worth nothing now.
    for (const file of await readdir(folder)) await truncate(join(folder, file), 0);
    await rm(folder, { recursive: true });
    await rename(other, folder);
    expect((await fetch(`${url}at/${FIRST}/guide/1.html`)).status).toBe(404);
    expect(wordsIn(await (await fetch(page)).text())).not.toContain("1 of");
    expect(before).toContain("Guide 1");
    const again = await fetch(film);
    expect([again.status, (await again.arrayBuffer()).byteLength]).toEqual([200, FILM.length]);
  });

  it("goes on, and tells once, while its folder cannot be read", async () => {
    const { folder, maker } = await repository();
    const told: string[] = [];
    const { url } = await served(folder, { report: (problem) => told.push(problem) });
    await (await fetch(url)).text();
    await rename(folder, `${folder}-away`);
    for (let time = 0; time < 3; time += 1) expect((await fetch(`${url}at/${SECOND}/guide/1.html`)).status).toBe(200);
    expect(told).toEqual([expect.stringContaining("The reader cannot look for new snapshots")]);
    await rename(`${folder}-away`, folder);
    await maker.add({ snapshot: THIRD, items: ITEMS });
    expect((await fetch(url)).url).toBe(`${url}at/${THIRD}/index.html`);
  });

  it("shows a workspace as it is by now", async () => {
    const folder = join(await temporaryFolder(), "work");
    await fillWorkspace(folder, 3);
    const { url } = await served(folder);
    expect(await (await fetch(`${url}at/now/guides.html`)).text()).not.toContain("Just now");
    const workspace = await openWorkspace(folder, { create: false, command: "test" });
    onTestFinished(() => workspace.close());
    await workspace.items.put(guideItem(41, { title: "Just now", category: "nowhere" }));
    await expect
      .poll(async () => (await fetch(`${url}at/now/guides.html`)).text(), { interval: 20, timeout: 300_000 })
      .toContain("Just now");
    expect((await fetch(`${url}at/now/guide/41.html`)).status).toBe(200);
  });
});

describe("a real backup, while its repository and its workspace elsewhere are read", () => {
  it("adds the night to both, and the media that it took into its archives", async () => {
    const sandbox = await startSandbox();
    onTestFinished(() => sandbox.close());
    fillLooms(sandbox);
    const folder = await temporaryFolder();
    const [repo, work] = [join(folder, "repo"), join(folder, "elsewhere", "work")];
    await mkdir(join(folder, "elsewhere"));
    const environment = { GUIDEFERRY_SOURCE_TOKEN: sandbox.token, XDG_STATE_HOME: folder };
    const backup = async (): Promise<void> => {
      const { code, stderr } = await runHere(["backup", sandbox.url, "--to", repo, "--workspace", work], {
        environment,
      });
      expect([code, stderr]).toEqual([0, expect.anything()]);
    };
    await backup();
    const [repository, workspace] = [await served(repo), await served(work)];
    const before = (await fetch(repository.url)).url;
    expect(await textOf(workspace.url)).toContain("Guide 1");

    const guide = sandbox.edit.createGuide({ category: "Looms", type: "how-to", title: "A new night" });
    const step = sandbox.edit.addStep(guide, {
      orderby: 1,
      title: "One",
      lines: [{ text: "Do it.", bullet: "black", level: 0 }],
    });
    sandbox.edit.exchangeImage(guide, step, "a picture of the night");
    await backup();
    const after = (await fetch(repository.url)).url;
    expect(after > before).toBe(true);
    await expect.poll(() => textOf(new URL("/at/now/index.html", workspace.url).href)).toContain("A new night");
    for (const url of [after, new URL("/at/now/index.html", workspace.url).href]) {
      const page = await textOf(new URL(`guide/${guide}.html`, url).href);
      const [picture = "nothing"] = /media\/[0-9a-f]{64}\.\w+/.exec(page) ?? [];
      const { status, headers } = await fetch(new URL(picture, url));
      expect([picture, status, headers.get("content-type")]).toEqual([picture, 200, "image/png"]);
    }
    const kept = await readdir(join(work, "media"), { recursive: true });
    expect(kept.filter((name) => /[0-9a-f]{64}/.test(name))).toEqual([]);
  });
});

async function textOf(url: string): Promise<string> {
  return (await fetch(url)).text();
}

async function repository(): Promise<{ readonly folder: string; readonly maker: Maker }> {
  const folder = join(await temporaryFolder(), "repository");
  const maker = await makeRepository(folder);
  await maker.add({ snapshot: FIRST, items: [guideItem(1)] });
  await maker.add({ snapshot: SECOND, items: ITEMS, media: [FILM] });
  return { folder, maker };
}

const wordsIn = (html: string): string => html.replace(/<[^>]*>/g, " ");

/** Pages are made of everything that is there. */
const whole: RenderPage = async (context, path) => {
  await context.catalogue.read;
  return renderPage(context, path);
};

async function served(
  folder: string,
  more: Partial<Parameters<typeof startReader>[0]> = {},
): Promise<{ readonly url: string }> {
  const library = await openLibrary(folder);
  onTestFinished(() => library.close());
  const reader = await startReader({ library, render: whole, ...more });
  onTestFinished(() => reader.close());
  return reader;
}
