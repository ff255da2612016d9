import { describe, expect, it } from "vitest";
import { fileAnchor } from "../../../../src/web/reader/page-path.js";
import { mediaItem } from "../../../helpers/items.js";
import { attribute, madePage, wordsOf } from "./helpers/made-page.js";

describe("the page of files", () => {
  it("has a row for every document, which the search leads to", async () => {
    const documents = Array.from({ length: 350 }, (_, at) =>
      mediaItem("document", at + 1, { fileName: `plan-${at + 1}.pdf` }),
    );
    const page = await madePage([{ items: documents }], "documents.html");
    const rows = page.all("li").filter((row) => (attribute(row, "id") ?? "").startsWith("document-"));
    expect(rows).toHaveLength(350);
    expect(new Set(rows.map((row) => attribute(row, "id")))).toEqual(
      new Set(documents.map(({ key }) => fileAnchor(key))),
    );
    const last = rows.filter((row) => attribute(row, "id") === "document-350").map(wordsOf);
    expect(last).toEqual([expect.stringContaining("plan-350.pdf")]);
  });
});
