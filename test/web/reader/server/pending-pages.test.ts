import { describe, expect, it } from "vitest";
import { PendingPages } from "../../../../src/web/reader/server/open-snapshots.js";
import { withResolvers } from "../../../helpers/with-resolvers.js";

describe("work in the background", () => {
  it("goes on when nobody waits any more", async () => {
    const pages = new PendingPages();
    const page = withResolvers();
    const order: string[] = [];
    await pages.idle();
    const waiting = pages.during(async () => {
      await page.promise;
      order.push("page");
    });
    const background = pages.idle().then(() => order.push("background"));
    page.resolve();
    await Promise.all([waiting, background]);
    expect(order).toEqual(["page", "background"]);
  });

  it("goes on in the end also when somebody waits for it, and those who come later are waited for again", async () => {
    const pages = new PendingPages();
    const work = withResolvers();
    const page = pages.during(() => work.promise);
    await pages.idle();
    work.resolve();
    await page;
    await pages.idle();
    await expect(pages.during(() => Promise.reject(new Error("a defect")))).rejects.toThrow("a defect");
    await pages.idle();
  });
});
