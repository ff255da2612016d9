import { expect, test } from "vitest";
import { extractFrom, issuesOf, loadInto, verifyAt } from "../helpers/migration.js";
import { type Pair, post, stepBody, twoGuides, upload } from "../helpers/small-sites.js";

const BY_TITLE =
  "See [[Missing page|label]], [[Topic:Missing topic#Section_A]] and [[Item:No such part|a part]].\n\n" +
  "* [link|/c/Missing topic 2|by its address]\n* [product|IF145-002|a comb]";

test("a link by title or relative address whose page is not at the source arrives byte for byte, with a note", async () => {
  const { source, target, workspace, run, verify, guide } = await twoGuides();
  source.edit.guide(1, { introduction: BY_TITLE });
  source.edit.addStep(1, stepBody(3, "Mind [[Missing page]] & [product|AB-1]."));
  source.edit.createWiki({ namespace: "CATEGORY", title: "Tools", contents: BY_TITLE });
  await run();
  expect(guide("Warp")["introduction"]).toBe(BY_TITLE);
  expect(guide("Warp").steps[2]).toMatchObject({ lines: [{ text: "Mind [[Missing page]] & [product|AB-1]." }] });
  const tools = target.state().wikis.find(({ title }) => title === "Tools");
  expect(tools?.["contents"]).toBe(BY_TITLE);
  const issues = (await issuesOf({ target, workspace })).filter(({ code }) => code.startsWith("reference-"));
  expect(new Set(issues.map(({ code, level }) => `${code} ${level}`))).toEqual(new Set(["reference-kept note"]));
  const messages = issues
    .filter(({ key, path }) => key === "guide/1" && path === "introduction")
    .map(({ message }) => message);
  expect(messages).toHaveLength(5);
  expect(messages[0]).toContain("[[Missing page|label]] was not changed: the source has no wiki/WIKI/Missing page");
  expect(messages[4]).toContain(
    "[product|IF145-002|a comb] was not changed: a catalogue number is the same on every site",
  );
  expect((await verify()).differences).toEqual([]);
});

test("neither --dangling label nor fail changes a link by title without a page; only label makes a product text", async () => {
  const text = "A [[Missing page|label]] and [product|AB-1|a comb].";
  for (const [dangling, expected] of [
    ["fail", text],
    ["label", "A [[Missing page|label]] and a comb."],
  ] as const) {
    const { source, run, verify, guide } = await twoGuides();
    source.edit.guide(1, { introduction: text });
    expect((await run({ dangling })).failed).toBe(0);
    expect(guide("Warp")["introduction"]).toBe(expected);
    expect((await verify({ dangling })).differences).toEqual([]);
  }
});

test("--dangling applies to a page that is at the source and does not move, also if the page was listed but not read", async () => {
  const { source, workspace, guide, target } = await twoGuides();
  source.edit.guide(1, { introduction: "See [[Sheds|sheds]], [[Missing page]] and [guide|2|the other]." });
  await extractFrom(source, workspace, { include: ["guide/1"], selection: { dependencies: false } });
  const only = new Set(["guide/1", "category/Looms"] as const);
  await extractFrom(source, workspace, { include: ["category/Looms"], selection: { dependencies: false } });
  await loadInto(target, workspace, { selected: only });
  const origin = source.origin;
  expect(guide("Warp")["introduction"]).toBe(
    `See [${origin}/Wiki/Sheds|sheds], [[Missing page]] and [${origin}/Guide/-/2|the other].`,
  );
});

test("an id that the source does not have never stays", async () => {
  const { source, run, guide, verify } = await twoGuides();
  source.edit.guide(1, {
    introduction: "[guide|999|gone] [image|1024|size=medium] [link|/Guide/Gone/999|gone too] [[User:77|Ann]]",
  });
  await run();
  const { origin } = source;
  expect(guide("Warp")["introduction"]).toBe(
    `[${origin}/Guide/-/999|gone] image 1024 [link|${origin}/Guide/Gone/999|gone too] [${origin}/User/77|Ann]`,
  );
  expect((await verify()).differences).toEqual([]);
});

test("a page that is deleted at the source later leaves links by title as they are", async () => {
  const { source, run, guide, verify } = await twoGuides();
  source.edit.guide(1, { introduction: "See [[Sheds|sheds]]." });
  await run();
  source.edit.deleteWiki("WIKI", "Sheds");
  source.edit.guide(1, { summary: "Changed." });
  await run({ deleteRemoved: true, maxDeletions: { count: 5 } });
  expect(guide("Warp")["introduction"]).toBe("See [[Sheds|sheds]].");
  expect((await verify()).differences).toEqual([]);
});

/** A guide that names two documents of the same bytes, at a target that takes no documents. */
async function withDocuments(): Promise<Pair> {
  const pair = await twoGuides({ target: { dialect: "ifixit" } });
  const { source, workspace } = pair;
  const documents: number[] = [];
  for (const name of ["manual.pdf", "copy.pdf"]) documents.push(await upload(source, "uploads", name, PDF));
  const introduction = `Read [document|${documents[0]}|the manual] or [document|${documents[1]}|its copy].`;
  const fields = { category: "Looms", type: "how-to", subject: "x", title: "Manuals", introduction, documents };
  await post(source, "guides", fields);
  await extractFrom(source, workspace);
  return pair;
}

const PDF = Buffer.from("%PDF-1.4 invented");

test.each(["absolute", "label"] as const)(
  "a document that the target does not accept is reported, and --dangling %s writes its link",
  async (dangling) => {
    const { target, workspace, guide } = await withDocuments();
    await loadInto(target, workspace, { dangling });
    const text = String(guide("Manuals")["introduction"]);
    if (dangling === "label") expect(text).toBe("Read the manual or its copy.");
    else expect(text).toMatch(/^Read \[http:[^|\]]+\|the manual\] or \[http:[^|\]]+\|its copy\]\.$/);
    const issues = (await issuesOf({ target, workspace }, "guide/3")).filter(
      ({ code }) => code === "reference-dangling",
    );
    expect(issues.map(({ level, path }) => [level, path])).toEqual([
      ["loss", "introduction"],
      ["loss", "introduction"],
    ]);
    const { differences } = await verifyAt(target, workspace, { dangling });
    expect(differences).toEqual([]);
    // The site's lists now show that it accepts no files, so the run leaves the documents out from
    // the start.
    await loadInto(target, workspace, { dangling });
    expect(guide("Manuals")["introduction"]).toBe(text);
    expect((await loadInto(target, workspace, { dangling })).writes).toBe(0);
    expect((await verifyAt(target, workspace, { dangling })).differences).toEqual([]);
  },
);
