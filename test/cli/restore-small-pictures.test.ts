import sharp from "sharp";
import { describe, expect, it, onTestFinished } from "vitest";
import { type Sandbox, type SandboxOptions, startSandbox } from "../../src/sandbox/index.js";
import { type BackedUpSite, backedUpSite } from "../helpers/backed-up-site.js";
import { pngOf } from "../helpers/png.js";
import { post, upload } from "../helpers/small-sites.js";

const TITLES = ["Warp", "Weft", "Shed"];
const SMALL = { width: 640, height: 480 };

/**
 * Each guide has a step with a picture of 640 x 480, from the time before sites asked for larger
 * ones.
 */
async function fill(sandbox: Sandbox): Promise<void> {
  sandbox.edit.createWiki({ namespace: "CATEGORY", title: "Looms", contents: "On looms." });
  for (const title of TITLES) {
    const id = sandbox.edit.createGuide({ category: "Looms", type: "how-to", title });
    const image = await upload(sandbox, "images", `${title}.png`, pngOf(SMALL.width, SMALL.height));
    const lines = [{ text: "Look.", bullet: "black", level: 0 }];
    await post(sandbox, `guides/${id}/steps`, { orderby: 1, lines, media: { type: "image", data: [image] } });
    sandbox.edit.setPublic(id, true);
  }
}

interface Restored {
  readonly site: BackedUpSite;
  readonly target: Sandbox;
}

async function backedUp(stepLimits: NonNullable<SandboxOptions["stepLimits"]>): Promise<Restored> {
  const site = await backedUpSite({ stepLimits: "none" }, fill);
  const target = await startSandbox({ stepLimits });
  onTestFinished(() => target.close());
  return { site, target };
}

/** The sizes of what the first step of each public guide shows, by title. */
async function shownAt({ url, token, state }: Sandbox): Promise<Readonly<Record<string, unknown>>> {
  const headers = { authorization: `api ${token}` };
  const shown: Record<string, unknown> = {};
  for (const { guideid, title, public: isPublic } of state().guides) {
    const { steps } = (await (await fetch(`${url}/guides/${guideid}`, { headers })).json()) as {
      readonly steps: readonly { readonly media: { readonly data: readonly { readonly original: string }[] } }[];
    };
    const [image] = steps[0]?.media.data ?? [];
    const bytes = image === undefined ? undefined : await (await fetch(image.original)).arrayBuffer();
    const { width, height } = bytes === undefined ? {} : await sharp(Buffer.from(bytes)).metadata();
    if (isPublic === true) shown[String(title)] = { width, height };
  }
  return shown;
}

const allOf = (size: object) => Object.fromEntries(TITLES.map((title) => [title, size]));

describe("a default restore into another site, of guides whose pictures are smaller than usual", () => {
  it("brings every one of them where that site takes such pictures: nothing is left out, exit 0", async () => {
    const { site, target } = await backedUp("none");
    const done = await site.runAt(target, "restore", "repo", target.url);
    expect([done.code, await shownAt(target)]).toEqual([0, allOf(SMALL)]);
    expect(done.stdout).not.toMatch(/left out/i);
    expect(target.state().guides.map(({ title }) => title)).toEqual(TITLES);
    expect((await site.runAt(target, "restore", "repo", target.url)).code).toBe(0);
  });

  it("ends with 3 and names the command where that site refuses them; the command brings all of them, enlarged", async () => {
    const { site, target } = await backedUp("usual");
    const done = await site.runAt(target, "restore", "repo", target.url);
    expect([done.code, await shownAt(target)]).toEqual([3, {}]);
    expect(done.stdout).toMatch(/LEFT OUT: 3 chosen items are not on the target\./);
    const [, command = ""] = /guideferry (restore repo http\S+ --fit split)/.exec(done.stdout) ?? [];
    const taken = await site.runAt(target, ...command.split(" "));
    expect([taken.code, await shownAt(target)]).toEqual([0, allOf({ width: 800, height: 600 })]);
    expect((await site.runAt(target, ...command.split(" "))).code).toBe(0);
  });

  it("brings all of them enlarged under --fit split at once, and asks before it makes any of them", async () => {
    const { site, target } = await backedUp("usual");
    const done = await site.runAt(target, "restore", "repo", target.url, "--fit", "split");
    expect([done.code, await shownAt(target)]).toEqual([0, allOf({ width: 800, height: 600 })]);
    expect(done.stdout).not.toMatch(/left out/i);
    const posts = target.recorded.filter(({ method, path }) => method === "POST" && path === "/guides");
    const deleted = target.recorded.find(({ method, path }) => method === "DELETE" && path.startsWith("/guides/"));
    // The first guide is the probe, which is deleted before the others are made.
    expect([posts.length, deleted !== undefined && deleted.number < (posts[1]?.number ?? 0)]).toEqual([4, true]);
  });
});
