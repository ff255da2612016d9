import { expect, it } from "vitest";
import { SiteList } from "../../../src/training/import/import-run.js";

it("knows a title again of which only the beginning is kept, and no other one", () => {
  const title = "Safe  lifting of very long things ".repeat(20);
  const list = new SiteList([{ id: "7", title: title.slice(0, 500), currentImport: null }]);
  expect([list.alike(title), list.alike(`Un${title}`)]).toMatchObject([[{ id: "7" }], []]);
});
