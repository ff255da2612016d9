import { describe, expect, it } from "vitest";
import { z } from "zod";
import {
  bytes,
  COMMENTS,
  FILES,
  GUIDES,
  json,
  LINES,
  SITE,
  STEPS,
  TAGS,
  TEXTS,
  WIKIS,
  wikiPage,
} from "./site-folder.js";

const everything = Object.values(TEXTS).flat().join("\n");
const handbook = wikiPage("WIKI", "Loomworks Handbook").contents_raw;

/** Forms of a reference, and the texts that each must stand in. */
const REFERENCES: readonly (readonly [form: string, pattern: RegExp, places: string])[] = [
  ["[guide|id|label]", /\[guide\|\d+\|[^\]|=]+\]/, "introduction conclusion line wiki comment"],
  ["[guide|id]", /\[guide\|\d+\]/, "introduction conclusion line wiki"],
  ["[guide|…|stepid=]", /\[guide\|\d+\|[^\]]*\|stepid=\d+\]/, "introduction line"],
  ["[guide|…|new_window=true]", /\[guide\|\d+\|[^\]]+\|new_window=true\]/, "conclusion"],
  ["[guide|id|new_window=true] alone", /^\[guide\|\d+\|new_window=true\]$/m, "wiki"],
  ["[[Title]]", /\[\[[^\]|:]+\]\]/, "introduction wiki"],
  ["[[Title|label]]", /\[\[[^\]|:#]+\|[^\]]+\]\]/, "introduction line wiki"],
  ["[[Title_with_underscores]]", /\[\[[^\]| ]+_[^\]]+\]\]/, "wiki"],
  ["[[Page#Section_…]]", /\[\[[^\]|]+#Section_\w+\|/, "introduction wiki"],
  ["[[Category:…]]", /\[\[Category:/, "conclusion wiki"],
  ["[[Topic:…]]", /\[\[Topic:/, "conclusion"],
  ["[[Item:…]]", /\[\[Item:/, "introduction line wiki"],
  ["[[Info:…]]", /\[\[Info:/, "wiki"],
  ["[[User:…]] and [[Team:…]]", /\[\[User:[\s\S]*\[\[Team:|\[\[Team:[\s\S]*\[\[User:/, "introduction wiki"],
  ["[image|id|size=…]", /\[image\|\d+\|[^\]]*size=\w+\]/, "introduction conclusion line wiki"],
  ["[document|id|name]", /\[document\|\d+\|[^\]]+\]/, "introduction conclusion line wiki"],
  ["[video|id]", /\[video\|\d+\]/, "introduction wiki"],
  ["[video|url]", /\[video\|https:\/\/[^\]]+\]/, "introduction wiki"],
  ["[product|code|label]", /\[product\|[\w-]+\|[^\]]+\]/, "introduction line wiki"],
  ["[product|code]", /\[product\|[\w-]+\]/, "introduction"],
  ["[mailto|…|label]", /\[mailto\|[^\]|]+\|[^\]]+\]/, "introduction line"],
  ["[mailto|…]", /\[mailto\|[^\]|]+\]/, "introduction wiki"],
  ["[url|label|new_window=true]", /\[https:\/\/[^\]|]+\|[^\]]+\|new_window=true\]/, "wiki"],
  ["[link|url]", /\[link\|https:[^\]|]+\]/, "wiki"],
  ["[link|/path|label]", /\[link\|\/[^\]|]+\|[^\]]+\]/, "introduction"],
  ["[/path|label]", /\[\/[^\]|]+\|[^\]]+\]/, "introduction"],
  ["[own address#s…|label]", /\[https:\/\/loomworks\.example\/Guide\/[^\]|]+#s\d+\|/, "introduction"],
  ["own /Guide/ address", /(?<!\[)https:\/\/loomworks\.example\/Guide\/\S+\/\d+/, "introduction line"],
  ["own /c/ address", /https:\/\/loomworks\.example\/c\/\w+/, "introduction wiki"],
  ["own /Wiki/ address", /https:\/\/loomworks\.example\/Wiki\/\w+/, "introduction wiki"],
  ["own /Item/ address", /https:\/\/loomworks\.example\/Item\/\w+/, "conclusion line"],
  ["own /Document/ address", /https:\/\/loomworks\.example\/Document\/\w+\//, "introduction"],
  ["own API address, now and before", /\/api\/2\.0\/guides\/\d+[\s\S]*\/api\/1\.1\/guide\/\d+/, "introduction"],
  ["own address as a label", /\[https:\/\/loomworks\.example\/[^\]|]+\|https:\/\/loomworks\.example\//, "introduction"],
  ["bare address elsewhere, over 40 characters", /(?<![[|])https:\/\/(?!loomworks)[^\s\]]{33,}/, "conclusion wiki"],
  ["[guidelist|…]", /\[guidelist\|tags=[^\]]+\]/, "wiki"],
];

/** References by number, what there is, and what must be missing. */
const goals: readonly (readonly [
  kind: string,
  pattern: RegExp,
  there: readonly number[],
  missing: readonly number[],
])[] = [
  ["guide", /\[guide\|(\d+)/g, GUIDES.map(({ guideid }) => guideid), [13, 404]],
  ["step", /stepid=(\d+)/g, STEPS.map(({ stepid }) => stepid), [9999]],
  ["image", /\[image\|(\d+)/g, details("images"), [997, 998, 999]],
  ["document", /\[document\|(\d+)/g, details("documents"), [77]],
  ["video", /\[video\|(\d+)\]/g, details("videos"), [88]],
  ["step anchor", /#s(\d+)/g, STEPS.map(({ stepid }) => stepid), []],
  ["own guide address", /loomworks\.example\/Guide\/[^\s\]|]+\/(\d+)/g, GUIDES.map(({ guideid }) => guideid), [13]],
];

describe("the texts of samples/site", () => {
  it.each(REFERENCES)("refer by %s", (_form, pattern, places) => {
    for (const place of places.split(" ")) {
      expect(
        TEXTS[place]?.some((text) => pattern.test(text)),
        place,
      ).toBe(true);
    }
  });

  it.each(goals)("dangle in the %s references that are meant to and in no other", (_kind, pattern, there, missing) => {
    const found = [...everything.matchAll(pattern)].map((match) => Number(match[1]));
    expect(found.some((id) => there.includes(id))).toBe(true);
    expect([...new Set(found.filter((id) => !there.includes(id)))].toSorted((a, b) => a - b)).toEqual(missing);
  });

  it("show a dead guide reference as the site does, its label lost", () => {
    const dead = LINES.find(({ text_raw }) => text_raw.includes("[guide|13|"));
    expect(dead?.text_rendered).toContain("[invalid guide link]");
    expect(dead?.text_rendered).not.toContain("a page we deleted");
  });

  it("stand at each limit of the service, and never above", () => {
    expect(longest(LINES.map(({ text_raw }) => text_raw))).toBe(350);
    expect(longest(GUIDES.map(({ summary }) => summary))).toBe(155);
    expect(longest(GUIDES.map(({ title }) => title))).toBe(85);
    expect(longest(STEPS.map(({ title }) => title))).toBe(69);
    expect(longest(TAGS)).toBe(32);
    expect(Math.max(...GUIDES.map((guide) => guide.introduction_raw.split("\n").length))).toBe(49);
    expect(Math.max(...STEPS.map(({ lines }) => lines.length))).toBe(8);
    expect(Math.min(...STEPS.map(({ lines }) => lines.length))).toBe(1);
    for (const { lines } of STEPS) {
      expect(lines.every(({ level }, index) => level <= (lines[index - 1]?.level ?? -1) + 1)).toBe(true);
    }
    const lengths = COMMENTS.map(({ text_raw }) => [...text_raw].length);
    expect(lengths.every((length) => length >= 12 && length <= 4096)).toBe(true);
  });

  it("hold a line of 348 characters whose reference grows with a longer id", () => {
    expect(LINES.filter(({ text_raw }) => [...text_raw].length === 348 && text_raw.includes("[guide|9|"))).toHaveLength(
      1,
    );
  });

  it.each([
    ["inch marks", "3/4''"],
    ["straight quotes", '"up"'],
    ["brackets that are no markup", "[2], [3]"],
    ["a typed entity", "&amp;amp;"],
    ["a typed blank", "&nbsp;"],
    ["a blank that does not break", "\u00a0"],
    ["a percent sign", "100% wool"],
    ["angle brackets", "<patience>"],
    ["umlauts", "größer"],
    ["Chinese characters", "平織り"],
    ["an emoji", "🐦"],
    ["an emoji of several code points", "👩🏽‍🌾"],
    ["a backslash", "C:\\drafts"],
    ["braces", "{shaft}"],
    ["unpaired marks", "a -- b"],
  ])("hold %s", (_what, text) => {
    expect(everything).toContain(text);
  });

  it.each(["'''", "''", "'''''", "++", "~~", "^^", ",,", "``"])("use the mark %s", (mark) => {
    expect(everything).toContain(mark);
  });

  it.each([
    ["headings of levels 2 to 6", /^== [\s\S]*^=== [\s\S]*^==== [\s\S]*^===== [\s\S]*^====== /m],
    ["bullet lists of three depths", /^\* .*\n\*\* (.*\n)+?\*\*\* /m],
    ["numbered lists, nested", /^# .*\n## /m],
    ["mixed lists", /^# .*\n\*\* /m],
    ["a quote with a name", /^\[quote\|[^=\]]+\]$/m],
    ["a featured quote", /^\[quote\|format=featured\]$/m],
    ["a quote with markup in the name", /^\[quote\|'''\w+'''.*\|format=featured\]$/m],
    ["a block of code", /^\[code\]\n[\s\S]+\n\[\/code\]$/m],
    ["a forced break", /\[br\]\n/],
  ])("hold in the handbook %s", (_what, pattern) => {
    expect(handbook).toMatch(pattern);
  });

  it("begin with page macros in one case and define a flag in another", () => {
    const rules = wikiPage("WIKI", "House Rules").contents_raw;
    expect(rules).toMatch(/^\[title\|.+\]\n\[summary\].+\[\/summary\]\n\[summary_image\|\d+\]\n\[flag\|WIKI_\w+\]\n/);
    expect(wikiPage("INFO", "Flags").contents_raw).toMatch(/\[def_flag\n\|flagid=/);
    expect(WIKIS.some((one) => one["table_of_contents"] === true)).toBe(true);
  });

  it("name no address but those reserved for examples, and no maker that exists", () => {
    const all = FILES.filter((path) => path.endsWith(".json"))
      .map((path) => bytes(path).toString("utf8"))
      .join("\n");
    const hosts = [...all.matchAll(/https?:\/\/([^\s/"\\\]|?#)]+)/g)].map((match) => match[1] ?? "");
    expect(hosts.filter((host) => !host.endsWith(".example"))).toEqual([]);
    expect([...all.matchAll(/[\w.]+@([\w.]+)/g)].filter((match) => !match[1]?.endsWith(".example"))).toEqual([]);
    expect(all).not.toMatch(/\b(ifixit|dozuki\.com|youtube|google|schacht|ashford|louet|kromski|texsolv|ikea)\b/i);
    expect(SITE.url).toBe("https://loomworks.example");
  });
});

function longest(texts: readonly string[]): number {
  return Math.max(...texts.map((text) => [...text].length));
}

function details(folder: string): readonly number[] {
  const paths = FILES.filter((path) => path.startsWith(`media/${folder}/`));
  for (const path of paths) json(path, z.looseObject({}));
  return paths.map((path) => Number(/(\d+)\.json$/.exec(path)?.[1]));
}
