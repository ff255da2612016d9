import type { LookupFunction } from "node:net";
import { Readable } from "node:stream";
import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { createAddressGuard, WEB_PACKAGES } from "../../../src/service/http/address-guard.js";
import { createOpenMedia } from "../../../src/service/http/media-download.js";
import { createRedactor, hidingQueries } from "../../../src/service/http/secret.js";
import type { Transport } from "../../../src/service/http/transport.js";
import { localServer } from "../../helpers/local-server.js";
import { failureOf, forever, testStack } from "../helpers/test-stack.js";

const SITE = "https://packages.invalid";

/** What each name leads to; the rest is on the internet. */
const lookup: LookupFunction = (hostname, _, callback) => {
  const address = { "inside.example": "10.1.2.3", "packages.invalid": "10.1.2.3", "meta.example": "169.254.169.254" }[
    hostname
  ];
  callback(null, [{ address: address ?? "93.184.216.34", family: 4 }]);
};

function webStack(log?: (line: string) => void) {
  const options = { lookup, mediaWords: WEB_PACKAGES, timeouts: { connect: 300 }, retry: { tries: 1 }, log };
  return testStack(SITE, options);
}

/** A public host that answers with a redirect to this address, and whatever is asked of it. */
function redirecting(location: string) {
  const asked: string[] = [];
  const answer: Transport = async ({ url }) => {
    asked.push(url.href);
    return { status: 302, headers: { location }, body: Readable.from([]), url, bytes: null };
  };
  const site = new URL(`${SITE}/api/2.0`);
  const guard = createAddressGuard({ site, proxied: false, lookup, words: WEB_PACKAGES });
  const { redact } = hidingQueries(createRedactor([]));
  return {
    asked,
    open: createOpenMedia({ site, guard, own: answer, foreign: () => answer, redact, words: WEB_PACKAGES }),
  };
}

const FORBIDDEN: readonly (readonly [string, RegExp])[] = [
  [
    "http://files.example/x.zip?sig=s3cret",
    /^GET http:\/\/files\.example\/x\.zip\?… was not sent: Packages are fetched over https only/,
  ],
  [
    "https://127.0.0.1/x.zip?sig=s3cret",
    /not on the public internet\. The address of a package must not make guideferry read/,
  ],
  ["https://169.254.169.254/latest/meta-data", /not on the public internet/],
  ["https://[::ffff:10.0.0.1]/x.zip", /not on the public internet/],
  ["https://localhost/x.zip", /not on the public internet/],
  ["https://packages.invalid/x.zip", /packages\.invalid is a reserved name that never exists\. Use another address/],
  ["https://packages.invalid./x.zip", /a reserved name that never exists/],
  ["https://user:s3cret@files.example/x.zip", /holds a user name or password\. Packages are not/],
  ["file:///etc/hostname", /over https only/],
];

describe("packages of the web", () => {
  it.each(FORBIDDEN)("are not fetched from %s", async (address, reason) => {
    const failure = await failureOf(webStack().openMedia(address, 0, forever));
    expect(failure.message).toMatch(reason);
    expect(failure.message).not.toMatch(/media|at the site/i);
    expect(inspect(failure, { depth: 9 })).not.toContain("s3cret");
  });

  it.each(FORBIDDEN)("are not fetched from %s after a redirect either", async (address, reason) => {
    const { asked, open } = redirecting(address);
    const failure = await failureOf(open("https://files.example/first.zip", 0, forever));
    expect(failure.message).toMatch(reason);
    expect(inspect(failure, { depth: 9 })).not.toMatch(/s3cret/);
    expect(asked).toEqual(["https://files.example/first.zip"]);
  });

  it.each(["inside.example", "meta.example"])("are not fetched from %s, whose name leads inside", async (host) => {
    const failure = await failureOf(webStack().openMedia(`https://${host}/x.zip?sig=s3cret`, 0, forever));
    expect(failure.message).toMatch(/not on the public internet/);
    expect(inspect(failure, { depth: 9 })).not.toMatch(/s3cret/);
  });

  it("are told without query, in errors and in the log", async () => {
    const { origin } = await localServer((_, response) => void response.writeHead(403).end());
    const lines: string[] = [];
    const stack = testStack(origin, { mediaWords: WEB_PACKAGES, log: (line) => lines.push(line), retry: { tries: 1 } });
    const failure = await failureOf(stack.openMedia(`${origin}/x.zip?sig=s3cret#s3cret`, 0, forever));
    expect(failure.message).toBe(`GET ${origin}/x.zip?… was answered 403. The host does not have the file.`);
    expect(lines.join("\n")).toMatch(/GET \S+\/x\.zip\?… 403/);
    expect(lines.join("\n") + inspect(failure, { depth: 9 })).not.toMatch(/s3cret/);
    expect(stack.redact("https://site.example/?a=1 stays")).toBe("https://site.example/?a=1 stays");
  });
});
