import { describe, expect, it } from "vitest";
import { WaitingRoom } from "../../../../src/web/reader/server/open-times.js";
import { withResolvers } from "../../../helpers/with-resolvers.js";

describe("work in the background", () => {
  it("goes on when nobody waits any more", async () => {
    const room = new WaitingRoom();
    const page = withResolvers();
    const order: string[] = [];
    await room.empty();
    const waiting = room.during(async () => {
      await page.promise;
      order.push("page");
    });
    const background = room.empty().then(() => order.push("background"));
    page.resolve();
    await Promise.all([waiting, background]);
    expect(order).toEqual(["page", "background"]);
  });

  it("goes on in the end also when somebody waits for it, and those who come later are waited for again", async () => {
    const room = new WaitingRoom();
    const work = withResolvers();
    const page = room.during(() => work.promise);
    await room.empty();
    work.resolve();
    await page;
    await room.empty();
    await expect(room.during(() => Promise.reject(new Error("a defect")))).rejects.toThrow("a defect");
    await room.empty();
  });
});
