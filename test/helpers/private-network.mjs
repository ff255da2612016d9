// A site on the internet whose content leads into the network of whoever reads it, with that network around it. It runs in a network
// namespace of its own (`unshare -rn`), so all of these addresses are on its loopback device and nothing is sent outside.
// Arguments: the folder of the built program, a folder for workspaces, the site's address, and "choices" for the runs with
// --allow-private-media too. Prints one line of JSON.
import { execFileSync } from "node:child_process";
import { createServer } from "node:http";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import { pathToFileURL } from "node:url";

const [dist, folder, SITE, choices] = process.argv.slice(2);
const INSIDE = ["10.0.0.5", "169.254.169.254"];
const PORT = 9000;

execFileSync("ip", ["link", "set", "lo", "up"]);
for (const address of [SITE, ...INSIDE]) execFileSync("ip", ["address", "add", `${address}/32`, "dev", "lo"]);

const { startSandbox } = await import(pathToFileURL(join(dist, "src/sandbox/index.js")).href);
const { run: program } = await import(pathToFileURL(join(dist, "src/commands/run.js")).href);
const sandbox = await startSandbox({ site: new URL("../../samples/site", import.meta.url).pathname });

const hosts = ["127.0.0.1", "localhost", "[::1]", "2130706433", "0x7f.1", "[::ffff:127.0.0.1]", ...INSIDE];
const direct = hosts.map((host) => `http://${host}:${PORT}/latest/meta-data`);
const hostile = [...direct, ...direct.map((address) => `http://${SITE}/away?to=${encodeURIComponent(address)}`)];

const served = { picture: undefined, isGone: false };
const reached = [];
const trap = (request, response) => {
  reached.push(`${request.socket.localAddress}${request.url}`);
  if (served.isGone) return response.writeHead(404).end();
  response.writeHead(200, { "content-type": "image/png" });
  if (request.socket.localAddress === "10.0.0.5") response.end(served.picture);
  else response.end('{"AccessKeyId": "AKIA", "SecretAccessKey": "never to be kept"}');
};
for (const address of ["127.0.0.1", "::1", ...INSIDE]) await listen(createServer(trap), PORT, address);

/** The sandbox's pictures by the address that the site gives for them: the first ones are hostile. */
const given = new Map();
const hostileFor = (path) => {
  if (!given.has(path)) given.set(path, hostile[given.size] ?? `http://${SITE}${path}`);
  return given.get(path);
};
const site = createServer(async (request, response) => {
  const away = new URL(request.url, `http://${SITE}`).searchParams.get("to");
  if (away !== null) return response.writeHead(302, { location: away }).end();
  const headers = { ...request.headers, "accept-encoding": "identity" };
  const answer = await fetch(`${sandbox.origin}${request.url}`, { method: request.method, headers });
  const body = Buffer.from(await answer.arrayBuffer());
  const type = answer.headers.get("content-type") ?? "";
  if (type === "image/png") served.picture ??= body;
  const pictures = new RegExp(`${sandbox.origin}(/media/[^"]*\\.full)`, "g");
  const text = () =>
    body
      .toString()
      .replaceAll("\\/", "/")
      .replaceAll(pictures, (_, path) => hostileFor(path));
  response.writeHead(answer.status, { "content-type": type });
  response.end(type.includes("json") ? text().replaceAll(sandbox.origin, `http://${SITE}`) : body);
});
await listen(site, 80, SITE);

const first = await extract([]);
const chosen = choices === "choices" ? await withChoices() : {};
process.stdout.write(`${JSON.stringify({ first, ...chosen, hostile: hostile.length })}\n`, () => process.exit(0));

async function withChoices() {
  const allowed = await extract(["--allow-private-media", "10.0.0.5"]);
  // What is allowed once holds for what takes up its failures.
  served.isGone = true;
  const failed = await extract(["--allow-private-media", "10.0.0.5"], "other");
  served.isGone = false;
  return { allowed, failed, retried: await run(["retry", join(folder, "other")]) };
}

function listen(server, port, address) {
  return new Promise((resolve, reject) => server.once("error", reject).listen(port, address, resolve));
}

function extract(more, workspace = "workspace") {
  return run(["extract", `http://${SITE}`, "--workspace", join(folder, workspace), ...more]);
}

async function run(words) {
  reached.length = 0;
  const flags = ["--insecure-http", "--json", "--rate", "1000"];
  let out = "";
  const stdout = new Writable({
    write(piece, _encoding, done) {
      out += piece;
      done();
    },
  });
  const environment = { XDG_STATE_HOME: join(folder, "state"), GUIDEFERRY_SOURCE_TOKEN: sandbox.token };
  const stdin = () => Readable.from([]);
  const code = await program({
    words: [...words, ...flags],
    environment,
    directory: folder,
    stdin,
    stdout,
    stderr: process.stderr,
    version: "0.0.0",
  });
  const summary = out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line))
    .findLast(({ type }) => type === "summary");
  return { code, reached: [...reached], summary };
}
