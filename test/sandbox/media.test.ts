import { describe, expect, it } from "vitest";
import { generatedMp4, generatedPdf, generatedPng } from "../../src/sandbox/media-bytes.js";
import { startService } from "./service.js";

const IMAGES = "/user/media/images?file=";
const UPLOADS = "/user/media/uploads?file=";

/** What is uploaded and refused with 422. */
const REFUSED: readonly (readonly [name: string, path: string, bytes: Uint8Array])[] = [
  ["no name", "/user/media/images", generatedPng("a")],
  ["an extension that is not on the list", `${UPLOADS}run.exe`, generatedPng("a")],
  ["a document as an image", `${IMAGES}a.pdf`, generatedPdf("a")],
  ["no bytes", `${IMAGES}a.png`, new Uint8Array()],
  ["bytes that are no image", `${IMAGES}a.png`, generatedPdf("a")],
  ["an image of 49 x 50", `${IMAGES}a.png`, generatedPng("a", 49, 50)],
  ["an image of 50 x 49", `${IMAGES}a.png`, generatedPng("a", 50, 49)],
  ["more than 80 MB", `${IMAGES}a.png`, Buffer.concat([generatedPng("a"), Buffer.alloc(80 * 1024 * 1024)])],
  ["a video of 479 x 360", `${UPLOADS}a.mp4`, generatedMp4("a", 479, 360)],
  ["a video of 480 x 359", `${UPLOADS}a.mp4`, generatedMp4("a", 480, 359)],
  ["an unknown crop", `${IMAGES}a.png&cropToRatio=TWO_ONE`, generatedPng("a")],
];

describe("media", () => {
  it.each(REFUSED)("refuses %s", async (_name, path, bytes) => {
    const { upload, sandbox } = await startService();
    expect((await upload(path, bytes)).status).toBe(422);
    expect(sandbox.state().media).toEqual([]);
  });

  it("keeps an uploaded image byte for byte, in the manager under its name, and serves every rendition", async () => {
    const { upload, get } = await startService();
    const bytes = generatedPng("a", 50, 50);
    const { status, body } = await upload(`${IMAGES}chisel.png`, bytes);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      srcid: null,
      width: 50,
      height: 50,
      ratio: "ONE_ONE",
      markup: null,
      exif: { FileName: "chisel.png" },
    });
    for (const size of ["mini", "large", "original"] as const) {
      const response = await fetch(body.image[size]);
      expect(response.headers.get("content-type")).toBe("image/png");
      expect(Buffer.from(await response.arrayBuffer())).toEqual(bytes);
    }
    expect((await get(`/media/images/${body.image.guid}`)).body).toEqual(body);
    expect((await get("/user/media/images")).body).toEqual([body]);
    expect((await get("/user/media/images?minWidth=51")).body).toEqual([]);
    expect((await get("/user/media/current")).body).toMatchObject([
      { type: "GuideImage", imageid: body.image.id, filename: "chisel.png" },
    ]);
    expect((await get("/media/images/999")).status).toBe(404);
  });

  it("serves what was uploaded after another file was asked for", async () => {
    const { upload } = await startService();
    for (const name of ["a", "b"]) {
      const bytes = generatedPng(name, 50, 50);
      const { body } = await upload(`${IMAGES}${name}.png`, bytes);
      expect(Buffer.from(await (await fetch(body.image.original)).arrayBuffer())).toEqual(bytes);
    }
  });

  it("keeps nothing of an upload that broke off", async () => {
    const { sandbox } = await startService();
    const broken = new ReadableStream({
      pull: (controller) => {
        controller.enqueue(generatedPng("a").subarray(0, 100));
        controller.error(new Error("broken off"));
      },
    });
    const headers = { authorization: `api ${sandbox.token}` };
    const sent = fetch(`${sandbox.url}${IMAGES}a.png`, { method: "POST", headers, body: broken, duplex: "half" });
    await expect(sent).rejects.toThrow();
    expect(sandbox.state().media).toEqual([]);
  });

  it("makes an uploaded video ready after it was asked about, and attaches it as object to read it as video", async () => {
    const { upload, get, makeGuide, makeStep } = await startService({ videoPolls: 2 });
    const { id } = (await upload(`${UPLOADS}saw.mp4`, generatedMp4("saw"))).body;
    const path = `/user/media/GuideVideoObject/${id}`;
    const ready: unknown[] = [];
    for (let poll = 0; poll < 3; poll += 1) ready.push((await get(path)).body.isReady);
    expect(ready).toEqual([false, false, true]);
    await makeGuide();
    const { steps } = await makeStep(1, { media: { type: "object", data: id } });
    expect(steps[0].media).toMatchObject({ type: "video", data: { videoid: id, objectid: id, filename: "saw.mp4" } });
    const [encoding] = steps[0].media.data.encodings;
    expect(Buffer.from(await (await fetch(encoding.url)).arrayBuffer())).toEqual(generatedMp4("saw"));
    expect((await get("/user/media/Film/1")).status).toBe(400);
    expect((await get("/user/media/GuideVideoObject/99")).status).toBe(404);
  });

  it("shows no encodings of a video that is not ready", async () => {
    const { upload, get } = await startService();
    const { id } = (await upload(`${UPLOADS}saw.mov`, generatedMp4("saw"))).body;
    expect((await get(`/media/videos/${id}`)).body).toMatchObject({ encodings: [], meta: { state: "processing" } });
    await get(`/user/media/GuideVideoObject/${id}`);
    expect((await get(`/media/videos/${id}`)).body).toMatchObject({
      encodings: [{ format: "mp4" }],
      meta: { state: "finished" },
    });
  });

  it("puts documents on guides and wikis, features one of them, and shows an unattached one to admins only", async () => {
    const { upload, get, makeGuide, makeWiki, sandbox } = await startService();
    const { id } = (await upload(`${UPLOADS}plan.pdf`, generatedPdf("plan"))).body;
    expect((await get(`/media/documents/${id}`, null)).status).toBe(403);
    expect((await get(`/media/documents/${id}`)).body).toMatchObject({
      documentid: id,
      filename: "plan.pdf",
      type: "Document",
    });
    await makeWiki("WIKI", "Plans", { documents: [{ documentid: id }] });
    const guide = await makeGuide({ documents: [id], featured_documentid: id });
    const [document] = guide.documents;
    expect(document).toMatchObject({ documentid: id, text: "plan.pdf", extension: "pdf" });
    expect(guide.featured_documentid).toBe(id);
    for (const address of [document.download_url, sandbox.origin + document.url]) {
      expect(Buffer.from(await (await fetch(address)).arrayBuffer())).toEqual(generatedPdf("plan"));
    }
    expect((await get(`/media/documents/${id}`, null)).status).toBe(200);
  });

  it("answers ranges, conditions and HEAD like a CDN, without a login", async () => {
    const { upload } = await startService({ private: true, mediaOrigin: "other-port" });
    const bytes = generatedPng("a");
    const { image } = (await upload(`${IMAGES}a.png`, bytes)).body;
    const whole = await fetch(image.original, { method: "HEAD" });
    expect(whole.headers.get("content-length")).toBe(String(bytes.length));
    const etag = whole.headers.get("etag") ?? "";
    const part = await fetch(image.original, { headers: { range: "bytes=100-", "if-match": etag } });
    expect(part.status).toBe(206);
    expect(part.headers.get("content-range")).toBe(`bytes 100-${bytes.length - 1}/${bytes.length}`);
    expect(Buffer.from(await part.arrayBuffer())).toEqual(bytes.subarray(100));
    const status = async (headers: Readonly<Record<string, string>>) =>
      (await fetch(image.original, { headers })).status;
    expect(await status({ range: `bytes=${bytes.length}-` })).toBe(416);
    expect(await status({ range: "bytes=0-1", "if-range": '"other"' })).toBe(200);
    expect(await status({ "if-match": '"other"' })).toBe(412);
    expect(await status({ "if-none-match": etag })).toBe(304);
    expect((await fetch(image.original.replace(/[^/]+$/, "unknown.full"))).status).toBe(404);
  });

  it("serves media from another origin when asked to", async () => {
    const { sandbox, upload } = await startService({ mediaOrigin: "other-port" });
    const { image } = (await upload(`${IMAGES}a.png`, generatedPng("a"))).body;
    expect(sandbox.mediaOrigin).not.toBe(sandbox.origin);
    expect(image.original.startsWith(`${sandbox.mediaOrigin}/media/`)).toBe(true);
    expect((await fetch(`${sandbox.mediaOrigin}/api/2.0/guides`)).status).toBe(404);
  });

  it("hides an image that is in no content that the caller can see", async () => {
    const { upload, get, makeGuide } = await startService();
    const { image } = (await upload(`${IMAGES}a.png`, generatedPng("a"))).body;
    const seen = async (id: number) => (await get(`/media/images/${id}`, null)).status;
    expect(await seen(image.id)).toBe(403);
    const guide = await makeGuide({ public: true, image: image.id, introduction: `[image|${image.id}]` });
    expect([await seen(image.id), await seen(guide.image.id)]).toEqual([200, 200]);
  });

  it("copies somebody else's image into the caller's manager, after which it can be attached", async () => {
    const { upload, send, get } = await startService();
    const { image } = (await upload(`${IMAGES}a.png`, generatedPng("a"))).body;
    expect((await send("POST", `/user/media/images/${image.guid}`)).body.image.id).toBe(image.id);
    expect((await send("DELETE", `/user/media/images/${image.id},98,99`)).status).toBe(204);
    expect((await get("/user/media/images")).body).toEqual([]);
    const copy = await send("POST", `/user/media/images/${image.id}`);
    expect(copy.body.image.id).not.toBe(image.id);
    expect((await get("/user/media/images")).body).toEqual([copy.body]);
    expect((await get(`/media/images/${image.id}`)).status).toBe(200);
  });
});
