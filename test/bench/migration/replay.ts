import type { Exchange } from "./site-process.js";

export interface Sent {
  readonly path: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  /** null: none. */
  readonly body: Buffer | null;
}

export interface Answered {
  readonly status: number;
  readonly json: Json;
}

export type Json = Readonly<Record<string, unknown>>;

const NUMBERED = ["guideid", "stepid", "revisionid", "guide_revisionid"];

/**
 * Sends recorded requests to another site: what belongs to one guide in its order, guides and the
 * rest side by side. It knows only what its next requests name: the numbers of the new site.
 */
export class Replay {
  readonly #send: (sent: Sent) => Promise<Answered>;
  readonly #token: string;
  /** Numbers of the recorded run → those of this one, by what they number. */
  readonly #numbers = new Map<string, unknown>();
  #refused = 0;

  constructor(token: string, send: (sent: Sent) => Promise<Answered>) {
    this.#send = send;
    this.#token = token;
  }

  /** Requests that were answered with another status than before. */
  refused(): number {
    return this.#refused;
  }

  /** Categories and uploads, which guides need, come first. */
  async send(exchanges: readonly Exchange[], concurrency: number): Promise<void> {
    const first: Exchange[][] = [];
    const guides = new Map<string, Exchange[]>();
    for (const exchange of exchanges) {
      const id = guideOf(exchange);
      const lane = id === undefined ? undefined : guides.get(id);
      if (lane !== undefined) lane.push(exchange);
      else if (id === undefined) first.push([exchange]);
      else guides.set(id, [exchange]);
    }
    for (const lanes of [first, [...guides.values()]])
      await atOnce(lanes, concurrency, async (lane) => {
        for (const exchange of lane) await this.#one(exchange);
      });
  }

  async #one(exchange: Exchange): Promise<void> {
    const body = this.#translated(Buffer.from(exchange.body, "base64"), exchange.type);
    const { status, json } = await this.#send({
      path: this.#translatedUrl(exchange.url),
      method: exchange.method,
      headers: {
        accept: "application/json",
        authorization: `api ${this.#token}`,
        ...(exchange.type === null ? {} : { "content-type": exchange.type }),
      },
      body: body.length === 0 ? null : body,
    });
    if (status !== exchange.status) this.#refused += 1;
    this.#learn(parsed(exchange.answer), json);
  }

  /** What of an answer the next requests name. */
  #learn(old: Json, fresh: Json): void {
    for (const name of NUMBERED)
      if (old[name] !== undefined) this.#numbers.set(`${name} ${String(old[name])}`, fresh[name]);
    const [before, after] = [old["image"], fresh["image"]];
    if (isJson(before) && isJson(after)) this.#numbers.set(`image ${String(before["id"])}`, after["id"]);
    const [olds, freshs] = [old["steps"], fresh["steps"]];
    if (!Array.isArray(olds) || !Array.isArray(freshs)) return;
    for (const [at, step] of olds.entries()) if (isJson(step) && isJson(freshs[at])) this.#learn(step, freshs[at]);
  }

  #translatedUrl(url: string): string {
    return url
      .replace(/guides\/(\d+)/, (whole, id: string) => `guides/${this.#number("guideid", id, whole.slice(7))}`)
      .replace(/steps\/(\d+)/, (_, id: string) => `steps/${this.#number("stepid", id)}`)
      .replace(/revisionid=(\d+)/, (_, id: string) => `revisionid=${this.#revision(id)}`);
  }

  #revision(id: string): string {
    return this.#number("guide_revisionid", id, this.#number("revisionid", id));
  }

  #number(of: string, id: string, otherwise = id): string {
    return String(this.#numbers.get(`${of} ${id}`) ?? otherwise);
  }

  /** Pictures have other numbers on another site. */
  #translated(body: Buffer, type: string | null): Buffer {
    if (type?.includes("json") !== true) return body;
    const text = body
      .toString()
      .replaceAll(
        /"data":\[([\d,]+)\]/g,
        (_, ids: string) => `"data":[${ids.split(",").map((id) => this.#number("image", id))}]`,
      );
    return Buffer.from(text);
  }
}

/** `work` on so many inputs at a time. */
export async function atOnce<T>(
  inputs: readonly T[],
  concurrency: number,
  work: (input: T, at: number) => Promise<void>,
): Promise<void> {
  const left = inputs.entries();
  const worker = async (): Promise<void> => {
    for (const [at, input] of left) await work(input, at);
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
}

function guideOf({ url, answer }: Exchange): string | undefined {
  if (!/^\/api\/2\.0\/guides(?:[?/]|$)/.test(url)) return undefined;
  const id = /guides\/(\d+)/.exec(url)?.[1] ?? parsed(answer)["guideid"];
  return id === undefined ? undefined : String(id);
}

/** An empty object where it is none. */
export function parsed(text: string): Json {
  const value: unknown = text === "" ? null : JSON.parse(text);
  return isJson(value) ? value : {};
}

function isJson(value: unknown): value is Json {
  return typeof value === "object" && value !== null;
}
