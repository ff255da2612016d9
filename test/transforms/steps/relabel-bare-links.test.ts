import { describe, expect, it } from "vitest";
import { guideItem, line, step, wikiItem } from "../../helpers/items.js";
import { contextOf, runTransform } from "./run-transform.js";

const CONTEXT = contextOf({
  "guide/2": "Weft",
  "guide/3": "Reed [a|b] '''c'''",
  "guide/4": " ",
  "category/My Loom": "My Loom",
  "wiki/INFO/Safety": "Safety",
  "document/9": "a.pdf",
});

function inContents(contents: string): string {
  const [item] = runTransform("relabel-bare-links", {}, wikiItem("WIKI", "Sheds", { contents }), CONTEXT).items;
  return item?.kind === "wiki" ? item.body.contents : "";
}

describe("relabel-bare-links", () => {
  it.each([
    ["See https://old.example/Guide/Slug/2.", "See [https://old.example/Guide/Slug/2|Weft]."],
    ["* [https://old.example/Guide/Slug/2#s5]", "* [https://old.example/Guide/Slug/2#s5|Weft]"],
    ["'''https://old.example/c/My_Loom'''", "'''[https://old.example/c/My_Loom|My Loom]'''"],
    ["[link|/Info/Safety|new_window=true]", "[link|/Info/Safety|Safety|new_window=true]"],
    [
      "[quote]\nhttps://old.example/Info/Safety\n[/quote]",
      "[quote]\n[https://old.example/Info/Safety|Safety]\n[/quote]",
    ],
  ])("labels %j with the title of its goal", (given, wanted) => {
    expect(inContents(given)).toBe(wanted);
    expect(inContents(wanted)).toBe(wanted);
  });

  it.each([
    "[https://old.example/Guide/Slug/2|my words] [guide|2] [[Info:Safety]]",
    "https://old.example/Guide/Slug/99 https://old.example/Guide/Slug/4",
    "https://other.example/Guide/Slug/2 https://old.example/Document/9/a https://old.example/Help",
    "[code]\nhttps://old.example/Guide/Slug/2\n[/code]",
    "no address",
  ])("leaves words that somebody chose, macros, and what has no title in the workspace: %s", (text) => {
    expect(inContents(text)).toBe(text);
  });

  it("keeps a title from becoming markup", () => {
    const label = /^\[https:\/\/old\.example\/Guide\/x\/3\|(.*)\]$/.exec(
      inContents("https://old.example/Guide/x/3"),
    )?.[1];
    expect(label?.replace(/\p{Cf}/gu, "")).not.toBe(label);
    expect(inContents(inContents("https://old.example/Guide/x/3"))).toBe(inContents("https://old.example/Guide/x/3"));
  });

  it("reports each text, and leaves a step's line bare when the label would make it too long", () => {
    const long = `${"x".repeat(311)} https://old.example/Guide/Slug/2`;
    const item = guideItem(1, { steps: [step(1, ["https://old.example/Guide/Slug/2", long])] });
    const { items, issues } = runTransform("relabel-bare-links", {}, item, CONTEXT);
    expect(items).toMatchObject([
      { body: { steps: [{ lines: [{ text: "[https://old.example/Guide/Slug/2|Weft]" }, { text: long }] }] } },
    ]);
    expect(issues.map(({ code, path }) => [code, path])).toEqual([
      ["link-relabelled", "steps[0].lines[0].text"],
      ["link-not-relabelled", "steps[0].lines[1].text"],
    ]);
    const plain = guideItem(1);
    expect(runTransform("relabel-bare-links", {}, plain, CONTEXT).items[0]).toBe(plain);
  });

  it("goes by the most characters that the target is known to take", () => {
    const text = `${"x".repeat(310)} https://old.example/Guide/Slug/2`;
    const item = guideItem(1, { steps: [step(1, [], { lines: [line({ text })] })] });
    const codes = (most: number) =>
      runTransform("relabel-bare-links", {}, item, { ...CONTEXT, lineLength: () => most }).issues;
    expect(codes(1000).map(({ code }) => code)).toEqual(["link-relabelled"]);
    expect(codes(345)).toMatchObject([
      { code: "link-not-relabelled", message: expect.stringContaining("than 345 char") },
    ]);
  });
});
