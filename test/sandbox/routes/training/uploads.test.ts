import { createHash } from "node:crypto";
import { request } from "node:http";
import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import type { Answered } from "../../service.js";
import { packed, ROOT, type TrainingService, trainingService } from "./training-service.js";

/** A body as it is, under a content type. */
async function send(
  { sandbox }: TrainingService,
  path: string,
  type: string | null,
  body: Uint8Array | string,
): Promise<Pick<Answered, "status" | "body">> {
  const headers = { authorization: `api ${sandbox.token}`, ...(type === null ? {} : { "content-type": type }) };
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : new Uint8Array(body);
  const answer = await fetch(sandbox.url + path, { method: "POST", headers, body: bytes });
  return { status: answer.status, body: (await answer.json()) as Answered["body"] };
}

const form = (parts: string): string => `--b1\r\n${parts}\r\n--b1--\r\n`;
const FORM = "multipart/form-data; boundary=b1";
const part = (head: string, content = "x"): string => `Content-Disposition: form-data; ${head}\r\n\r\n${content}`;

describe("an upload", () => {
  it("is a form with the file, or the bytes with the name in the query, and is kept as size and sum", async () => {
    const service = await trainingService({ training: { looks: 0 } });
    const bytes = await packed();
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    const [one, other] = [
      await service.record(await service.draft("Form")),
      await service.record(await service.draft("Raw")),
    ];
    const started = await service.start(one, bytes, 'Knöten "and" bends.zip');
    expect(started.body["source"]).toEqual({ filename: 'Knöten "and" bends.zip', bytes: bytes.length });
    const raw = await send(service, `${other}/start/byUpload?file=b.zip`, "application/zip", bytes);
    expect(raw).toMatchObject({ status: 200, body: { status: "running", source: { filename: "b.zip" } } });
    expect([await service.looks(one, 1), await service.looks(other, 1)]).toEqual([["complete"], ["complete"]]);
    const version = { version: 1, sha256, status: "complete", isCurrent: false };
    expect(service.sandbox.namedState().modules).toEqual([
      { title: "Form", draft: "Form", versions: [{ ...version, source: 'Knöten "and" bends.zip' }] },
      { title: "Raw", draft: "Raw", versions: [{ ...version, source: "b.zip" }] },
    ]);
  });

  it.each<readonly [what: string, query: string, type: string | null, body: string, status: number, field: string]>([
    ["no name", "", "application/zip", "x", 422, "file"],
    ["an empty name", "?file=", null, "x", 422, "file"],
    ["another type", "?file=a.zip", "application/json", "{}", 422, "file"],
    ["no bytes", "?file=a.zip", "application/zip", "", 422, "file"],
    ["a plain field", "", FORM, form(part('name="file"')), 422, "file"],
    ["an empty file name", "", FORM, form(part('name="file"; filename=""')), 422, "file"],
    ["an empty file", "", FORM, form(part('name="file"; filename="a.zip"', "")), 422, "file"],
    ["another field", "", FORM, form(part('name="package"; filename="a.zip"')), 422, "package"],
    ["a part with no name", "", FORM, form(part('filename="a.zip"')), 400, ""],
    ["a part that is no field", "", FORM, form("Content-Type: application/zip\r\n\r\nx"), 400, ""],
    ["another boundary", "", FORM, `--b2\r\n${part('name="file"; filename="a.zip"')}\r\n--b2--`, 400, ""],
    ["half an end", "", FORM, `--b1\r\n${part('name="file"; filename="a.zip"')}\r\n--b1`, 400, ""],
    ["no end", "", FORM, `--b1\r\n${part('name="file"; filename="a.zip"')}`, 400, ""],
    ["two parts", "", FORM, form(`${part('name="file"; filename="a"')}\r\n--b1\r\n${part('name="b"')}`), 400, ""],
    ["a long head", "", FORM, form(`X: ${"x".repeat(20_000)}\r\n${part('name="file"; filename="a"')}`), 400, ""],
    ["an empty form", "", FORM, "", 400, ""],
    ["no boundary", "", "multipart/form-data", "x", 422, "file"],
  ])("with %s is refused and leaves the import as it was", async (_what, query, type, body, status, field) => {
    const service = await trainingService({ training: { looks: 0 } });
    const path = await service.record(await service.draft("Knots"));
    const refused = await send(service, `${path}/start/byUpload${query}`, type, body);
    expect([refused.status, refused.body.errors?.[0].field ?? ""]).toEqual([status, field]);
    expect(await service.looks(path, 1)).toEqual(["created"]);
    expect((await service.start(path, await packed())).status).toBe(200);
  });

  it.each<readonly [problem: RegExp | "", standard: string | null, files: Record<string, string> | string]>([
    [/not a zip archive/, null, "no zip at all"],
    [/no manifest at its root/, null, { "course/imsmanifest.xml": "<manifest/>" }],
    [/no manifest at its root/, null, { "IMSMANIFEST.XML": "<manifest/>" }],
    ["", "SCORM12", { "imsmanifest.xml": "<manifest/>" }],
    ["", "SCORM20044THEDITION", { "imsmanifest.xml": "<schemaversion> 2004 4th Edition </schemaversion>" }],
    ["", "SCORM20042NDEDITION", { "imsmanifest.xml": "<schemaversion>CAM 1.3</schemaversion>" }],
    ["", "CMI5", { "imsmanifest.xml": "<manifest/>", "cmi5.xml": "<courseStructure/>" }],
    ["", "XAPI", { "tincan.xml": "<tincan/>" }],
    ["", "AICC", { "COURSE.CRS": "[Course]" }],
  ])("is looked into when its job ends: %s %s", async (problem, standard, files) => {
    const { draft, record, start, progress } = await trainingService({ training: { looks: 0 } });
    const path = await record(await draft("Knots"));
    const bytes = typeof files === "string" ? Buffer.from(files) : await packed(files);
    expect((await start(path, bytes)).body.status).toBe("running");
    expect(await progress(path)).toMatchObject({
      status: problem === "" ? "complete" : "error",
      message: problem === "" ? "" : expect.stringMatching(problem),
      learningStandard: standard,
    });
  });

  it("above the limit of the site gets 413 when all of it was read", async () => {
    const bytes = await packed({ "imsmanifest.xml": "<manifest/>", "a.bin": "A".repeat(100) });
    const service = await trainingService({ training: { looks: 0, maxBytes: bytes.length } });
    const path = await service.record(await service.draft("Knots"));
    const larger = Buffer.alloc(20_000_000);
    expect((await service.start(path, larger)).status).toBe(413);
    expect((await send(service, `${path}/start/byUpload?file=a.zip`, null, larger)).status).toBe(413);
    expect((await service.start(path, Buffer.concat([bytes, Buffer.alloc(1)]))).status).toBe(413);
    expect(await service.looks(path, 1)).toEqual(["created"]);
    expect((await service.start(path, bytes)).status).toBe(200);
    expect(await service.looks(path, 1)).toEqual(["complete"]);
  });

  it("that is refused is read to its end first", async () => {
    const service = await trainingService();
    const { url, token } = service.sandbox;
    const path = await service.running("Knots");
    let isSent = false;
    const body = Readable.from(
      (async function* () {
        for (let piece = 0; piece < 600; piece += 1) yield Buffer.alloc(100_000);
        isSent = true;
      })(),
    );
    const headers = { authorization: `api ${token}`, "content-type": "application/zip" };
    const init = { method: "POST", headers, body: Readable.toWeb(body), duplex: "half" } as const;
    const answer = await fetch(`${url}${path}/start/byUpload?file=a.zip`, init as RequestInit);
    expect([answer.status, isSent]).toEqual([422, true]);
  });

  it("that breaks off leaves the import as it was", async () => {
    const service = await trainingService({ training: { looks: 0 } });
    const path = await service.record(await service.draft("Knots"));
    for (const type of [FORM, "application/zip"]) {
      await brokenOff(service, `${path}/start/byUpload?file=a.zip`, type);
      expect(await service.looks(path, 2)).toEqual(["created", "created"]);
    }
    expect((await service.start(path, await packed())).status).toBe(200);
  });

  it("of which two come at once starts the import once", async () => {
    const service = await trainingService({ training: { looks: 0 } });
    const path = await service.record(await service.draft("Knots"));
    const bytes = await packed();
    const answers = await Promise.all(["a.zip", "b.zip", "c.zip"].map((name) => service.start(path, bytes, name)));
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 422, 422]);
    const winner = answers.find(({ status }) => status === 200)?.body["source"];
    expect((await service.progress(path))["source"]).toEqual(winner);
  });
});

describe("a fault of an upload", () => {
  it.each([413, 422, 429, 502])("of status %i comes before or after the start", async (status) => {
    for (const applied of [false, true]) {
      const { draft, record, start, looks, sandbox } = await trainingService({ training: { looks: 1 } });
      sandbox.faults.inject({ kind: "status", status, applied, retryAfter: 1 }, { path: /byUpload$/ });
      const path = await record(await draft("Knots"));
      expect((await start(path, await packed())).status).toBe(status);
      expect(await looks(path, 2)).toEqual(applied ? ["running", "complete"] : ["created", "created"]);
    }
  });

  it("resets the connection before or after the start", async () => {
    for (const applied of [false, true]) {
      const { draft, record, start, looks, sandbox } = await trainingService({ training: { looks: 1 } });
      sandbox.faults.inject({ kind: "reset", applied }, { path: /byUpload$/ });
      const path = await record(await draft("Knots"));
      await expect(start(path, Buffer.alloc(3_000_000))).rejects.toThrow("fetch failed");
      expect(await looks(path, 1)).toEqual([applied ? "running" : "created"]);
    }
  });

  it("stalls with the start done, which the site remembers", async () => {
    const { draft, record, start, looks, sandbox } = await trainingService({ training: { looks: 0 } });
    const path = await record(await draft("Knots"));
    const bytes = await packed();
    const reached = new Promise<void>((resolve) => {
      sandbox.faults.inject({ kind: "stall", applied: true, reached: resolve }, { path: /byUpload$/ });
    });
    const stalled = expect(start(path, bytes)).rejects.toThrow("fetch failed");
    await reached;
    expect(await looks(path, 1)).toEqual(["complete"]);
    await sandbox.close();
    await stalled;
  });
});

/** Sends the head and a part of the body, waits until the site works on it, and goes away. */
async function brokenOff({ sandbox, get }: TrainingService, path: string, type: string): Promise<void> {
  const headers = { authorization: `api ${sandbox.token}`, "content-type": type, "content-length": "5000000" };
  const sending = request(sandbox.url + path, { method: "POST", headers });
  const failed = new Promise<void>((resolve) => sending.once("error", () => resolve()));
  const before = sandbox.recorded.length;
  sending.write(`--b1\r\n${part('name="file"; filename="a.zip"')}`);
  sending.write(Buffer.alloc(200_000));
  while (sandbox.recorded.length === before) await get(`${ROOT}/current`);
  sending.destroy();
  await failed;
}
