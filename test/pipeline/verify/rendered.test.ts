import { expect, onTestFinished, test } from "vitest";
import type { Source } from "../../../src/contracts.js";
import type { Item } from "../../../src/model/item.js";
import { compareRendered } from "../../../src/pipeline/verify/rendered/compare-rendered.js";
import { type Sandbox, type SandboxOptions, startSandbox } from "../../../src/sandbox/index.js";
import { mapTexts } from "../../../transforms/steps/map-texts.js";
import { extractFrom, loadInto, verifyAt } from "../../helpers/migration.js";
import { pngOf } from "../../helpers/png.js";
import { post, stepBody, upload } from "../../helpers/small-sites.js";
import { OLD_SITE } from "../../helpers/target-site.js";
import { temporaryFolder } from "../../helpers/temporary-folder.js";

interface Moved {
  readonly source: Sandbox;
  readonly target: Sandbox;
  readonly workspace: string;
  verify(change?: (html: string, path: string) => string | undefined): ReturnType<typeof verifyAt>;
}

/** Guides and pages whose texts use all of the syntax, at the target; there every id is another one than at the source. */
async function moved(
  options: { readonly source?: SandboxOptions; readonly target?: SandboxOptions } = {},
): Promise<Moved> {
  const [source, target] = [await startSandbox(options.source ?? {}), await startSandbox(options.target ?? {})];
  onTestFinished(() => source.close());
  onTestFinished(() => target.close());
  target.edit.createWiki({ namespace: "CATEGORY", title: "Others", contents: "Before us." });
  for (const title of ["One", "Two"])
    target.edit.createGuide({ category: "Others", type: "how-to", subject: title, title });
  source.edit.createWiki({
    namespace: "CATEGORY",
    title: "Looms",
    contents: "== On looms ==\nSee [guide|1|the first].",
  });
  const image = await upload(source, "images", "shed.png", pngOf(80, 60));
  for (const title of ["First", "Second"])
    await post(source, "guides", { category: "Looms", type: "how-to", subject: title, title, public: true });
  const { steps } = (await post(source, "guides/2/steps", stepBody(1, "Begin."))) as {
    readonly steps: readonly { readonly stepid: number }[];
  };
  const goal = `[guide|2|the second|stepid=${steps.at(-1)?.stepid}]`;
  source.edit.guide(1, {
    introduction: `''See'' ${goal}, [guide|2], [[Category:Looms]] and [https://e.org/a?b=1&c=2|'''this'''].\n\n* 3/4" wood\n* [guide|77|gone]\n\n[image|${image}]`,
    conclusion: `${source.origin}/Guide/Second/2 and https://guild.example/a/page/with/a/long/address/that/nobody/types.html`,
  });
  source.edit.addStep(1, stepBody(1, `'''Mind''' ${goal} & the [[Wiki:Sheds|sheds]].`));
  source.edit.createWiki({
    namespace: "WIKI",
    title: "Sheds",
    contents: `= Sheds =\n\n[quote|Ann]\nMind the ''gap''.\n\n[/quote]\n[image|${image}]\n[video|https://www.youtube.com/watch?v=abcdefg]`,
  });
  const workspace = await temporaryFolder();
  await extractFrom(source, workspace);
  await loadInto(target, workspace);
  return {
    source,
    target,
    workspace,
    verify: (change) =>
      verifyAt(target, workspace, change === undefined ? {} : { reader: (reader) => shownAs(reader, change) }),
  };
}

/** The site's answers with other HTML; undefined: none. */
function shownAs(reader: Source, change: (html: string, path: string) => string | undefined): Source {
  return { ...reader, read: async (key, signal) => changed(await reader.read(key, signal), change) };
}

function changed(item: Item | undefined, change: (html: string, path: string) => string | undefined): Item | undefined {
  if (item === undefined) return undefined;
  const raw = JSON.parse(JSON.stringify(item.raw), (name, value: unknown) =>
    name.endsWith("_rendered") && typeof value === "string" ? change(value, name) : value,
  );
  return { ...item, raw };
}

test.each(["dozuki", "ifixit"] as const)(
  "what a site of the dialect %s shows is what the old one showed, though every id is another",
  async (dialect) => {
    const { verify } = await moved({ target: { dialect } });
    const { summary, differences } = await verify();
    expect(differences).toEqual([]);
    expect(summary).toMatchObject({ rendered: 6, unrendered: 0 });
  },
);

const WRONG: Readonly<Record<string, readonly [(html: string, path: string) => string, readonly string[]]>> = {
  "raw markup": [(html) => html.replace(/<strong>Mind<\/strong>/, "'''Mind'''"), ["steps[0].lines[0].text.rendered"]],
  "a raw macro": [
    (html, path) =>
      path === "introduction_rendered"
        ? html.replace(/<a href="[^"]*\/Guide[^>]*>the second<\/a>/, "[guide|4|the second]")
        : html,
    ["introduction.rendered"],
  ],
  "a link that is marked as missing": [
    (html) => html.replace('<a href="/Wiki/Sheds"', '<a class="new" href="/Wiki/Sheds"'),
    ["steps[0].lines[0].text.rendered"],
  ],
  "a link to another guide": [
    (html, path) => (path === "contents_rendered" ? html.replace(/(\/Guide\/First\/)\d+/, "$11") : html),
    ["contents.rendered"],
  ],
  "a lost word": [(html) => html.replace("gap", ""), ["contents.rendered"]],
  "a lost picture": [
    (html, path) => (path === "introduction_rendered" ? html.replace(/<img[^>]*>/, "") : html),
    ["introduction.rendered"],
  ],
  "a link back to the old site": [
    (html, path) =>
      path === "conclusion_rendered" ? html.replace(/"http:[^"]*\/Guide\/Second\/\d+"/, '"OLD/Guide/Second/2"') : html,
    ["conclusion.reference", "conclusion.rendered"],
  ],
};

test("HTML that says something else is told by its field, and nothing else is", async () => {
  const { source, verify } = await moved();
  for (const [what, [change, paths]] of Object.entries(WRONG)) {
    const { differences } = await verify((html, path) => change(html, path).replace("OLD", source.origin));
    expect([what, differences.map(({ path }) => path).sort()]).toEqual([what, paths]);
  }
});

test("other markup for the same is no difference, and HTML that a site doesn't give is counted", async () => {
  const { verify } = await moved();
  const wrapped = await verify(
    (html) => `<div class="text">\n${html.replaceAll("strong>", "b>").replaceAll(". ", ".&nbsp;\n")}</div>`,
  );
  expect(wrapped.differences).toEqual([]);
  const without = await verify(() => undefined);
  expect([without.differences, without.summary.rendered, without.summary.unrendered]).toEqual([[], 0, 6]);
});

test("a link whose guide somebody deleted shows as what the site puts there", async () => {
  const { target, verify } = await moved();
  const second = target.state().guides.find(({ title }) => title === "Second");
  target.edit.deleteGuide(Number(second?.["guideid"]));
  const { differences } = await verify();
  expect(differences.map(({ key, path }) => `${key} ${path}`).sort()).toEqual([
    "guide/1 introduction.rendered",
    "guide/2 ",
  ]);
  expect(String(differences.find(({ path }) => path !== "")?.actual)).toContain("[invalid guide link]");
});

test("what only the two sites know of their own rendering is right when both show it", async () => {
  const text = {
    path: "introduction",
    where: "page",
    text: "[product|AB-1]",
    source: '<p><a href="/Tools/Comb/AB-1">Comb</a></p>',
  } as const;
  const sites = { source: OLD_SITE, target: OLD_SITE, idOf: () => Promise.resolve(undefined) };
  const shown = async (present: string) => (await compareRendered({ ...text, present }, present, sites)).same;
  expect(await shown('<div><a href="https://old.example/Tools/Comb/AB-1">Comb</a></div>')).toBe(true);
  expect(await shown('<p><a href="/Tools/Rake/AB-2">Rake</a></p>')).toBe(false);
});

test("a text that a transform changed is compared with what it became", async () => {
  const { target, source } = await moved();
  const workspace = await temporaryFolder();
  await extractFrom(source, workspace);
  const transforms = [(item: Item) => [item.kind === "guide" ? mapTexts(item, (text) => `Changed: ${text}`) : item]];
  const fresh = await startSandbox();
  onTestFinished(() => fresh.close());
  await loadInto(fresh, workspace, { transforms });
  expect((await verifyAt(fresh, workspace, { transforms })).differences).toEqual([]);
  expect(target.state().guides.length).toBeGreaterThan(0);
});
