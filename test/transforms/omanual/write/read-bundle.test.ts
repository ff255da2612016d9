import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { GuideItem, Item } from "../../../../src/core/model/item.js";
import { SAMPLE_SITE, startSite } from "../../../sync/extract-site.js";
import { anyCategory, anyGuide } from "./arbitrary-items.js";
import { bundle, byKey, unbundle } from "./bundled.js";
import { faultsOf } from "./schemas.js";
import { smallSite } from "./small-site.js";

const GUIDE = "Oil--Clean-the-Loom-12/guide.xml";

async function sampleSite(): Promise<readonly Item[]> {
  const { run, workspace } = await startSite({ site: SAMPLE_SITE });
  await run();
  const keys = [...workspace.items.entries()].map(({ key }) => key);
  return (await Promise.all(keys.map((key) => workspace.items.get(key)))).filter((item) => item !== undefined);
}

function guide(items: readonly Item[]): GuideItem {
  const found = items.find(({ key }) => key === "guide/12");
  if (found?.kind !== "guide") throw new Error("guide/12 is not there.");
  return found;
}

describe("a bundle with its sidecars", () => {
  it("gives back every item of a site as it was", async () => {
    const { files } = await bundle(smallSite());
    const { items, issues } = await unbundle(files);
    expect(byKey(items)).toEqual(byKey(smallSite()));
    expect(issues).toEqual([]);
  });

  it("gives back the whole sample site as it was", async () => {
    const site = await sampleSite();
    const { items, issues } = await unbundle((await bundle(site)).files);
    expect(byKey(items)).toEqual(byKey(site));
    expect(issues.filter(({ level }) => level !== "note")).toEqual([]);
  });

  it("holds valid documents of the whole sample site", { tags: ["shared", "xmllint"] }, async () => {
    const { files } = await bundle(await sampleSite());
    const documents = Object.entries(files).flatMap(([path, text]) => (path.endsWith(".xml") ? [text] : []));
    expect(await faultsOf(documents)).toEqual([]);
  });

  it("gives back a guide or category of any content", async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(anyGuide, anyCategory), async (item) => {
        const { items } = await unbundle((await bundle([item])).files);
        expect(byKey(items).filter(({ key }) => key === item.key)).toEqual(byKey([item]));
      }),
      { numRuns: 40 },
    );
  });

  it("takes media from the package", async () => {
    const { items } = await unbundle((await bundle(smallSite())).files);
    const urls = guide(items).media.map(({ url }) => url);
    expect(urls[0]).toBe("bundle:/Oil--Clean-the-Loom-12/media/image-1.jpg");
    const film = items.find(({ key }) => key === "video/3");
    expect(film?.kind === "video" && film.body.url).toBe("bundle:/Oil--Clean-the-Loom-12/media/video-3.mp4");
  });

  it("lets a changed document decide about what it says, and gives the rest", async () => {
    const { files } = await bundle(smallSite());
    const changed = files[GUIDE]
      ?.replace(">Oil &amp; Clean the Loom<", ">Oil the loom<")
      .replace("A little.", "A lot.");
    const { items, issues } = await unbundle({ ...files, [GUIDE]: changed ?? "" });
    const [before, after] = [guide(smallSite()), guide(items)];
    expect(after.body.title).toBe("Oil the loom");
    expect(after.body.steps[0]?.lines[1]).toEqual({ ...before.body.steps[0]?.lines[1], text: "A lot." });
    const rest = {
      ...after.body,
      title: before.body.title,
      steps: [before.body.steps[0], ...after.body.steps.slice(1)],
    };
    expect(rest).toEqual(before.body);
    expect(issues.filter(({ code }) => code === "sidecar-merged")).toMatchObject([
      {
        key: "guide/12",
        level: "note",
        message: expect.stringContaining("title, steps[0].lines[1].text are taken from it"),
      },
    ]);
  });

  it("takes another embed that somebody put for a video", async () => {
    const { files } = await bundle(smallSite());
    const changed = files[GUIDE]?.replace(">media/video-3.mp4<", ">https://e.org/v<") ?? "";
    const { items } = await unbundle({ ...files, [GUIDE]: changed });
    expect(guide(items).body.steps[1]?.media).toEqual({ type: "embed", url: "https://e.org/v", title: null });
  });

  it("leaves media whose files are gone at their addresses", async () => {
    const { files } = await bundle(smallSite());
    const { "Oil--Clean-the-Loom-12/media/Manual.pdf": _, ...rest } = files;
    const { items } = await unbundle(rest);
    expect(guide(items).media.map(({ url }) => url)).toContain("https://old.example/media/9.full");
  });

  it("keeps the identity of steps when others are taken out, put in or moved", async () => {
    const { files } = await bundle(smallSite());
    const document = files[GUIDE] ?? "";
    const [one = "", two = ""] = document.match(/ {4}<step [\s\S]*?<\/step>\n/g) ?? [];
    const fresh = '<step number="1"><lines><line bullet="black" level="0">New.</line></lines></step>\n';
    const moved = document.replace(
      one + two,
      fresh + two.replace('number="2"', 'number="2"') + one.replace('number="1"', 'number="3"'),
    );
    const { items } = await unbundle({ ...files, [GUIDE]: moved });
    const before = guide(smallSite()).body.steps;
    const after = guide(items).body.steps;
    expect(after.map(({ key }) => key).slice(1)).toEqual(["step/41", "step/40"]);
    expect(after.slice(1)).toEqual([before[1], before[0]]);
    expect(after[0]?.lines.map(({ text }) => text)).toEqual(["New."]);
  });

  it("is read without a sidecar that is damaged or from a newer version, and says so", async () => {
    const { files } = await bundle(smallSite());
    const path = "Oil--Clean-the-Loom-12/guideferry.json";
    for (const [text, why] of [
      ["{", "it is not JSON"],
      ["{}", "it does not have the form that guideferry writes"],
      ['{"format":"guideferry-omanual-sidecar","version":9}', "a newer guideferry wrote it"],
    ] as const) {
      const { items, issues } = await unbundle({ ...files, [path]: text });
      expect(guide(items).body.tags).toEqual([]);
      expect(issues).toContainEqual(
        expect.objectContaining({ code: "sidecar-unusable", message: expect.stringContaining(why) }),
      );
    }
  });
});

describe("a bundle without sidecars", () => {
  it("gives back films of steps and introductions, and the keys of translations", async () => {
    const site = smallSite().map((item) =>
      item.key === "guide/12" ? ({ ...item, body: { ...item.body, introductionVideo: "video/3" } } as Item) : item,
    );
    const { files } = await bundle(site, { sidecar: false });
    const { items } = await unbundle(files);
    const { introductionVideo, steps } = guide(items).body;
    expect(steps[1]?.media).toEqual({ type: "video", video: introductionVideo });
    const film = items.find(({ key }) => key === introductionVideo);
    expect(film?.kind === "video" && film.body.url).toBe("bundle:/Oil--Clean-the-Loom-12/media/video-3.mp4");
    const titles = items.flatMap(({ key, body }) =>
      key.startsWith("guide/7") && "title" in body ? [[key, body.title]] : [],
    );
    expect(titles.toSorted()).toEqual([
      ["guide/7", "Oil & Clean the Loom"],
      ["guide/7@de", "Öle den Webstuhl"],
    ]);
  });

  it("comes back with the losses that were told of, and the same from the second time on", async () => {
    const first = await bundle(smallSite(), { sidecar: false });
    const second = await bundle(withContents((await unbundle(first.files)).items), { sidecar: false });
    const third = await bundle(withContents((await unbundle(second.files)).items), { sidecar: false });
    expect(third.files).toEqual(second.files);
    expect(first.issues.filter(({ level }) => level === "loss").length).toBeGreaterThan(5);
  });
});

/** As if their bytes had been fetched from the bundle. */
function withContents(items: readonly Item[]): readonly Item[] {
  return items.map((item): Item => {
    if (item.kind !== "image" && item.kind !== "video" && item.kind !== "document") return item;
    return { ...item, body: { ...item.body, content: { sha256: "0".repeat(64), size: 1, type: null } } };
  });
}
