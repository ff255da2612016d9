import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { Branch } from "./site-folder.js";
import {
  bytes,
  COMMENTS,
  FILES,
  GUIDES,
  HIERARCHY,
  json,
  SITE,
  SUMMARIES,
  TAGS,
  WIKIS,
  wikiPage,
} from "./site-folder.js";

const branches = HIERARCHY.flatMap((one) => below(one));
const rows = z.array(z.looseObject({ name: z.string(), value: z.string() }));

describe("samples/site", () => {
  it("is JSON indented by two spaces that ends with a newline, and media, in less than 1.5 MB", () => {
    for (const path of FILES.filter((one) => one.endsWith(".json"))) {
      const text = bytes(path).toString("utf8");
      expect(text, path).toBe(`${JSON.stringify(JSON.parse(text), null, 2)}\n`);
    }
    expect(FILES.reduce((sum, path) => sum + bytes(path).length, 0)).toBeLessThan(1_500_000);
  });

  it("has a category tree of three levels, in an order that is not the alphabet's, with display titles", () => {
    const deep = HIERARCHY.some((one) => one.children?.some((two) => (two.children ?? []).length > 0));
    expect(deep).toBe(true);
    const orders = [HIERARCHY, ...branches.map(({ children }) => children ?? [])].map((some) =>
      some.map(({ title }) => title),
    );
    expect(orders.some((titles) => titles.length > 2 && titles.join() !== titles.toSorted().join())).toBe(true);
    expect(branches.filter((one) => one.display_title !== undefined).length).toBeGreaterThan(3);
  });

  it("gives the same tree as /categories, leaves being {}", () => {
    const tree = json("categories.json", z.record(z.string(), z.unknown()));
    expect(tree).toEqual(nested(HIERARCHY));
  });

  it("has a page for every category, with its parents, and for every guide a category", () => {
    const titles = branches.map(({ title }) => title);
    const pages = WIKIS.filter(({ namespace }) => namespace === "CATEGORY").map(({ title }) => title);
    expect(pages.toSorted()).toEqual(titles.toSorted());
    for (const { category } of GUIDES) expect(titles).toContain(category);
    const ancestors = z
      .array(z.looseObject({ title: z.string() }))
      .parse(wikiPage("CATEGORY", "Wren Frame")["ancestors"]);
    expect(ancestors.map(({ title }) => title)).toEqual(["Wren 40", "Looms"]);
    expect(titles.some((title) => title.includes('"'))).toBe(true);
  });

  it("has pages in all six namespaces, each with an id of its own", () => {
    const namespaces = new Set(WIKIS.map(({ namespace }) => namespace));
    expect(namespaces).toEqual(new Set(["CATEGORY", "WIKI", "INFO", "ITEM", "USER", "TEAM"]));
    expect(new Set(WIKIS.map(({ wikiid }) => wikiid)).size).toBe(WIKIS.length);
    expect(WIKIS.some(({ title }) => /[äöü]/.test(title))).toBe(true);
  });

  it("titles pages of people and teams by their ids", () => {
    const titles = (namespace: string) => WIKIS.filter((one) => one.namespace === namespace).map(({ title }) => title);
    expect(SITE.users.map(({ userid }) => String(userid))).toEqual(expect.arrayContaining(titles("USER")));
    expect(SITE.teams.map(({ teamid }) => String(teamid))).toEqual(expect.arrayContaining(titles("TEAM")));
  });

  it("has an item page for every part and tool without an address of its own, some with suppliers and info", () => {
    const things = GUIDES.flatMap(({ parts, tools }) => [...parts, ...tools]);
    for (const { text, url } of things) if (url.startsWith("/")) expect(wikiPage("ITEM", text).title).toBe(text);
    const items = WIKIS.filter(({ namespace }) => namespace === "ITEM");
    const suppliers = items.flatMap((one) => z.array(z.looseObject({ "part_#": z.string() })).parse(one["suppliers"]));
    expect(suppliers.length).toBeGreaterThan(3);
    expect(items.flatMap((one) => rows.parse(one["info"])).length).toBeGreaterThan(3);
  });

  it("has a category with info, flags, documents, image and tags, one with inherited info", () => {
    const wren = wikiPage("CATEGORY", "Wren 40");
    expect(rows.parse(wren["info"]).length).toBeGreaterThan(0);
    expect(Object.keys(wren.flags).length).toBeGreaterThan(0);
    expect(z.array(z.unknown()).parse(wren["documents"]).length).toBeGreaterThan(0);
    expect(wren.image).not.toBeNull();
    expect(wren.tags.length).toBeGreaterThan(0);
    expect(rows.parse(wikiPage("CATEGORY", "Wren Frame")["info"]).some((row) => "inheritedFrom" in row)).toBe(true);
  });

  it("lists every tag that is used, once, in the order of creation", () => {
    const used = [...WIKIS.flatMap(({ tags }) => tags), ...SUMMARIES.flatMap(({ tags }) => tags || [])];
    expect(TAGS.toSorted()).toEqual([...new Set(used)].toSorted());
    expect(TAGS).not.toEqual(TAGS.toSorted());
    for (const { guideid, tags } of SUMMARIES) {
      expect(json(`guides/${guideid}/tags.json`, z.array(z.string()))).toEqual(tags || []);
    }
  });

  it("has comments on a guide, a step and a wiki, one with a reply, the same as inside the guides", () => {
    expect(new Set(COMMENTS.map(({ context }) => context))).toEqual(new Set(["guide", "step", "wiki"]));
    const replies = COMMENTS.flatMap(({ commentid, replies }) => replies.map((one) => [commentid, one.parentid]));
    expect(replies.length).toBeGreaterThan(0);
    for (const [comment, parent] of replies) expect(parent).toBe(comment);
    const inside = GUIDES.flatMap((one) => [...one.comments, ...one.steps.flatMap(({ comments }) => comments)]);
    const listed = COMMENTS.filter(({ context }) => context !== "wiki");
    expect(inside.map(({ commentid }) => commentid).toSorted()).toEqual(listed.map(({ commentid }) => commentid));
    expect(COMMENTS.some((one) => one.modified_date === one.date)).toBe(true);
    expect(COMMENTS.some((one) => one.modified_date === 0)).toBe(true);
    expect(new Set(COMMENTS.map(({ status }) => status)).size).toBeGreaterThan(1);
  });

  it("holds the type traps of real answers", () => {
    const empty = wikiPage("CATEGORY", "Finishing");
    expect([empty.flags, empty["category_info"], empty["category_lists"], empty.image]).toEqual([[], [], [], null]);
    expect(empty["contents_json"]).toEqual({ type: "doc", content: [] });
    expect(WIKIS.some(({ namespace, revisionid }) => namespace === "CATEGORY" && revisionid === null)).toBe(true);
    expect(SUMMARIES.some(({ tags }) => tags === false)).toBe(true);
    expect(SITE.users.map((one) => one.about_raw)).toContain(false);
    expect(SITE.users.some((one) => typeof one.about_raw === "string")).toBe(true);
    expect(JSON.stringify(GUIDES.map((one) => one.introduction_json))).toContain('"attrs":[]');
  });
});

function below(branch: Branch): readonly Branch[] {
  return [branch, ...(branch.children ?? []).flatMap((one) => below(one))];
}

function nested(some: readonly Branch[]): Record<string, unknown> {
  return Object.fromEntries(some.map(({ title, children }) => [title, nested(children ?? [])]));
}
