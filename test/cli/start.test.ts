import { once } from "node:events";
import { existsSync } from "node:fs";
import { chmod, mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import module from "node:module";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { EXIT } from "../../src/core/errors.js";
import { startCli } from "../helpers/run-cli.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";

/**
 * What a command line loads, by V8's list of the scripts: paths below `dist/src` and
 * `node_modules`.
 */
async function loadedBy(...words: readonly string[]): Promise<readonly string[]> {
  const loaded = await scriptsOf(words, false);
  return loaded.flatMap((url) => /\/(?:dist\/src|node_modules)\/(.*)$/.exec(url)?.[1] ?? []);
}

/** The addresses of the scripts that a command line loads, of the modules or of the package. */
async function scriptsOf(words: readonly string[], isBundled: boolean): Promise<readonly string[]> {
  const folder = await temporaryFolder();
  await startCli(words, { environment: { NODE_V8_COVERAGE: folder }, isBundled }).ended;
  const [file = ""] = await readdir(folder);
  const { result } = JSON.parse(await readFile(join(folder, file), "utf8")) as {
    readonly result: readonly { readonly url: string }[];
  };
  return result.map(({ url }) => url);
}

/** The words of a command that ends with its first request: its site refuses the sign-in. */
async function extractRefused(): Promise<readonly string[]> {
  const site = createServer((_, response) => response.writeHead(401).end()).listen(0, "127.0.0.1");
  onTestFinished(() => void site.close());
  await once(site, "listening");
  const { port } = site.address() as AddressInfo;
  return ["extract", `http://127.0.0.1:${port}`, "--workspace", join(await temporaryFolder(), "workspace")];
}

/** Libraries that few runs use. */
const SELDOM = /^(?:ipaddr\.js|cli-table3)\//;

/** What reads and writes; a table of options needs its names and defaults at most. */
const HEAVY =
  /^(?:archiver|age-encryption|undici|hono)\/|^storage\/(?:archive|ledger|sqlite|repository\/(?:[rw]|format))|^service\/source\//;

describe("the start of the program", () => {
  it("loads the definitions of the group of the command that is named, and of no other", async () => {
    const loaded = await loadedBy("snapshots", join(await temporaryFolder(), "none"));
    expect(loaded.filter((path) => path.startsWith("commands/definitions/"))).toEqual([
      "commands/definitions/backup.js",
    ]);
    expect(loaded.filter((path) => SELDOM.test(path))).toEqual([]);
  });

  it("loads neither storage nor the service's endpoints for the options and the help, and libraries only where they are used", async () => {
    for (const words of [["--help"], ["complete", "--", "mig"]])
      expect((await loadedBy(...words)).filter((path) => HEAVY.test(path) || SELDOM.test(path))).toEqual([]);
    for (const words of [
      ["verify", join(await temporaryFolder(), "none")],
      ["check", "http://site.example"],
    ])
      expect((await loadedBy(...words)).filter((path) => SELDOM.test(path))).toEqual([]);
    expect((await loadedBy("check", "http://10.0.0.1")).some((path) => path.startsWith("ipaddr.js/"))).toBe(true);
  });

  it("loads for a restore into a folder nothing that asks or extracts a site", async () => {
    const loaded = await loadedBy("restore", join(await temporaryFolder(), "none"), await temporaryFolder());
    expect(loaded).toContain("commands/backup/restore.js");
    expect(loaded.filter((path) => /^(?:service\/(?:endpoints|source)|sync\/extract)\//.test(path))).toEqual([]);
  });

  it("lets Node search no sources of yauzl for exports, which takes a seventh of a start", async () => {
    const folder = "src/storage/archive";
    const sources = await Promise.all((await readdir(folder)).map((name) => readFile(join(folder, name), "utf8")));
    const imports = sources.flatMap((source) => source.match(/^import .* from "yauzl";$/gm) ?? []);
    expect(imports.length).toBeGreaterThan(0);
    expect(imports.filter((line) => !line.startsWith("import type "))).toEqual([]);
    const loaded = await loadedBy("verify", join(await temporaryFolder(), "none"));
    expect(loaded.filter((path) => path.startsWith("yauzl/"))).toContain("yauzl/index.js");
  });

  it("loads next to nothing for the version, which scripts ask for often", async () => {
    const own = (await scriptsOf(["--version"], true)).filter((url) => url.includes("/lib/src/"));
    expect(own).toContainEqual(expect.stringMatching(/\/cli\.js$/));
    const sizes = await Promise.all(own.map(async (url) => (await stat(new URL(url))).size));
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(20_000);
  });

  it("reads few files of the package, because each takes time, and no other packages than the modules need", async () => {
    const words = await extractRefused();
    const scripts = await scriptsOf(words, true);
    const own = scripts.filter((url) => /\/lib\/src\/[^/]+\.js$/.test(url) && !url.includes("/node_modules/"));
    expect(own.length).toBeGreaterThan(5);
    expect(own.length).toBeLessThanOrEqual(50);
    const packagesOf = (urls: readonly string[]): readonly string[] =>
      [...new Set(urls.flatMap((url) => /\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1] ?? []))].toSorted();
    const packages = packagesOf(await scriptsOf(words, false));
    const bundled = ["undici", "zod"];
    expect(packages).toEqual(expect.arrayContaining(bundled));
    expect(packagesOf(scripts)).toEqual(packages.filter((name) => !bundled.includes(name)));
  });

  it("connects through proxies, and tells receivers, with the parts of undici that the package contains", async () => {
    const proxied: string[] = [];
    const received: string[] = [];
    const site = createServer((request, response) => {
      proxied.push(`${request.headers.host} ${request.url}`);
      response.writeHead(401).end();
    });
    const proxy = createServer((request, response) => {
      received.push(`${request.method} ${request.url}`);
      response.end();
    });
    proxy.on("connect", (_request, socket) => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      site.emit("connection", socket);
    });
    onTestFinished(() => proxy.closeAllConnections());
    onTestFinished(() => void proxy.close());
    await once(proxy.listen(0, "127.0.0.1"), "listening");
    const address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    const words = ["extract", "http://site.example", "--insecure-http", "--notify", `${address}/receiver`];
    const { code } = await startCli(words, { directory: await temporaryFolder(), environment: { HTTP_PROXY: address } })
      .ended;
    expect(code).toBe(EXIT.signInRefused);
    expect(proxied[0]).toMatch(/^site\.example \/api\/2\.0\//);
    expect(received).toEqual(["POST /receiver", "POST /receiver"]);
  });

  it("has no HTTP/2 in the package, which Node would load with undici", async () => {
    const modules = (await readdir("lib/src")).filter((name) => name.endsWith(".js"));
    const texts = await Promise.all(modules.map((name) => readFile(join("lib/src", name), "utf8")));
    expect(texts.some((text) => text.includes("node:tls"))).toBe(true);
    expect(texts.filter((text) => text.includes("node:http2"))).toEqual([]);
  });

  it("has packed files that Node keeps with one byte for each character", async () => {
    const modules = (await readdir("lib/src")).filter((name) => name.endsWith(".js"));
    const texts = await Promise.all(modules.map((name) => readFile(join("lib/src", name), "utf8")));
    // Which characters they are is known from the escapes.
    expect(texts.some((text) => text.includes("\\u2026"))).toBe(true);
    expect(modules.filter((_, at) => /[^\0-\xff]/.test(texts[at] ?? ""))).toEqual([]);
  });

  it("loads what measures pictures with the first picture", async () => {
    const loaded = await loadedBy(...(await extractRefused()));
    expect(loaded).toContain("undici/index.js");
    expect(loaded.filter((path) => path.startsWith("image-size/"))).toEqual([]);
  });
});

describe("the compiled code", () => {
  /** The files that a start keeps below a folder for caches. */
  const keptBy = async (cache: string, environment: Readonly<Record<string, string>> = {}) => {
    const { code, stderr } = await startCli(["--help"], { environment: { XDG_CACHE_HOME: cache, ...environment } })
      .ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    return (await readdir(cache, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  };

  it("is kept for the next start, in a folder of this user, where Node can keep it", async () => {
    const cache = await temporaryFolder();
    expect((await keptBy(cache)).length > 5).toBe("enableCompileCache" in module);
    if (existsSync(join(cache, "guideferry"))) expect((await stat(join(cache, "guideferry"))).mode & 0o077).toBe(0);
  });

  it("is not kept where others could change it, nothing can be written, or Node is told not to", async () => {
    const [open, blocked, disabled] = [await temporaryFolder(), await temporaryFolder(), await temporaryFolder()];
    await mkdir(join(open, "guideferry"));
    await chmod(join(open, "guideferry"), 0o777);
    expect(await keptBy(open)).toEqual([]);
    await writeFile(join(blocked, "guideferry"), "");
    expect(await keptBy(blocked)).toHaveLength(1);
    expect(await keptBy(disabled, { NODE_DISABLE_COMPILE_CACHE: "1" })).toEqual([]);
  });
});
