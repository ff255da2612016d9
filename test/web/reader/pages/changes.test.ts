import { describe, expect, it } from "vitest";
import type { Item } from "../../../../src/core/model/item.js";
import { guideItem, mediaItem, recordItem, step, wikiItem } from "../../../helpers/items.js";
import { pngOf } from "../../../helpers/png.js";
import { attribute, elementsOf, madePage, ofClass, wordsOf } from "./helpers/made-page.js";
import { sha256 } from "./helpers/memory-snapshot.js";

const [OLD, NEW] = [pngOf(40, 30, 10), pngOf(40, 30, 200)];

function picture(id: number, bytes: Buffer): Item {
  return mediaItem("image", id, { content: { sha256: sha256(bytes), size: bytes.length, type: null } });
}

function guide(title: string, line: string, image: number, more: readonly string[] = []): Item {
  const first = step(5, [line], { media: { type: "images", images: [`image/${image}`] } });
  return guideItem(1, { title, steps: [first, ...more.map((text, at) => step(6 + at, [text]))] });
}

const BEFORE = {
  items: [
    guide("Warp", "Take the long yarn.", 1),
    guideItem(2, { title: "Gone" }),
    wikiItem("INFO", "Same"),
    picture(1, OLD),
  ],
  contents: [OLD],
};
const NOW = {
  items: [
    guide("Warp it", "Take the short yarn.", 2, ["Look."]),
    guideItem(3, { title: "Come" }),
    wikiItem("INFO", "Same"),
    picture(2, NEW),
    recordItem("tags"),
  ],
  contents: [NEW],
};

describe("what changed between two times", () => {
  it("is listed by kind, each with the way to both sides of it", async () => {
    const page = await madePage([NOW, BEFORE], "changes/old1.html");
    const rows = ofClass(page, "changes")
      .flatMap(elementsOf)
      .filter(({ tagName }) => tagName === "li");
    expect(rows.map((row) => wordsOf(row).replace(/\s+/g, " ").trim())).toEqual([
      "Changed Warp it",
      "Deleted Gone",
      "New Come",
      "Deleted image/1",
      "New image/2",
      "New record/tags",
    ]);
    expect(page.words).toContain("3 new 1 changed 2 deleted");
    const links = page.all("a").map((link) => attribute(link, "href"));
    expect(links).toEqual(expect.arrayContaining(["../changes/old1/guide/1.html", "../changes/old1/guide/2.html"]));
  });

  it("is nothing where nothing changed", async () => {
    expect((await madePage([NOW, NOW], "changes/old1.html")).words).toContain("These two snapshots are equal");
  });

  it("has the older time at the left, whichever of them the page belongs to", async () => {
    const page = await madePage([NOW, BEFORE], "changes/old1/guide/1.html");
    const [old, now] = ["old", "new"].map((name) =>
      ofClass(page, "side")
        .filter((side) => ofClass(page, name).includes(side))
        .map((side) => wordsOf(side).replace(/\s+/g, " ").trim()),
    );
    expect(old).toEqual(["Old: Warp", "Old: Take the [removed: long ] yarn. image 1 Removed", "Old: none"]);
    expect(now).toEqual([
      "New: Warp [added: it ]",
      "New: Take the [added: short ] yarn. image 2 New",
      "New: [added: Look. ]",
    ]);
    expect(
      page.all("del", "ins").every(({ properties }) => ["went", "came"].includes(String(properties["className"]))),
    ).toBe(true);
  });

  it("names the fields as people do", async () => {
    const page = await madePage([NOW, BEFORE], "changes/old1/guide/1.html");
    const fields = page.all("h2").map((each) => wordsOf(each).replace(/\s+/g, " ").trim());
    expect(fields).toEqual(["Title", "Step 1", "Step 2 New"]);
  });

  it("shows pictures of both times, each from its own", async () => {
    const page = await madePage([NOW, BEFORE], "changes/old1/guide/1.html");
    expect(page.all("img").map((each) => attribute(each, "src"))).toEqual([
      `../../../../old1/media/${sha256(OLD)}.png`,
      `../../../../now/media/${sha256(NEW)}.png`,
    ]);
  });

  it("tells of an item that only one of the times has, also by its old address", async () => {
    const gone = await madePage([NOW, BEFORE], "changes/old1/guide/2.html");
    expect(gone.status).toBe(200);
    expect(gone.words).toContain("Gone");
    expect(gone.words).toContain("not in this snapshot");
    expect((await madePage([NOW, BEFORE], "changes/old1/guide/9.html")).status).toBe(404);
  });

  it("is told by a server alone, and of times that it has", async () => {
    for (const path of ["changes/old1.html", "changes/old1/guide/1.html"])
      expect((await madePage([NOW, BEFORE], path, "files")).status).toBe(404);
    for (const path of ["changes/old7.html", "changes/now.html"])
      expect((await madePage([NOW, BEFORE], path)).status).toBe(404);
  });
});
