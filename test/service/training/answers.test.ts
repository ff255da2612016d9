import { describe, expect, it } from "vitest";
import { ConnectionError } from "../../../src/core/errors.js";
import { isLost } from "../../../src/training/import/import-task.js";
import { failureOf, forever } from "../helpers/test-stack.js";
import { answering, moduleSite, uploadOf } from "./helpers/module-site.js";

const BASE = "/api/2.0/external_training_modules";

describe("an answer without an id", () => {
  const secret = "eyJhbGciOi-token";

  it.each([
    [
      { title: secret, meta: { created_by: secret, [`${secret}1`]: 1 } },
      "an object with title, meta (an object with created_by, (a name))",
    ],
    [[secret, secret], "a list of 2"],
    [{}, "an empty object"],
    [null, "null"],
    [true, "a boolean"],
    [{ id: "two words" }, "an object with id"],
    [{ id: 1.5 }, "an object with id"],
    [Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`f${"x".repeat(at)}`, 1])), "and 10 more"],
  ])("%j is an error that shows its shape, not its content, and counts as lost", async (body, shape) => {
    const server = await answering(body);
    const failure = await failureOf(server.site.createModule("Golf", forever));
    expect(failure).toBeInstanceOf(ConnectionError);
    expect(failure).toMatchObject({ unsent: false, retriable: false, exitCode: 3 });
    expect(isLost(failure)).toBe(true);
    expect(failure.message).toContain(
      `POST ${server.origin}${BASE}/drafts was answered, but the answer does not contain the id of the new module`,
    );
    expect(failure.message).toContain(shape);
    expect(failure.message).toContain("guideferry training probe");
    expect(failure.message).not.toContain(secret);
    expect(server.arrivals).toHaveLength(1);
  });

  it("may also be empty, or a web page", async () => {
    for (const type of ["application/json", "text/html"]) {
      const { site } = await moduleSite((_, response) => {
        response.writeHead(200, { "content-type": type });
        response.end(type === "text/html" ? "<html>Sign in</html>" : "");
      });
      expect(isLost(await failureOf(site.createImport("7", forever)))).toBe(true);
    }
  });

  it("is no matter of a start", async () => {
    await (await answering({})).site.startByUrl("9", "https://store.example/a.zip", forever);
    await (await moduleSite((_, response) => response.writeHead(204).end())).site.startByUpload(
      "9",
      uploadOf("x"),
      forever,
    );
  });
});

it("does not repeat what a site says of a signed address", async () => {
  const url = "https://store.example/a.zip?X-Amz-Signature=abc123";
  const { site } = await answering(
    { message: `Cannot fetch ${url}`, errors: [{ field: "url", message: `Bad ${url}!` }] },
    422,
  );
  const failure = await failureOf(site.startByUrl("9", url, forever));
  expect(failure).toMatchObject({
    status: 422,
    message: expect.stringMatching(/https:\/\/store\.example\/a\.zip(?!\?)/),
  });
  expect(JSON.stringify(failure) + failure.message + String(failure.stack)).not.toContain("abc123");
});

describe("progress", () => {
  it.each([404, 410])("of an import that the site doesn't know (%i) is none", async (status) => {
    expect(await (await answering({ message: "gone" }, status)).site.progress("9", forever)).toBeUndefined();
  });

  it("that may not be read is an error", async () => {
    expect(await failureOf((await answering({}, 403)).site.progress("9", forever))).toMatchObject({ status: 403 });
  });
});

describe("the history of a module", () => {
  it.each([404, 405, 501])("is empty where the site has none (%i)", async (status) => {
    expect(await (await answering({}, status)).site.imports("7", forever)).toEqual([]);
  });

  it("that may not be read is an error", async () => {
    expect(await failureOf((await answering({}, 403)).site.imports("7", forever))).toMatchObject({ status: 403 });
  });
});

it.each([403, 404, 405, 501])(
  "the use of a module is never said to be none when the site doesn't tell (%i)",
  async (status) => {
    expect(await failureOf((await answering([], status)).site.usage("7", forever))).toMatchObject({ status });
  },
);

describe("a preview", () => {
  it.each([404, 405, 409, 422, 501])("is none at the answer %i", async (status) => {
    expect(
      await (await answering({ launchLink: "https://site.example/x" }, status)).site.preview("9", forever),
    ).toBeNull();
  });

  it.each([
    [{ launchLink: "https://engine.example/launch?token=1" }, "https://engine.example/launch?token=1"],
    [{ data: { preview_url: "http://engine.example/x" } }, "http://engine.example/x"],
    [{ preview: { link: "https://engine.example/y" } }, "https://engine.example/y"],
    ["https://engine.example/z", "https://engine.example/z"],
    [{ launchLink: null, link: "https://engine.example/second" }, "https://engine.example/second"],
    [{ launchLink: "https://ann:sesame@engine.example/x" }, null],
    [{ launchLink: "javascript:alert(1)" }, null],
    [{ launchLink: "not there yet" }, null],
    [{ launchLink: "https://" }, null],
    [{}, null],
    [[], null],
  ])("in %j is %j", async (body, link) => {
    expect(await (await answering(body)).site.preview("9", forever)).toBe(link);
  });

  it("without a host is at the site", async () => {
    const { site, origin } = await answering({ link: "/preview/9" });
    expect(await site.preview("9", forever)).toBe(`${origin}/preview/9`);
  });
});
