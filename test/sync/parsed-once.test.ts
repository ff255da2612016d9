import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { type Sandbox, startSandbox } from "../../src/sandbox/index.js";
import { relabelBareLinks, stripDeadReferences } from "../../transforms/steps/links.js";
import { normaliseSyntax } from "../../transforms/steps/normalise-syntax.js";
import { extractFrom, loadInto } from "../helpers/migration.js";
import { stepBody } from "../helpers/small-sites.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";

const { parses } = vi.hoisted(() => ({ parses: new Map<string, number>() }));
const count = (text: string): void => {
  parses.set(text, (parses.get(text) ?? 0) + 1);
};
vi.mock(import("../../transforms/wiki/parse.js"), async (original) => {
  const module = await original();
  const counted = (text: string, options: { readonly context: "page" | "line" }) => {
    count(text);
    return module.parse(text, options);
  };
  return { ...module, parse: counted as typeof module.parse };
});
vi.mock(import("../../transforms/html/from/parse-html.js"), async (original) => {
  const module = await original();
  const counted = (html: string) => {
    count(html);
    return module.parseHtml(html);
  };
  return { ...module, parseHtml: counted };
});

beforeEach(() => parses.clear());

/** Each refers to something, so that no pass can leave it unread. */
const TEXTS = {
  category: "On looms, see [guide|1|the guide] and [[Sheds]].",
  page: "On sheds, see [[Topic:Looms|looms]].",
  introduction: "Introduced by [[Sheds]], later [guide|2|the weft].",
  conclusion: "Concluded by https://www.example.com/.",
  notes: "Note [guide|2|weft].",
  line: "First [guide|2|the weft].",
  // With an address in place of the guide, which is not there yet, it is too long for a line.
  long: `Second [guide|2|${"x".repeat(310)}].`,
  other: "Weft, see [guide|1|warp].",
};

async function filledSite(): Promise<Sandbox> {
  const site = await startSandbox();
  onTestFinished(() => site.close());
  site.edit.createWiki({ namespace: "CATEGORY", title: "Looms", contents: TEXTS.category });
  site.edit.createWiki({ namespace: "WIKI", title: "Sheds", contents: TEXTS.page });
  const { introduction, conclusion, notes } = TEXTS;
  const guide = (title: string, more = {}) =>
    site.edit.createGuide({ category: "Looms", type: "how-to", subject: title, title, difficulty: "Easy", ...more });
  const warp = guide("Warp", { introduction, conclusion, parts: [{ name: "Yarn", quantity: 1, notes }] });
  for (const [index, text] of [TEXTS.line, TEXTS.long].entries()) site.edit.addStep(warp, stepBody(index + 1, text));
  site.edit.addStep(guide("Weft"), stepBody(1, TEXTS.other));
  for (const id of [1, 2]) site.edit.setPublic(id, true);
  return site;
}

test.for([
  { name: "as it is", chosen: [] },
  { name: "through transforms that read texts", chosen: [stripDeadReferences, relabelBareLinks, normaliseSyntax] },
])("a load parses each text once, $name: checks, plan, writes and repairs share what was read", async ({ chosen }) => {
  const [source, target] = [await filledSite(), await startSandbox()];
  onTestFinished(() => target.close());
  const workspace = await temporaryFolder();
  await extractFrom(source, workspace);
  expect(parses.get(TEXTS.introduction)).toBe(1);
  parses.clear();

  const summary = await loadInto(target, workspace, {
    chosen: chosen.map((spec) => (context) => spec.create({}, context)),
  });
  expect(summary).toMatchObject({ refused: 0, failed: 0 });
  const { guides } = target.state();
  expect(guides.find(({ title }) => title === "Warp")).toMatchObject({
    introduction: expect.stringMatching(/^Introduced by \[\[Sheds\]\], later \[guide\|\d\|the weft\]\.$/),
  });
  expect([...parses.keys()]).toEqual(expect.arrayContaining(Object.values(TEXTS)));
  expect([...parses].filter(([, times]) => times > 1)).toEqual([]);
});
