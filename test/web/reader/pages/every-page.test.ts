import type { Element } from "hast";
import { beforeAll, describe, expect, it } from "vitest";
import type { Item } from "../../../../src/core/model/item.js";
import { pagePathOf, tagPath } from "../../../../src/web/reader/page-path.js";
import type { PageContext } from "../../../../src/web/reader/pages/scope.js";
import { HOSTILE_MEDIA, hostileItems } from "../../../helpers/hostile-items.js";
import { guideItem, step, wikiItem } from "../../../helpers/items.js";
import { attribute, elementsOf, type MadePage, madePage, ofClass, wordsOf } from "./helpers/made-page.js";

const NOW: readonly Item[] = [
  ...hostileItems(),
  guideItem(50, {
    title: "Plain",
    category: "Round",
    introduction: "== Oil ==\nSome.",
    conclusion: "== Oil ==\nMore.",
    tags: ["wool"],
    steps: [step(5)],
  }),
  wikiItem("WIKI", "Words", { contents: "== Oil ==\nSome.", tags: ["wool"] }),
];
const BEFORE: readonly Item[] = [
  guideItem(50, { title: "Plainer", category: "Round", steps: [step(5, ["Other"])] }),
  guideItem(51),
];

/** A page of each kind, in both modes where both have it. */
const PAGES: readonly (readonly [mode: PageContext["mode"], path: string])[] = [
  ...(["server", "files"] as const).flatMap((mode) =>
    [
      ...[
        "index.html",
        "tags.html",
        "guides.html",
        "pages.html",
        "documents.html",
        "about.html",
        tagPath("wool"),
        "nowhere.html",
      ],
      ...[
        "guide/1.html",
        "guide/50.html",
        "guide/100.html",
        pagePathOf("category/Round"),
        pagePathOf("category/Itself"),
      ],
      ...[pagePathOf("wiki/WIKI/Words"), pagePathOf("wiki/WIKI/Long"), pagePathOf("wiki/INFO/CON")],
    ].map((path) => [mode, path] as const),
  ),
  ["server", "changes/old1.html"],
  ["server", "changes/old1/guide/50.html"],
  ["server", "changes/old1/guide/51.html"],
  ["server", "changes/old1/guide/1.html"],
];

describe.each(PAGES)("the page %s %s", (mode, path) => {
  let page: MadePage;
  beforeAll(async () => {
    page = await madePage([{ items: NOW, contents: HOSTILE_MEDIA }, { items: BEFORE }], path, mode);
  });

  it("is there", () => {
    expect(page.status).toBe(path === "nowhere.html" ? 404 : 200);
  });

  it("has one heading of the first level, and no level left out", () => {
    const levels = page.all("h1", "h2", "h3", "h4", "h5", "h6").map(({ tagName }) => Number(tagName.slice(1)));
    expect(levels.filter((level) => level === 1)).toEqual([1]);
    expect(levels[0]).toBe(1);
    const skips = levels.filter((level, at) => level > (levels[at - 1] ?? 0) + 1);
    expect(skips).toEqual([]);
  });

  it("holds nothing that runs, and no style of its own", () => {
    const scripts = page.all("script");
    expect(scripts.map((script) => script.children)).toEqual(scripts.map(() => []));
    expect(
      scripts.every((script) =>
        /^(?:\.\.\/)*assets\/[a-z-]+\.js(?:\?[0-9a-f]{8})?$/.test(attribute(script, "src") ?? ""),
      ),
    ).toBe(true);
    expect(page.all("style", "iframe", "object", "embed", "base", "form", "applet", "frame")).toEqual([]);
    expect(
      page
        .all()
        .filter(({ properties }) => Object.keys(properties).some((name) => /^(?:on|style$|srcdoc$)/i.test(name))),
    ).toEqual([]);
  });

  it("loads from its own place alone, and leads elsewhere only by addresses of the web, telling nothing", () => {
    for (const each of page.all("img", "video", "audio", "script", "source", "link"))
      for (const name of ["src", "href", "poster", "srcSet"]) expect(attribute(each, name) ?? "").toMatch(OWN);
    for (const link of page.all("a")) {
      const href = attribute(link, "href") ?? "";
      if (OWN.test(href)) continue;
      expect(href).toMatch(/^(?:https?:\/\/|mailto:|tel:)/);
      if (href.startsWith("http")) expect(String(link.properties["rel"] ?? "")).toContain("noreferrer");
    }
  });

  it("names each place once, and points at places that are there", () => {
    const ids = page.all().flatMap((each) => attribute(each, "id") ?? []);
    expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
    const labels = page.all().flatMap((each) => pointers(each));
    expect(labels.filter((label) => !ids.includes(label))).toEqual([]);
  });

  it("has no link or button inside of another, nor two landmarks of one name", () => {
    const PRESSED = ["a", "button", "summary"];
    const inside = page.all(...PRESSED).flatMap((each) => elementsOf(each).map(({ tagName }) => tagName));
    expect(inside.filter((name) => PRESSED.includes(name))).toEqual([]);
    const names = page.all("nav", "section").flatMap((each) => nameOf(each, page) ?? []);
    expect(names.filter((name, at) => names.indexOf(name) !== at && !/^Step /.test(name))).toEqual([]);
  });

  it("is for no search engine, and says on paper where it came from", () => {
    const robots = page.all("meta").find((meta) => attribute(meta, "name") === "robots");
    expect(robots && attribute(robots, "content")).toContain("noindex");
    const [printed = ""] = ofClass(page, "printed").map(wordsOf);
    expect(printed).toContain("Weavers");
    expect(printed).toContain("https://old.example");
    expect(printed.includes("as of")).toBe(mode === "server");
  });

  it("has a policy that allows nothing from elsewhere", () => {
    const [policy = ""] = page
      .all("meta")
      .flatMap((meta) => (attribute(meta, "httpEquiv") === undefined ? [] : (attribute(meta, "content") ?? "")));
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/unsafe|https?:|\*|data:/);
  });
});

/** Relative to the page. A colon before the first slash would be a scheme. */
const OWN = /^(?!\/|[^/?#]*:)/;

/** What it is called by those who can't see it. */
function nameOf(element: Element, page: MadePage): string | undefined {
  const label = attribute(element, "ariaLabelledBy");
  const heading = label === undefined ? undefined : page.all().find((each) => attribute(each, "id") === label);
  return heading === undefined ? attribute(element, "ariaLabel") : wordsOf(heading).replace(/\s+/g, " ").trim();
}

function pointers({ properties }: Element): readonly string[] {
  return ["ariaLabelledBy", "ariaControls", "htmlFor"].flatMap((name) =>
    [properties[name]].flat().flatMap((value) => (typeof value === "string" ? value.split(" ") : [])),
  );
}
