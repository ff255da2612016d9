import { describe, expect, it } from "vitest";
import { hostileItems } from "../helpers/hostile-items.js";
import { makeRepository } from "../helpers/repository.js";
import { crawl } from "./helpers/crawl.js";
import { servedReader } from "./helpers/served-reader.js";
import { AFTER, weavingSchool } from "./helpers/weaving-school.js";

describe("every link of the reader", () => {
  const school = servedReader(weavingSchool);
  const hostile = servedReader(async (folder) => {
    const maker = await makeRepository(folder);
    await maker.add({ snapshot: AFTER, items: hostileItems() });
    return folder;
  });

  it("leads to a page, a place in it, or a file", async () => {
    const { broken, pages } = await crawl(school.url);
    expect(broken).toEqual([]);
    expect(pages.length).toBeGreaterThan(40);
  });

  it("does so whatever items are called", async () => {
    const { broken, pages } = await crawl(hostile.url);
    expect(broken).toEqual([]);
    expect(pages.length).toBeGreaterThan(30);
  });
});
