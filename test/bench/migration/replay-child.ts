import { readFile } from "node:fs/promises";
import { Agent, request as send } from "undici";
import type { Exchange } from "./site-process.js";

// Posts recorded writes with bare undici: what belongs to one guide in its order, guides and the
// rest side by side.

const [file = "", origin = "", token = "", concurrency = "1"] = process.argv.slice(2);
const exchanges = JSON.parse(await readFile(file, "utf8")) as readonly Exchange[];
const dispatcher = new Agent({ connections: Number(concurrency) });
/** Numbers of the recorded run → those of this one, by what they number. */
const numbers = new Map<string, unknown>();
let refused = 0;

/** One after the other in each; categories and uploads, which guides need, come first. */
function lanes(): { readonly first: Exchange[][]; readonly guides: Exchange[][] } {
  const first: Exchange[][] = [];
  const guides = new Map<string, Exchange[]>();
  for (const exchange of exchanges) {
    const id = guideOf(exchange);
    if (id === undefined) first.push([exchange]);
    else guides.set(id, [...(guides.get(id) ?? []), exchange]);
  }
  return { first, guides: [...guides.values()] };
}

function guideOf({ url, answer }: Exchange): string | undefined {
  if (!/^\/api\/2\.0\/guides(?:[?/]|$)/.test(url)) return undefined;
  return /guides\/(\d+)/.exec(url)?.[1] ?? String(parsed(answer)["guideid"]);
}

type Json = Readonly<Record<string, unknown>>;

function parsed(text: string): Json {
  const value: unknown = text === "" ? null : JSON.parse(text);
  return isJson(value) ? value : {};
}

function isJson(value: unknown): value is Json {
  return typeof value === "object" && value !== null;
}

const NUMBERED = ["guideid", "stepid", "revisionid", "guide_revisionid"];

/** What of an answer the next requests name. */
function learn(old: Json, fresh: Json): void {
  for (const name of NUMBERED) if (old[name] !== undefined) numbers.set(`${name} ${String(old[name])}`, fresh[name]);
  const [before, after] = [old["image"], fresh["image"]];
  if (isJson(before) && isJson(after)) numbers.set(`image ${String(before["id"])}`, after["id"]);
  const [olds, freshs] = [old["steps"], fresh["steps"]];
  if (!Array.isArray(olds) || !Array.isArray(freshs)) return;
  for (const [at, step] of olds.entries()) if (isJson(step) && isJson(freshs[at])) learn(step, freshs[at]);
}

async function replay(exchange: Exchange): Promise<void> {
  const body = translated(Buffer.from(exchange.body, "base64"), exchange.type);
  const answer = await send(`${origin}${translatedUrl(exchange.url)}`, {
    dispatcher,
    method: exchange.method as "POST",
    headers: {
      accept: "application/json",
      authorization: `api ${token}`,
      ...(exchange.type === null ? {} : { "content-type": exchange.type }),
    },
    body: body.length === 0 ? null : body,
  });
  const text = await answer.body.text();
  if (answer.statusCode !== exchange.status) refused += 1;
  learn(parsed(exchange.answer), parsed(text));
}

function translatedUrl(url: string): string {
  return url
    .replace(/guides\/(\d+)/, (whole, id: string) => `guides/${String(numbers.get(`guideid ${id}`) ?? whole.slice(7))}`)
    .replace(/steps\/(\d+)/, (_, id: string) => `steps/${String(numbers.get(`stepid ${id}`) ?? id)}`)
    .replace(/revisionid=(\d+)/, (_, id: string) => `revisionid=${String(revision(id))}`);
}

function revision(id: string): unknown {
  return numbers.get(`guide_revisionid ${id}`) ?? numbers.get(`revisionid ${id}`) ?? id;
}

/** Pictures have other numbers on another site. */
function translated(body: Buffer, type: string | null): Buffer {
  if (type?.includes("json") !== true) return body;
  const text = body
    .toString()
    .replaceAll(/"data":\[([\d,]+)\]/g, (_, ids: string) => `"data":[${ids.split(",").map(picture).join(",")}]`);
  return Buffer.from(text);
}

function picture(id: string): string {
  return String(numbers.get(`image ${id}`) ?? id);
}

async function inLanes(all: readonly (readonly Exchange[])[]): Promise<void> {
  const left = [...all];
  const work = async (): Promise<void> => {
    for (let lane = left.shift(); lane !== undefined; lane = left.shift())
      for (const exchange of lane) await replay(exchange);
  };
  await Promise.all(Array.from({ length: Number(concurrency) }, work));
}

const { first, guides } = lanes();
await inLanes(first);
await inLanes(guides);
await dispatcher.close();
process.stdout.write(String(refused));
