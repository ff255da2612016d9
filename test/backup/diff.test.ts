import { describe, expect, it } from "vitest";
import { diffItems, diffMedia, fieldChanges, type ItemDifference } from "../../src/backup/history/diff.js";
import type { Item } from "../../src/core/model/item.js";
import { openRepository } from "../../src/storage/repository/read/open-repository.js";
import { guideItem, mediaItem, recordItem, step, wikiItem } from "../helpers/items.js";
import { type Maker, makeRepository } from "../helpers/repository.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";

const [FIRST, SECOND, THIRD] = ["20261101T030000Z", "20261102T030000Z", "20261103T030000Z"] as const;

async function repositoryOf(...states: readonly (readonly Item[])[]): Promise<Maker> {
  const maker = await makeRepository(await temporaryFolder());
  for (const [at, items] of states.entries()) {
    const media = [Buffer.from("always"), Buffer.from(`only in ${at}`)];
    await maker.add({ snapshot: [FIRST, SECOND, THIRD][at] ?? "", items, media });
  }
  return maker;
}

async function diff({ folder }: Maker, from: string, to: string, text = false): Promise<readonly ItemDifference[]> {
  const repository = await openRepository(folder);
  const all: ItemDifference[] = [];
  for await (const difference of diffItems(repository, from, to, { text })) all.push(difference);
  await repository.close();
  return all;
}

describe("diff of two snapshots", () => {
  it("tells what is new, changed and gone, field by field", async () => {
    const maker = await repositoryOf(
      [guideItem(1), guideItem(2, { steps: [step(5, ["Oil it"])] }), guideItem(3), wikiItem("INFO", "Page")],
      [
        guideItem(2, { title: "Two", steps: [step(5, ["Oil it well"]), step(6)] }),
        guideItem(3),
        guideItem(4),
        wikiItem("INFO", "Page"),
      ],
      [
        guideItem(1),
        guideItem(2, { title: "Two", steps: [step(5, ["Oil it well"]), step(6)] }),
        guideItem(3),
        guideItem(4),
      ],
    );
    const found = await diff(maker, FIRST, SECOND);
    expect(found.map(({ what, key, changes }) => [what, key, ...changes.map(({ path }) => path)])).toEqual([
      ["deleted", "guide/1"],
      ["changed", "guide/2", "title", "steps[step/5].lines[0].text", "steps[step/6]"],
      ["new", "guide/4"],
    ]);
    expect((await diff(maker, SECOND, THIRD)).map(({ what, key }) => `${what} ${key}`)).toEqual([
      "new guide/1",
      "deleted wiki/INFO/Page",
    ]);
    expect((await diff(maker, THIRD, FIRST)).map(({ what, key }) => `${what} ${key}`)).toEqual([
      "changed guide/2",
      "deleted guide/4",
      "new wiki/INFO/Page",
    ]);
    expect(await diff(maker, FIRST, FIRST)).toEqual([]);
    const repository = await openRepository(maker.folder);
    expect(await diffMedia(repository, FIRST, SECOND)).toEqual({
      new: { contents: 1, bytes: 9 },
      gone: { contents: 1, bytes: 9 },
    });
    await repository.close();
  });

  it("shows the readable texts as a unified diff", async () => {
    const maker = await repositoryOf(
      [wikiItem("INFO", "Page", { contents: "One\nTwo\nThree" }), guideItem(1), recordItem("tags")],
      [wikiItem("INFO", "Page", { contents: "One\n'''Two''' and a half\nThree" }), guideItem(2), recordItem("tags")],
    );
    const [one, two, page] = await diff(maker, FIRST, SECOND, true);
    const [head, ...body] = page?.text?.split(/^(?=@@)/m) ?? [];
    expect(head).toBe(`--- wiki/INFO/Page\t${FIRST}\n+++ wiki/INFO/Page\t${SECOND}\n`);
    expect(body.join("")).toMatch(/^@@ -4,5 \+4,5 @@\n.*\n \n One\n-Two\n\+'''Two''' and a half\n Three\n$/);
    expect(one?.text).toMatch(/^-= Guide 1 =$/m);
    expect(two?.text).toMatch(/^\+= Guide 2 =$/m);
  });

  it("shows a record row by row, and names its fields by the ids of the rows", async () => {
    const { body, ...users } = recordItem("users");
    const nightOf = (answer: readonly object[]): readonly Item[] => [{ ...users, body: { ...body, answer } }];
    const maker = await repositoryOf(
      nightOf([{ userid: 4, name: "Ada 0" }, { userid: 5 }]),
      nightOf([{ userid: 4, name: "Ada 1" }]),
    );
    const [found] = await diff(maker, FIRST, SECOND, true);
    expect(found?.changes.map(({ path }) => path)).toEqual(["answer[4].name", "answer[5]"]);
    expect(found?.text).toMatch(
      /^--- record\/users\[4\]\t.*\n\+\+\+ .*\n@@ -1,4 \+1,4 @@\n \{\n {3}"userid": 4,\n- {2}"name": "Ada 0"\n\+ {2}"name": "Ada 1"\n/,
    );
    expect(found?.text).toMatch(/^--- record\/users\[5\]/m);
  });
});

describe("the fields that changed", () => {
  it("finds a step again by its key, and tells that others moved", () => {
    const before = guideItem(1, { steps: [step(5), step(6), step(7)] });
    const after = guideItem(1, { steps: [step(7), step(5, ["Else"])] });
    expect(fieldChanges(before, after)).toEqual([
      { path: "steps[step/5].lines[0].text", before: "Line of step 5", after: "Else" },
      { path: "steps[step/6]", before: step(6), after: undefined },
      { path: "steps", before: ["step/5", "step/6", "step/7"], after: ["step/7", "step/5"] },
    ]);
  });

  it("looks at the site's own answer where the body is the same, and tells nothing of what is equal", () => {
    const item = mediaItem("image", 5);
    expect(fieldChanges(item, item)).toEqual([]);
    expect(fieldChanges({ ...item, raw: { exif: 1 } }, { ...item, raw: { exif: 2 } })).toEqual([
      { path: "raw.exif", before: 1, after: 2 },
    ]);
    expect(fieldChanges({ ...item, revision: "1" }, { ...item, revision: "2" })).toEqual([
      { path: "revision", before: "1", after: "2" },
    ]);
  });
});
