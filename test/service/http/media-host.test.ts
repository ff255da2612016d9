import { randomBytes } from "node:crypto";
import type { LookupFunction } from "node:net";
import type { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { ConnectionError, FerryError, SignInError, StatusError } from "../../../src/core/errors.js";
import { Secret } from "../../../src/service/http/secret.js";
import type { Credentials } from "../../../src/service/http/sign-in.js";
import { json, localServer } from "../../helpers/local-server.js";
import { skippingClock } from "../helpers/skipping-clock.js";
import { failureOf, forever, testStack } from "../helpers/test-stack.js";

const token: Credentials = { kind: "token", token: new Secret("0123456789abcdef"), scheme: "api" };
const picture = randomBytes(100_000);

/** A host with one picture, which understands ranges. */
function pictureHost() {
  return localServer(({ headers, path }, response) => {
    const from = Number(/^bytes=(\d+)-$/.exec(headers.range ?? "")?.[1] ?? 0);
    if (!path.startsWith("/a.png")) response.writeHead(404).end(Buffer.alloc(2_000_000, "no"));
    else if (from >= picture.length) response.writeHead(416).end();
    else {
      const range = { "content-range": `bytes ${from}-${picture.length - 1}/${picture.length}` };
      response.writeHead(from > 0 ? 206 : 200, { "content-type": "Image/PNG; x=1", ...(from > 0 ? range : {}) });
      response.end(picture.subarray(from));
    }
  });
}

async function bytesOf(content: Readable): Promise<Buffer> {
  return Buffer.concat(await content.toArray());
}

describe("media", () => {
  it("come with their size, their type and every byte", async () => {
    const { origin, arrivals } = await localServer((_, response) => {
      response.writeHead(200, { "content-type": "image/png", "content-length": picture.length }).end(picture);
    });
    const opened = await testStack(origin).openMedia(`${origin}/a.png`, 0, forever);
    expect(opened).toMatchObject({ from: 0, size: picture.length, type: "image/png" });
    expect((await bytesOf(opened.content)).equals(picture)).toBe(true);
    expect(arrivals[0]?.headers).toMatchObject({ "accept-encoding": "identity" });
    expect(arrivals[0]?.headers.range).toBeUndefined();
  });

  it("of the site itself are asked for with the token, those of another origin without", async () => {
    const site = await pictureHost();
    const cdn = await pictureHost();
    const stack = testStack(site.origin, { credentials: { ...token, appId: new Secret("app-77") } });
    await bytesOf((await stack.openMedia("/a.png", 0, forever)).content);
    await bytesOf((await stack.openMedia(`${cdn.origin}/a.png`, 0, forever)).content);
    expect(site.arrivals[0]?.headers).toMatchObject({ authorization: "api 0123456789abcdef", "x-app-id": "app-77" });
    expect(cdn.arrivals[0]?.headers.authorization).toBeUndefined();
    expect(cdn.arrivals[0]?.headers["x-app-id"]).toBeUndefined();
  });

  it("are continued at a position", async () => {
    const { origin, arrivals } = await pictureHost();
    const opened = await testStack(origin).openMedia("/a.png", 40_000, forever);
    expect(opened).toMatchObject({ from: 40_000, size: picture.length, type: "image/png" });
    expect((await bytesOf(opened.content)).equals(picture.subarray(40_000))).toBe(true);
    expect(arrivals[0]?.headers.range).toBe("bytes=40000-");
  });

  it("come from the start from a host that ignores positions", async () => {
    const { origin } = await localServer((_, response) => void response.writeHead(200).end(picture));
    const opened = await testStack(origin).openMedia("/a.png", 40_000, forever);
    expect(opened).toMatchObject({ from: 0, type: null });
    expect((await bytesOf(opened.content)).equals(picture)).toBe(true);
  });

  it("are unpacked when a host packs them unasked", async () => {
    const { origin } = await localServer((_, response) => {
      response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(picture));
    });
    const opened = await testStack(origin).openMedia("/a.png", 0, forever);
    expect(opened.size).toBeNull();
    expect((await bytesOf(opened.content)).equals(picture)).toBe(true);
  });

  it.each([
    ["another position", 206, { "content-range": "bytes 0-9/10" }, /answered with "bytes 0-9\/10"/],
    ["no position", 206, {}, /answered with ""/],
    ["packed pieces", 206, { "content-range": "bytes 5-9/10", "content-encoding": "gzip" }, /in packed form/],
    ["a web page", 200, { "content-type": "text/html" }, /web page.*sign-in/],
  ])("are not continued with %s", async (_, status, headers, reason) => {
    const { origin } = await localServer(
      (_arrival, response) => void response.writeHead(status, headers).end("0123456789"),
    );
    const failure = await failureOf(testStack(origin).openMedia("/a.png", 5, forever));
    expect(failure).toBeInstanceOf(ConnectionError);
    expect(failure.message).toMatch(reason);
    expect(failure).toMatchObject({ retriable: false });
  });

  it.each(["site", "media host"])(
    "for which the %s answers with a web page are asked for again once it has answered a file",
    async (place) => {
      let pages = 0;
      const page = { "content-type": "text/html; charset=utf-8" };
      const host = await localServer(({ path }, response) => {
        if (path === "/manual.html") response.writeHead(200, page).end("<p>a document");
        else if (path !== "/a.png" && pages-- > 0) response.writeHead(200, page).end("<html>Back soon");
        else response.writeHead(200, { "content-type": "image/png" }).end(path);
      });
      const site = place === "site" ? host : await localServer((_, response) => json(response, {}));
      const stack = testStack(site.origin);
      const open = async (path: string) => (await stack.openMedia(host.origin + path, 0, forever)).content;
      const read = async (path: string) => (await bytesOf(await open(path))).toString();
      // A sign-in page and a passing error page look the same so far.
      pages = 1;
      expect((await failureOf(open("/b.png"))).message).toMatch(/web page.*sign-in/);
      expect([await read("/manual.html"), await read("/a.png")]).toEqual(["<p>a document", "/a.png"]);
      pages = 3;
      expect(await read("/b.png")).toBe("/b.png");
      expect(await read("/manual.html")).toBe("<p>a document");
      // A page that stays fails its file, and the next file is asked for all the same.
      pages = 6 * 6;
      for (const name of "cdefgh") {
        const failure = await failureOf(open(`/${name}.png`));
        expect(failure).toMatchObject({ retriable: true });
        expect(failure.message).toMatch(/although \S+ answered with files before\. .* It was tried 6 times/);
      }
      expect(await read("/i.png")).toBe("/i.png");
    },
  );

  it("may be web pages where the address says so", async () => {
    const { origin } = await localServer((_, response) => {
      response.writeHead(200, { "content-type": "text/html" }).end("<p>a document</p>");
    });
    const opened = await testStack(origin).openMedia("/manual.html", 0, forever);
    expect((await bytesOf(opened.content)).toString()).toBe("<p>a document</p>");
  });

  it.each([
    [403, false, /does not have the file/],
    [404, false, /does not have the file/],
    [416, false, /from position 5 on/],
  ])("that are refused with %i fail with the address and the reason", async (status, retriable, reason) => {
    const { origin, arrivals } = await localServer((_, response) => json(response, {}, status));
    const failure = await failureOf(testStack(origin).openMedia("/a.png", 5, forever));
    expect(failure).toBeInstanceOf(StatusError);
    expect(failure).toMatchObject({ status, retriable });
    expect(failure.message).toContain(`GET ${origin}/a.png`);
    expect(failure.message).toMatch(reason);
    expect(arrivals).toHaveLength(1);
  });

  it("are asked for again on 5xx, 429 and resets", async () => {
    const { origin, arrivals } = await localServer((_, response, count) => {
      if (count === 1) response.socket?.resetAndDestroy();
      else if (count === 2) json(response, {}, 503);
      else response.writeHead(200).end(picture);
    });
    await bytesOf((await testStack(origin).openMedia("/a.png", 0, forever)).content);
    expect(arrivals).toHaveLength(3);
  });

  it("fail where the connection breaks, so that the caller can continue from there", async () => {
    const { origin, arrivals } = await localServer((_, response) => {
      response.writeHead(200, { "content-length": picture.length });
      response.write(picture.subarray(0, 50_000), () => response.socket?.resetAndDestroy());
    });
    const opened = await testStack(origin).openMedia("/a.png", 0, forever);
    const failure = await failureOf(bytesOf(opened.content));
    expect(failure).toBeInstanceOf(ConnectionError);
    expect(failure).toMatchObject({ retriable: true });
    expect(failure.message).toContain(`GET ${origin}/a.png`);
    expect(arrivals).toHaveLength(1);
  });

  it("fail when they stall halfway", async () => {
    const { origin } = await localServer((_, response) => void response.writeHead(200).write("abc"));
    const opened = await testStack(origin, { timeouts: { body: 300 } }).openMedia("/a.png", 0, forever);
    expect(await failureOf(bytesOf(opened.content))).toBeInstanceOf(ConnectionError);
  });

  it("fail with the reason of the abort when the run is aborted halfway", async () => {
    const { origin } = await localServer((_, response) => void response.writeHead(200).write("abc"));
    const controller = new AbortController();
    const opened = await testStack(origin).openMedia("/a.png", 0, controller.signal);
    const reason = new Error("asked to stop");
    setTimeout(() => controller.abort(reason), 30);
    expect(await failureOf(bytesOf(opened.content))).toBe(reason);
  });

  it.each(["/refused", "/a.png"])("of %s don't block their connection when nobody reads them", async (path) => {
    const { origin } = await pictureHost();
    const stack = testStack(origin, { concurrency: 1 });
    for (let round = 0; round < 3; round += 1) {
      const [outcome] = await Promise.allSettled([stack.openMedia(path, 0, forever)]);
      if (outcome.status === "fulfilled") outcome.value.content.destroy();
    }
    expect((await bytesOf((await stack.openMedia("/a.png", 0, forever)).content)).equals(picture)).toBe(true);
  });

  it.each(["", "http://", "https://["])("have an address, and %j is none", async (address) => {
    const { origin } = await localServer((_, response) => json(response, {}, 404));
    expect(await failureOf(testStack(origin).openMedia(address, 0, forever))).toBeInstanceOf(FerryError);
  });

  it("end the run when the site itself refuses the sign-in for them", async () => {
    const { origin } = await localServer((_, response) => json(response, {}, 401));
    const stack = testStack(origin, { credentials: token });
    expect(await failureOf(stack.openMedia("/a.png", 0, forever))).toBeInstanceOf(SignInError);
  });
});

describe("a redirect of media", () => {
  it("is followed, with the token only where the origin is the site's own", async () => {
    const cdn = await pictureHost();
    const site = await localServer(({ path }, response) => {
      const location = path === "/first" ? "/second" : `${cdn.origin}/a.png`;
      response.writeHead(302, { location }).end("<html>moved</html>");
    });
    const opened = await testStack(site.origin, { credentials: token }).openMedia("/first", 100, forever);
    expect((await bytesOf(opened.content)).equals(picture.subarray(100))).toBe(true);
    expect(site.arrivals.map(({ headers }) => headers.authorization)).toEqual([
      "api 0123456789abcdef",
      "api 0123456789abcdef",
    ]);
    expect(cdn.arrivals[0]?.headers.authorization).toBeUndefined();
  });

  it("fails after five redirects", async () => {
    const { origin, arrivals } = await localServer((_, response) => {
      response.writeHead(301, { location: "/again" }).end();
    });
    const failure = await failureOf(testStack(origin).openMedia("/a.png", 0, forever));
    expect(failure.message).toMatch(/more than 5 times/);
    expect(arrivals).toHaveLength(6);
  });

  it("to a sign-in page is not taken for the file", async () => {
    const { origin } = await localServer(({ path }, response) => {
      if (path === "/a.png") response.writeHead(302, { location: "/Login?url=a.png" }).end();
      else response.writeHead(200, { "content-type": "text/html" }).end("<form/>");
    });
    const failure = await failureOf(testStack(origin).openMedia("/a.png", 0, forever));
    expect(failure.message).toMatch(/web page.*sign-in/);
  });

  it("to another scheme is refused", async () => {
    const { origin } = await localServer(
      (_, response) => void response.writeHead(302, { location: "file:///etc/passwd" }).end(),
    );
    const failure = await failureOf(testStack(origin).openMedia("/a.png", 0, forever));
    expect(failure.message).toMatch(/GET file:\/\/\/etc\/passwd was not sent: .*https only/);
  });
});

describe("another host that media lie on", () => {
  it("is named by its failures, also behind a redirect of the site, and its long pause stops no run", async () => {
    const host = await localServer(({ path }, response) => {
      if (path === "/later") response.writeHead(429, { "retry-after": "7200" }).end();
      else if (path === "/cut") response.writeHead(200, { "content-length": 9 }).write("abc", () => response.destroy());
      else response.socket?.resetAndDestroy();
    });
    const site = await localServer(({ path }, response) => {
      if (path === "/own") response.socket?.resetAndDestroy();
      else response.writeHead(302, { location: host.origin + path }).end();
    });
    const stack = testStack(site.origin);
    const mediaHost = host.origin.replace("http://", "");
    expect(await failureOf(stack.openMedia("/own", 0, forever))).toMatchObject({ mediaHost: undefined });
    expect(await failureOf(stack.openMedia("/a.png", 0, forever))).toMatchObject({ mediaHost });
    const cut = await stack.openMedia("/cut", 0, forever);
    expect(await failureOf(bytesOf(cut.content))).toMatchObject({ name: "ConnectionError", mediaHost });
    const later = await failureOf(stack.openMedia("/later", 0, forever));
    expect(later).toMatchObject({ name: "ConnectionError", mediaHost });
    expect(later.message).toMatch(/asked guideferry to wait until/);
  });

  it("gets no requests while it is down, then one request after a pause, and then all again", async () => {
    const clock = skippingClock();
    let isDown = true;
    const host = await localServer((_, response) => {
      if (isDown) response.writeHead(503).end();
      else response.writeHead(200).end(picture);
    });
    const site = await pictureHost();
    const stack = testStack(site.origin, { clock, retry: { tries: 1 } });
    const ask = () => stack.openMedia(`${host.origin}/a.png`, 0, forever);
    for (let count = 0; count < 5; count += 1) expect(await failureOf(ask())).toMatchObject({ status: 503 });
    expect((await failureOf(ask())).message).toMatch(/No request was sent to .*: the last 5 requests got no answer/);
    expect(host.arrivals).toHaveLength(5);
    await bytesOf((await stack.openMedia("/a.png", 0, forever)).content);
    clock.pass(60_000);
    expect(await failureOf(ask())).toMatchObject({ status: 503 });
    expect((await failureOf(ask())).message).toMatch(/No request was sent/);
    clock.pass(60_000);
    isDown = false;
    for (let count = 0; count < 3; count += 1) await bytesOf((await ask()).content);
    expect(host.arrivals).toHaveLength(9);
  });
});

describe("media of a public site", () => {
  /**
   * Every look-up of evil.example goes the way of `addresses`; the site itself is on the internet.
   */
  function publicStack(...addresses: readonly string[]) {
    const left = [...addresses];
    const lookup: LookupFunction = (hostname, options, callback) => {
      const address = hostname === "evil.example" ? (left.shift() ?? "127.0.0.1") : "93.184.216.34";
      if (options.all === true) callback(null, [{ address, family: 4 }]);
      else callback(null, address, 4);
    };
    return testStack("http://site.example", { lookup, timeouts: { connect: 300 }, credentials: token });
  }

  it("are never fetched from this machine, by address or by name", async () => {
    const inside = await pictureHost();
    for (const host of ["127.0.0.1", "2130706433", "[::ffff:127.0.0.1]", "localhost", "evil.example"]) {
      const stack = publicStack("127.0.0.1");
      const failure = await failureOf(stack.openMedia(`http://${host}:${inside.port}/a.png`, 0, forever));
      expect(failure.message).toMatch(/was not sent: .*not on the public internet/);
    }
    expect(inside.arrivals).toHaveLength(0);
  });

  it("are never fetched from this machine by a name that changes its address between check and connection", async () => {
    const inside = await pictureHost();
    const stack = publicStack("93.184.216.34", "127.0.0.1", "127.0.0.1");
    expect(await failureOf(stack.openMedia(`http://evil.example:${inside.port}/a.png`, 0, forever))).toBeInstanceOf(
      FerryError,
    );
    expect(inside.arrivals).toHaveLength(0);
  });
});
