import { describe, expect, it } from "vitest";
import { SAMPLE_SITE, startService } from "../service.js";

describe("releases", () => {
  it("come out at once or on their day, can be changed and cancelled while they wait, by their author or an admin", async () => {
    let now = 1_000_000;
    const { send, get, sandbox, makeGuide } = await startService({ now: () => now * 1000 });
    await makeGuide();
    for (const body of [{}, { guideid: 9 }, { guideid: 1, langid: "de" }]) {
      expect((await send("POST", "/guides/releases", body)).status).toBe(422);
    }
    expect((await send("POST", "/guides/releases", { guideid: 1 })).body).toMatchObject({
      releaseid: 1,
      status: "released",
      type: "major",
      title: "1.0",
      publish_date: now,
    });
    const waiting = { guideid: 1, title: "1.1", type: "minor", release_date: now + 500 };
    expect((await send("POST", "/guides/releases", waiting)).body.status).toBe("pending");
    sandbox.edit.createWiki({ namespace: "WIKI", title: "Rules", contents: "" });
    expect((await send("PATCH", "/guides/releases/2", { notes: "Soon." })).body["notes"]).toBe("Soon.");
    expect((await send("DELETE", "/guides/releases/1")).status).toBe(422);
    expect((await send("DELETE", "/guides/releases/9")).status).toBe(404);
    now += 500;
    expect((await get("/guides/1/releases")).body).toMatchObject([
      { releaseid: 2, status: "released" },
      { releaseid: 1 },
    ]);
    const third = sandbox.edit.releaseGuide(1, { title: "2.0", release_date: now + 9 });
    expect((await send("DELETE", `/guides/releases/${third}`)).status).toBe(204);
    expect((await get("/guides/releases")).body["releases"]).toMatchObject([
      { releaseid: 1 },
      { releaseid: 2 },
      { releaseid: third, status: "cancelled" },
    ]);
  });

  it("can be the prerequisites of guides, on dozuki", async () => {
    const { send, get } = await startService({ site: SAMPLE_SITE });
    const body = { category: "Wren 40", type: "how-to", title: "Next" };
    const needs = (guideid: number, releaseid: number | null) => ({
      ...body,
      prerequisite_releases: [{ guideid, releaseid }],
    });
    for (const wrong of [needs(1, 77), needs(404, null)]) {
      expect((await send("POST", "/guides", wrong)).body.errors).toMatchObject([{ field: "prerequisite_releases" }]);
    }
    expect((await send("POST", "/guides", needs(1, 9))).body.prerequisites).toMatchObject([{ guideid: 1 }]);
    const { body: latest } = await send("POST", "/guides", needs(2, null));
    expect((await get(`/guides/${latest.guideid}`)).body.prerequisites).toMatchObject([{ guideid: 2 }]);
    const without = await startService({ site: SAMPLE_SITE, disabled: ["releases"] });
    expect((await without.send("POST", "/guides", needs(1, 9))).status).toBe(422);
    const ifixit = await startService({ dialect: "ifixit" });
    await ifixit.makeGuide();
    const foreign = { category: "Frames", type: "technique", prerequisite_releases: [] };
    expect((await ifixit.send("POST", "/guides", foreign)).status).toBe(422);
  });

  it("cannot be cancelled by others", async () => {
    const { send, sandbox } = await startService({ site: SAMPLE_SITE });
    const release = sandbox.edit.releaseGuide(2, { release_date: 9_999_999_999 });
    expect((await send("DELETE", `/guides/releases/${release}`, undefined, sandbox.tokenOf(5))).status).toBe(403);
    expect((await send("POST", "/guides/releases", { guideid: 2 }, sandbox.tokenOf(11))).status).toBe(403);
  });
});
