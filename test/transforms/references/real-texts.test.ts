import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { references } from "../../../transforms/references/references.js";
import { rewriteReferences } from "../../../transforms/references/rewrite-references.js";
import { optionsFor, sameName } from "./sites.js";

const DATA = join(import.meta.dirname, "../../../../shared/data");
const SITE = { origin: "https://opensourceecology.dozuki.com", hosts: [] };

/** Every string in a JSON value under a name that holds wiki text. */
function rawTexts(value: unknown, name = ""): readonly string[] {
  if (typeof value === "string") return name === "raw" || name.endsWith("_raw") ? [value] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) => rawTexts(part, Array.isArray(value) ? name : key));
}

function textsIn(folder: string): readonly string[] {
  const files = readdirSync(join(DATA, folder)).filter((file) => file.endsWith(".json"));
  return files.flatMap((file) => rawTexts(JSON.parse(readFileSync(join(DATA, folder, file), "utf8"))));
}

describe("real texts", { tags: ["shared"] }, () => {
  const texts = existsSync(DATA) ? [...textsIn("wiki"), ...textsIn("ose/guides")] : [];

  it("come back as the very same strings when every id stays", () => {
    expect(texts.length).toBeGreaterThan(2000);
    const options = optionsFor({}, { source: SITE, target: SITE, resolve: sameName });
    expect(texts.filter((text) => rewriteReferences(text, options).text !== text)).toEqual([]);
  });

  it("hold references of the kinds that their site is known to use", () => {
    const kinds = texts.flatMap((text) => references(text, SITE, "page")).map(({ form, kind }) => `${form} ${kind}`);
    expect(new Set(kinds)).toEqual(new Set(["link category", "macro guide", "macro image"]));
  });
});
