import { describe, expect, it } from "vitest";
import { EXIT, type FerryError } from "../../../src/core/errors.js";
import { readAnswer } from "../../../transforms/omanual/items/manual-items.js";

const file = "GET https://site.example/api/2.0/guides/12?type=XML";
const site = { origin: "https://site.example", hosts: ["site.example"] };
const GUIDE =
  '<guide xmlns="http://omanual.com/" locale="de"><title>Weben</title><introduction><p>Siehe ' +
  '<a href="https://site.example/Guide/Kette/7">die Kette</a>.</p></introduction></guide>';

describe("a service's XML answer", () => {
  it("is the item that was asked for, whatever the answer calls it", () => {
    const guide = readAnswer({ key: "guide/12@de", xml: GUIDE, file, site });
    expect(guide).toMatchObject({
      key: "guide/12@de",
      kind: "guide",
      body: { id: 12, language: "de", title: "Weben" },
    });
    const xml =
      '<category><category_info introduced="soon">Loom</category_info><tools><tool name="Hook"/></tools></category>';
    const category = readAnswer({ key: "category/Looms", xml, file, site });
    expect(category).toMatchObject({ key: "category/Looms", body: { title: "Looms" } });
    expect(category.issues.map(({ key, code }) => [key, code])).toEqual([["category/Looms", "category-tools"]]);
  });

  it("has links to pages of its site as links by id", () => {
    const { body } = readAnswer({ key: "guide/12", xml: GUIDE, file, site });
    expect(body).toMatchObject({ introduction: expect.stringContaining("[guide|7|die Kette") });
  });

  it.each([
    ["no XML", "{}", /^The XML of guide\/12 cannot be read\. GET \S+:1:1\b.* Expected: /],
    [
      "an answer that breaks off",
      GUIDE.slice(0, 80),
      /\?type=XML:1:\d+ in <introduction>: .* Run the same command again later/,
    ],
    [
      "an error in place of a guide",
      "<error><message>No.</message></error>",
      /:1:1: <error> is not the root of a manual/,
    ],
    ["another kind of manual", "<category><title>Looms</title></category>", /answers with a category\./],
  ])("that cannot be read says where and what to do: %s", (_name, xml, message) => {
    const read = () => readAnswer({ key: "guide/12", xml, file, site });
    expect(read).toThrow(message);
    expect(read).toThrow(expect.objectContaining<Partial<FerryError>>({ exitCode: EXIT.someFailed, retriable: false }));
  });
});
