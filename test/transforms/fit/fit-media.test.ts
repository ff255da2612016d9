import { describe, expect, it } from "vitest";
import type { Media } from "../../../src/core/model/item.js";
import { fitMedia } from "../../../transforms/fit/fit.js";
import { contextOf, mediaItem } from "./make.js";

/** Stored bytes, for what the rules look at. */
function content(size: number, type: string | null = null): Media["content"] {
  return { sha256: "0".repeat(64), size, type };
}

describe("fitMedia", () => {
  it.each([
    ["image", { fileName: "loom.JPG", width: 50, height: 50, content: content(80_000_000) }],
    ["image", { fileName: "loom", content: content(9, "image/webp") }],
    ["image", {}],
    ["video", { fileName: "loom.mov", width: 480, height: 360, content: content(900_000_000) }],
    ["document", { fileName: "loom.step", content: content(900_000_000) }],
  ] as const)("takes an %s such as %j", (kind, changes) => {
    const item = mediaItem(kind, changes);
    expect(fitMedia(item, contextOf())).toEqual({ item, issues: [], refused: [] });
    expect(fitMedia(item, contextOf()).item).toBe(item);
  });

  it.each([
    ["image", { fileName: "loom.svg" }, "upload-image-type fileName"],
    ["image", { content: content(9, "image/svg+xml") }, "upload-image-type fileName"],
    ["image", { content: content(80_000_001) }, "upload-too-large content.size"],
    ["image", { width: 49, height: 50 }, "upload-too-small width"],
    ["video", { width: 480, height: 359 }, "video-too-small width"],
  ] as const)("refuses an %s such as %j", (kind, changes, told) => {
    const item = mediaItem(kind, changes);
    for (const [policy, level] of [
      ["refuse", "error"],
      ["split", "loss"],
      ["trim", "loss"],
    ] as const) {
      const { item: fitted, issues, refused } = fitMedia(item, contextOf({ policy }));
      expect([fitted, issues]).toEqual([undefined, []]);
      expect(refused.map((issue) => `${issue.level} ${issue.key} ${issue.code} ${issue.path}`)).toEqual([
        `${level} ${kind}/5 ${told}`,
      ]);
    }
  });

  it("keeps to the site's own list of extensions, where it tells it", () => {
    const context = (extensions: readonly string[]) => contextOf({ limits: { extensions } });
    const plan = mediaItem("document", { fileName: "plan.pdf" });
    expect(fitMedia(plan, context(["jpg", "pdf"])).item).toBe(plan);
    expect(fitMedia(plan, context(["jpg"])).refused).toMatchObject([
      {
        code: "upload-extension",
        message: 'The site does not accept files of the type ".pdf" (accepted: jpg); it cannot be uploaded.',
      },
    ]);
    expect(fitMedia(plan, context([])).refused[0]?.message).toContain("(accepted: none)");
  });

  it("tells of everything that is wrong with an item", () => {
    const item = mediaItem("image", { fileName: "dot.svg", width: 1, height: 1, content: content(90_000_000) });
    expect(fitMedia(item, contextOf()).refused.map((issue) => issue.code)).toEqual([
      "upload-image-type",
      "upload-too-large",
      "upload-too-small",
    ]);
  });
});
