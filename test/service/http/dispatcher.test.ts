import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer } from "node:https";
import type { LookupFunction } from "node:net";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { ConnectionError, UsageError } from "../../../src/core/errors.js";
import { connectProxy } from "../../helpers/connect-proxy.js";
import { deadPort, json, listen, localServer } from "../../helpers/local-server.js";
import { failureOf, forever, testStack } from "../helpers/test-stack.js";

const CERTIFICATE = fileURLToPath(new URL("../../fixtures/api/localhost-certificate.pem", import.meta.url));
const KEY = fileURLToPath(new URL("../../fixtures/api/localhost-key.pem", import.meta.url));
const BUILT = new URL("../../../dist/src/service/http/stack.js", import.meta.url);

/** A site with a certificate of its own making, for localhost and site.test. */
async function secureSite(): Promise<number> {
  const options = { cert: await readFile(CERTIFICATE), key: await readFile(KEY) };
  const server = createServer(options, (_, response) => json(response, { name: "Secure" }));
  return listen(server);
}

describe("a proxy in the environment", () => {
  it("is asked for the site, which it looks up itself", async () => {
    const site = await localServer((_, response) => json(response, { name: "Inside" }));
    const proxy = await connectProxy(site.port);
    for (const name of ["HTTP_PROXY", "http_proxy"]) {
      const { client } = testStack("http://site.test", { environment: { [name]: proxy.origin } });
      expect((await client.get("site", {}, forever)).json).toEqual({ name: "Inside" });
    }
    expect(proxy.asked).toEqual(["site.test:80", "site.test:80"]);
    expect(site.arrivals[0]?.headers.host).toBe("site.test");
  });

  it("may be written without a scheme, and with a password", async () => {
    const site = await localServer((_, response) => json(response, {}));
    const proxy = await connectProxy(site.port);
    const environment = { HTTP_PROXY: `ann:sesame%21@127.0.0.1:${proxy.port}` };
    await testStack("http://site.test", { environment }).client.get("site", {}, forever);
    expect(proxy.credentials).toEqual([`Basic ${Buffer.from("ann:sesame!").toString("base64")}`]);
    expect(site.arrivals[0]?.headers["proxy-authorization"]).toBeUndefined();
  });

  it("for https is asked for a tunnel", async () => {
    const proxy = await connectProxy(await deadPort(), 403);
    const { client } = testStack("https://site.test", {
      environment: { HTTPS_PROXY: proxy.origin },
      retry: { tries: 1 },
    });
    await failureOf(client.get("site", {}, forever));
    expect(proxy.asked).toEqual(["site.test:443"]);
  });

  it("has no password that cannot be decoded", () => {
    const environment = { HTTPS_PROXY: "http://ann:hunter2%@proxy.test:3128" };
    expect(() => testStack("https://site.test", { environment })).toThrow(/^(?!.*hunter2).*HTTPS_PROXY.*%25/);
  });

  it("is left out for the hosts of NO_PROXY, and always for this machine", async () => {
    const site = await localServer((_, response) => json(response, {}));
    const proxy = await connectProxy(site.port);
    const lookup: LookupFunction = (_, options, callback) => {
      if (options.all === true) callback(null, [{ address: "127.0.0.1", family: 4 }]);
      else callback(null, "127.0.0.1", 4);
    };
    const environment = { HTTP_PROXY: proxy.origin, NO_PROXY: "other.test,site.test" };
    await testStack(`http://site.test:${site.port}`, { environment, lookup }).client.get("site", {}, forever);
    for (const host of ["127.0.0.1", "localhost"]) {
      await testStack(`http://${host}:${site.port}`, { environment, lookup }).client.get("site", {}, forever);
    }
    await testStack(`http://else.test:${site.port}`, {
      environment: { ...environment, NO_PROXY: "*" },
      lookup,
    }).client.get("site", {}, forever);
    expect(site.arrivals).toHaveLength(4);
    expect(proxy.asked).toEqual([]);
  });

  it("of the process is not used when another environment is given", async () => {
    const proxy = await connectProxy(await deadPort(), 500);
    const before = process.env["HTTP_PROXY"];
    process.env["HTTP_PROXY"] = proxy.origin;
    onTestFinished(() => {
      if (before === undefined) delete process.env["HTTP_PROXY"];
      else process.env["HTTP_PROXY"] = before;
    });
    await failureOf(testStack("http://nowhere.invalid", { retry: { tries: 1 } }).client.get("site", {}, forever));
    expect(proxy.asked).toEqual([]);
  });

  it.each([403, 407, 502])("that refuses with %i is a failure in which the site surely saw nothing", async (status) => {
    const proxy = await connectProxy(await deadPort(), status);
    const { client } = testStack("http://site.test", { environment: { HTTP_PROXY: proxy.origin } });
    const failure = await failureOf(client.send({ method: "POST", path: "guides", json: {}, create: true }, forever));
    expect(failure).toBeInstanceOf(ConnectionError);
    expect(failure).toMatchObject({ unsent: true });
    expect(failure.message).toMatch(new RegExp(`proxy refused to connect, with status ${status}.*NO_PROXY`));
    expect(proxy.asked).toHaveLength(6);
  });

  it.each(["http", "https"])("that cannot be reached is named for %s, without its password", async (scheme) => {
    const port = await deadPort();
    const proxy = `http://ann:sesame@127.0.0.1:${port}`;
    const { client } = testStack(`${scheme}://site.test`, { environment: { HTTP_PROXY: proxy, HTTPS_PROXY: proxy } });
    const failure = await failureOf(client.send({ method: "POST", path: "guides", json: {}, create: true }, forever));
    expect(failure).toBeInstanceOf(ConnectionError);
    expect(failure).toMatchObject({ unsent: true, retriable: true, exitCode: 9 });
    expect(failure.message).toMatch(
      new RegExp(`proxy http://127.0.0.1:${port} cannot be reached: .*ECONNREFUSED.*HTTPS_PROXY`),
    );
    expect(failure.message).not.toMatch(/sesame|\bann\b/);
  });

  it("is the one of the upper-case variable where the lower-case one is empty", async () => {
    const site = await localServer((_, response) => json(response, {}));
    const proxy = await connectProxy(site.port);
    const environment = { http_proxy: "", HTTP_PROXY: proxy.origin, no_proxy: " ", NO_PROXY: "else.test" };
    await testStack("http://site.test", { environment }).client.get("site", {}, forever);
    expect(proxy.asked).toEqual(["site.test:80"]);
  });

  it("that is not an address is a wrong setting, and not shown", () => {
    const open = () => testStack("http://site.test", { environment: { https_proxy: "http://ann:sesame@no host" } });
    expect(open).toThrow(UsageError);
    expect(open).toThrow(/HTTPS_PROXY/);
    expect(open).not.toThrow(/sesame/);
  });
});

describe("a certificate that nobody here knows", () => {
  it("is refused before anything is sent, and not tried again", async () => {
    const { client } = testStack(`https://localhost:${await secureSite()}`);
    const failure = await failureOf(client.send({ method: "POST", path: "guides", json: {}, create: true }, forever));
    expect(failure).toBeInstanceOf(ConnectionError);
    expect(failure).toMatchObject({ unsent: true, retriable: false, exitCode: 9 });
    expect(failure.message).toMatch(/self-signed \(DEPTH_ZERO_SELF_SIGNED_CERT\).*NODE_EXTRA_CA_CERTS/);
  });

  it("is accepted when NODE_EXTRA_CA_CERTS names it, directly and through a proxy", async () => {
    if (!existsSync(BUILT)) throw new Error(`${BUILT.pathname} is not there: run \`npm run build\` first.`);
    const port = await secureSite();
    const proxy = await connectProxy(port);
    const script = `
      import { createStack } from ${JSON.stringify(BUILT.href)};
      const common = { credentials: { kind: "none" }, variables: "X", concurrency: 1 };
      const direct = createStack({ ...common, root: "https://localhost:${port}/api/2.0", environment: {} });
      const tunnel = createStack({ ...common, root: "https://site.test/api/2.0", environment: { HTTPS_PROXY: "${proxy.origin}" } });
      const signal = new AbortController().signal;
      for (const stack of [direct, tunnel]) {
        console.log((await stack.client.get("site", {}, signal)).text);
        await stack.close();
      }`;
    const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
      env: { ...process.env, NODE_EXTRA_CA_CERTS: CERTIFICATE },
      stdio: ["ignore", "pipe", "inherit"],
    });
    onTestFinished(() => void child.kill());
    let output = "";
    child.stdout.on("data", (chunk: Buffer) => {
      output += chunk.toString();
    });
    const [code] = await once(child, "close");
    expect(output).toBe('{"name":"Secure"}\n{"name":"Secure"}\n');
    expect(code).toBe(0);
    expect(proxy.asked).toEqual(["site.test:443"]);
  });
});
