import { expect, it } from "vitest";
import { localServer } from "../../../helpers/local-server.js";
import { packed, ROOT, trainingService } from "./training-service.js";

it("an address is fetched from this machine, and its bytes are judged as those of an upload", async () => {
  const bytes = await packed();
  const host = await localServer(({ path }, response) => {
    if (path.startsWith("/good.zip")) response.end(bytes);
    else if (path === "/page.zip") response.end("<html>The link has expired.</html>");
    else if (path === "/elsewhere.zip") response.writeHead(302, { location: "/good.zip" }).end();
    else if (path === "/large.zip") response.end(Buffer.alloc(bytes.length + 1));
    else response.writeHead(404).end();
  });
  const service = await trainingService({ training: { looks: 1, maxBytes: bytes.length } });
  const ends: unknown[] = [];
  for (const name of ["good.zip?signature=1", "page.zip", "elsewhere.zip", "large.zip", "gone.zip"]) {
    const path = await service.record(await service.draft(name));
    const started = await service.send("POST", `${path}/start/byUrl`, { url: `${host.origin}/${name}` });
    expect(started).toMatchObject({ status: 200, body: { status: "running" } });
    await service.looks(path, 1);
    const { status, message } = await service.progress(path);
    ends.push([status, message]);
  }
  expect(ends).toEqual([
    ["complete", ""],
    ["error", expect.stringMatching(/not a zip archive/)],
    ["error", "The package could not be fetched: the answer was 302."],
    ["error", "The package could not be fetched: it is too large."],
    ["error", "The package could not be fetched: the answer was 404."],
  ]);
  expect(service.sandbox.namedState().modules[2]?.["versions"]).toMatchObject([
    { source: "good.zip", sha256: expect.stringMatching(/^[0-9a-f]{64}$/), status: "complete" },
  ]);
});

it("an address in the world is not fetched: the start is answered, the job fails, unless a test plans its end", async () => {
  const { sandbox, draft, record, send, progress } = await trainingService({ training: { looks: 0 } });
  sandbox.training.next({ end: "complete" }, { source: /planned/ });
  const ends: unknown[] = [];
  for (const name of ["lost.zip", "planned.zip"]) {
    const path = await record(await draft(name));
    expect((await send("POST", `${path}/start/byUrl`, { url: `https://files.example/${name}` })).status).toBe(200);
    const { status, message } = await progress(path);
    ends.push([status, message]);
  }
  expect(ends).toEqual([
    ["error", "The package could not be fetched: the sandbox fetches from this machine only."],
    ["complete", ""],
  ]);
});

it("an address that is not https, or has a password in it, is refused", async () => {
  const { draft, record, send, looks } = await trainingService();
  const path = await record(await draft("Knots"));
  for (const url of [
    "http://files.example/a.zip",
    "ftp://127.0.0.1/a.zip",
    "https://me:secret@files.example/a.zip",
    7,
  ]) {
    expect((await send("POST", `${path}/start/byUrl`, { url })).status).toBe(422);
  }
  expect((await send("POST", `${path}/start/byUrl`, {})).status).toBe(422);
  expect(await looks(path, 1)).toEqual(["created"]);
});

it("a job whose bytes are still on their way waits for them when it is looked at, and may be cancelled meanwhile", async () => {
  const bytes = await packed();
  const answers: (() => void)[] = [];
  const host = await localServer((_arrival, response) => answers.push(() => response.end(bytes)));
  const { draft, record, send, get, progress, sandbox } = await trainingService({ training: { milliseconds: 0 } });
  const [one, other] = [await record(await draft("Knots")), await record(await draft("Bends"))];
  for (const path of [one, other]) await send("POST", `${path}/start/byUrl`, { url: `${host.origin}/a.zip` });
  expect((await get(`${ROOT}/1/imports`)).body).toMatchObject([{ status: "running" }]);
  expect((await send("POST", `${other}/cancel`)).body.status).toBe("cancelled");
  const [first, second, finished] = [progress(one), progress(other), sandbox.training.finish()];
  expect((await second).status).toBe("cancelled");
  while (answers.length < 2) await get(`${ROOT}/current`);
  for (const answer of answers) answer();
  expect((await first).status).toBe("complete");
  await finished;
  expect((await progress(other)).status).toBe("cancelled");
});
