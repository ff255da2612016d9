import { describe, expect, it } from "vitest";
import { ConnectionError, StatusError } from "../../../src/core/errors.js";
import { Secret } from "../../../src/service/http/secret.js";
import { isLost } from "../../../src/training/import/import-task.js";
import { deadPort, json } from "../../helpers/local-server.js";
import { skippingClock } from "../helpers/skipping-clock.js";
import { failureOf, forever } from "../helpers/test-stack.js";
import { answering, calls, moduleSite, modulesAt, uploadOf } from "./helpers/module-site.js";

describe("what is sent", () => {
  it.each([
    ["a new module", "POST drafts", { title: "Golf" }, "createModule"],
    ["a new draft", "PUT 7/draft", { title: "Golf" }, "openDraft"],
    ["a new import, with a number", "POST imports", { moduleid: 7 }, "createImport"],
    ["a start by address", "POST imports/9/start/byUrl", { url: "https://store.example/a.zip?s=1" }, "startByUrl"],
    ["a cancel", "POST imports/9/cancel", {}, "cancel"],
    ["a publication", "PUT 7/current", {}, "publish"],
  ])("is for %s: %s", async (_what, call, body, name) => {
    const server = await answering({ id: 31 });
    const { site } = server;
    const does: Readonly<Record<string, () => Promise<unknown>>> = {
      createModule: () => site.createModule("Golf", forever),
      openDraft: () => site.openDraft("7", "Golf", forever),
      createImport: () => site.createImport("7", forever),
      startByUrl: () => site.startByUrl("9", "https://store.example/a.zip?s=1", forever),
      cancel: () => site.cancel("9", forever),
      publish: () => site.publish("7", forever),
    };
    await does[name]?.();
    expect(calls(server)).toEqual([call]);
    expect(JSON.parse(server.arrivals[0]?.body ?? "")).toEqual(body);
  });

  it("escapes an id that is no number, and sends it as text", async () => {
    const server = await answering({ importid: "b.2" });
    expect(await server.site.createImport("a:1", forever)).toBe("b.2");
    expect(await server.site.progress("a:1", forever)).toMatchObject({ id: "a:1" });
    expect(JSON.parse(server.arrivals[0]?.body ?? "")).toEqual({ moduleid: "a:1" });
    expect(calls(server)[1]).toBe("GET imports/a%3A1/progress");
  });

  it.each([
    "https://ann:sesame@store.example/a.zip",
    "https://ann@store.example/a.zip",
    "ftp://store.example/a.zip",
    "a.zip",
  ])("is never the address %s", async (url) => {
    const server = await answering({});
    const failure = await failureOf(server.site.startByUrl("9", url, forever));
    expect(failure.message).not.toContain("sesame");
    expect(server.arrivals).toEqual([]);
  });
});

const CREATES = ["createModule", "createImport", "startByUrl", "startByUpload"] as const;

async function create(
  name: (typeof CREATES)[number],
  { site }: Awaited<ReturnType<typeof answering>>,
): Promise<unknown> {
  if (name === "createModule") return site.createModule("Golf", forever);
  if (name === "createImport") return site.createImport("7", forever);
  if (name === "startByUrl") return site.startByUrl("9", "https://store.example/a.zip", forever);
  return site.startByUpload("9", uploadOf("zip"), forever);
}

describe.each(CREATES)("%s", (name) => {
  it.each([500, 502, 503, 504])("is not sent again after %i, and its answer counts as lost", async (status) => {
    const server = await answering({ message: "Oops" }, status);
    const failure = await failureOf(create(name, server));
    expect(failure).toBeInstanceOf(StatusError);
    expect(failure).toMatchObject({ status });
    expect(isLost(failure)).toBe(true);
    expect(server.arrivals).toHaveLength(1);
  });

  it.each([400, 403, 404, 409, 413, 415, 422])("is refused with %i, which is no lost answer", async (status) => {
    const server = await answering({ message: "No, thank you" }, status);
    const failure = await failureOf(create(name, server));
    expect(failure).toMatchObject({ status, message: expect.stringContaining("No, thank you") });
    expect(isLost(failure)).toBe(false);
    expect(server.arrivals).toHaveLength(1);
  });

  it("is not sent again when the connection is cut, and its answer counts as lost", async () => {
    const server = await moduleSite((_, response) => response.destroy());
    const failure = await failureOf(create(name, server));
    expect(failure).toBeInstanceOf(ConnectionError);
    expect(isLost(failure)).toBe(true);
    expect(server.arrivals).toHaveLength(1);
  });

  it("is sent again as it was after 429", async () => {
    const server = await moduleSite(
      (_, response, count) =>
        count < 3 ? json(response, {}, 429, { "retry-after": "0" }) : json(response, { id: 31 }),
      { clock: skippingClock() },
    );
    await create(name, server);
    expect(server.arrivals).toHaveLength(3);
    expect(new Set(server.arrivals.map(({ body }) => body)).size).toBe(1);
    expect(server.arrivals[0]?.body.length).toBeGreaterThan(1);
  });
});

it("was never sent where nothing listens, and then no answer is lost", async () => {
  const site = modulesAt(`http://127.0.0.1:${await deadPort()}`, { retry: { tries: 2, firstDelay: 1 } });
  const failure = await failureOf(site.createModule("Golf", forever));
  expect(failure).toMatchObject({ name: "ConnectionError", unsent: true });
  expect(isLost(failure)).toBe(false);
});

it("is sent whole again when the sign-in had to be renewed", async () => {
  let signedIn = 0;
  const { site, arrivals } = await moduleSite(
    ({ method, path, headers }, response) => {
      if (path.endsWith("/user/token")) {
        signedIn += 1;
        json(response, { authToken: `session-${signedIn}` });
      } else json(response, {}, method === "GET" || headers.authorization === "api session-2" ? 200 : 401);
    },
    {
      clock: skippingClock(),
      credentials: { kind: "password", email: new Secret("ann@site.example"), password: new Secret("sesame!") },
    },
  );
  await site.progress("9", forever);
  await site.startByUpload("9", uploadOf("zip"), forever);
  const uploads = arrivals.filter(({ path }) => path.endsWith("byUpload"));
  expect(uploads.map(({ headers }) => headers.authorization)).toEqual(["api session-1", "api session-2"]);
  expect(uploads[1]?.body).toBe(uploads[0]?.body);
  expect(uploads[0]?.body).toContain("zip");
});

describe("what may be repeated", () => {
  it("is sent again after a failure: reads, a draft, a publication, a cancel", async () => {
    const server = await moduleSite((_, response, count) =>
      count % 2 === 1 ? json(response, {}, 502) : json(response, { status: "running" }),
    );
    const { site } = server;
    await site.progress("9", forever);
    await site.usage("7", forever);
    await site.preview("9", forever);
    await site.openDraft("7", "Golf", forever);
    await site.publish("7", forever);
    await site.cancel("9", forever);
    expect(server.arrivals).toHaveLength(12);
  });

  it.each([404, 409, 410, 422])("is a cancel of what has ended (%i)", async (status) => {
    await (await answering({}, status)).site.cancel("9", forever);
  });

  it.each([403, 405, 501])("is no cancel that the site refuses (%i)", async (status) => {
    expect(await failureOf((await answering({}, status)).site.cancel("9", forever))).toMatchObject({ status });
  });
});
