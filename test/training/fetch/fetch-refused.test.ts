import { randomBytes } from "node:crypto";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { EXIT, FerryError, StatusError } from "../../../src/core/errors.js";
import { fetchPackage } from "../../../src/training/fetch-package.js";
import { type Answering, localServer } from "../../helpers/local-server.js";
import { mountSmallDisk } from "../../helpers/small-disk.js";
import { temporaryFolder } from "../../helpers/temporary-folder.js";
import { failureOf, forever, testStack } from "../../service/helpers/test-stack.js";
import { fetching, give, PACKAGE, refusalOf } from "./package-host.js";

describe("a package of the web that does not come", () => {
  it("is given up after six tries that bring nothing, with the address but not its query", async () => {
    const { work, arrivals, folder, origin } = await fetching((_, response) =>
      give(response, undefined, { cutAfter: 1000 }),
    );
    const failure = await failureOf(work);
    expect(failure.message).toMatch(`The download of ${origin}/course.zip is still incomplete after 6 tries: `);
    expect(arrivals).toHaveLength(6);
    expect(await readdir(folder)).toEqual([]);
    expect(inspect(failure, { depth: 9 })).not.toContain("s3cret");
  });

  it.each([
    ["that says so", {}, 1],
    ["that says nothing", { length: null }, 1],
  ])("is refused when it is larger than the limit, from a host %s", async (_, habit, requests) => {
    const { work, arrivals, folder, origin } = await fetching(
      (_arrival, response) => give(response, undefined, habit),
      {
        maximumBytes: 299_999,
      },
    );
    const failure = await failureOf(work);
    expect(failure.message).toBe(
      `${origin}/course.zip is larger than 299,999 bytes, the limit for a package. If you trust its author, raise the limit with --max-package-size.`,
    );
    expect(failure).toMatchObject({ exitCode: EXIT.someFailed });
    expect(arrivals).toHaveLength(requests);
    expect(await readdir(folder)).toEqual([]);
  });

  it("is measured over all tries: a cut line doesn't lift the limit", async () => {
    const failure = await refusalOf(
      ({ headers }, response, count) =>
        give(response, headers.range, { length: null, ...(count === 1 ? { cutAfter: 200_000 } : {}) }),
      { maximumBytes: 250_000 },
    );
    expect(failure.message).toContain("larger than 250,000 bytes");
  });

  it("is not taken from a host that announces less than it has, or more", async () => {
    const { work } = await fetching((_, response) => give(response, undefined, { length: 1000 }));
    const outcome = await work.then(
      ({ path }) => stat(path),
      (error: unknown) => error,
    );
    // HTTP ends at what was announced; the archive is cut then, which the guard of archives sees.
    expect(outcome).toMatchObject({ size: 1000 });
    const failure = await refusalOf((_, response) => {
      response.writeHead(200, { "content-length": PACKAGE.length + 5 });
      response.write(PACKAGE, () => response.socket?.destroy());
    });
    expect(failure.message).toContain("is still incomplete after 6 tries");
  });

  it.each(["/course.zip?sig=s3cret", "/course.html?sig=s3cret"])("is no web page (%s)", async (path) => {
    const failure = await refusalOf(
      (_, response) => void response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end("<p>Sign in"),
      { path },
    );
    expect(failure.message).toMatch(/with a web page, not with .*sign-in/);
  });

  it("is refused with what the link says of why", async () => {
    const refuse: Answering = (_, response) =>
      void response.writeHead(403).end("<Error><Code>AccessDenied</Code></Error>");
    const expired = await refusalOf(refuse, {
      path: "/c.zip?X-Amz-Date=20200101T000000Z&X-Amz-Expires=60&X-Amz-Signature=s3cret",
    });
    expect(expired).toBeInstanceOf(StatusError);
    expect(expired.message).toMatch(/c\.zip\?… was answered 403\. .* The link has expired\. Get a new one\.$/);
    expect((await refusalOf(refuse)).message).toMatch(/Perhaps the link has expired, or the host requires a sign-in/);
    expect((await refusalOf((_, response) => void response.writeHead(500).end())).message).toMatch(
      /answered 500\. The host has a problem/,
    );
  });

  it("is not empty", async () => {
    const failure = await refusalOf((_, response) => void response.writeHead(200, { "content-length": 0 }).end());
    expect(failure.message).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/course\.zip: The host announced an empty file/);
  });

  it("is not fetched with a password in its address, which is not repeated", async () => {
    const open = () => Promise.reject(new Error("it was asked"));
    const failure = await failureOf(
      fetchPackage("https://ann:s3cret@files.example/x.zip", "/nowhere", { open, signal: forever }),
    );
    expect(failure).toBeInstanceOf(FerryError);
    expect(failure.message).toContain("The address on https://files.example has a user name or password");
    expect(failure.message).not.toMatch(/\bann\b|s3cret/);
  });

  it("leaves nothing when the run is aborted in its midst, and the aborter's reason", async () => {
    const controller = new AbortController();
    const reason = new Error("asked to stop");
    const { work, folder } = await fetching((_, response) => void response.writeHead(200).write(PACKAGE), {
      signal: controller.signal,
      onBytes: () => controller.abort(reason),
    });
    expect(await failureOf(work)).toBe(reason);
    expect(await readdir(folder)).toEqual([]);
  });

  it("that the disk has no room for leaves nothing, and says so", { tags: ["mount"] }, async () => {
    const folder = join(await temporaryFolder(), "small");
    mountSmallDisk(folder, 1);
    const { origin } = await localServer(({ headers }, response) =>
      give(response, headers.range, { bytes: randomBytes(2_000_000) }),
    );
    const open = testStack(origin).openMedia;
    const failure = await failureOf(fetchPackage(`${origin}/c.zip`, folder, { open, signal: forever }));
    expect(failure).toMatchObject({ exitCode: EXIT.stopped });
    expect(failure.message).toMatch(/the disk is full, .* Make room/);
    expect(await readdir(folder)).toEqual([]);
  });

  it("cannot be stored in a folder that isn't there", async () => {
    const folder = join(await temporaryFolder(), "gone");
    const open = async () => ({ content: Readable.from([]), from: 0, size: null, type: null });
    const failure = await failureOf(fetchPackage("https://files.example/x.zip", folder, { open, signal: forever }));
    expect(failure.message).toBe(
      `While storing https://files.example/x.zip in ${folder}: there is no such file or folder. Check the path.`,
    );
  });
});
