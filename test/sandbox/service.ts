import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { type Sandbox, type SandboxOptions, startSandbox } from "../../src/sandbox/index.js";

/** The invented site that comes with the project. */
export const SAMPLE_SITE = fileURLToPath(new URL("../../samples/site", import.meta.url));

/** An image object. */
export interface Picture {
  readonly id: number;
  readonly guid: string;
  readonly mini: string;
  readonly large: string;
  readonly original: string;
}

/** What tests look at in answers; not every answer has every field. */
export interface Row {
  readonly guideid: number;
  readonly guide_revisionid: number;
  readonly revisionid: number;
  readonly stepid: number;
  readonly wikiid: number;
  readonly orderby: number;
  readonly id: number;
  readonly guid: string;
  readonly authToken: string;
  readonly title: string;
  readonly message: string;
  readonly summary: string;
  readonly introduction_raw: string;
  readonly flagid: string;
  readonly field: string;
  readonly code: string;
  readonly url: string;
  readonly download_url: string;
  readonly original: string;
  readonly isReady: boolean;
  readonly category: string;
  readonly image: Picture;
  readonly media: { readonly data: Row & readonly [Picture, ...Picture[]] };
  readonly steps: Rows;
  readonly lines: Rows;
  readonly flags: Rows;
  readonly errors: Rows;
  readonly documents: Rows;
  readonly encodings: Rows;
  readonly author: Row;
  readonly parts: Rows;
  readonly tools: Rows;
  readonly comments: Rows;
  readonly prerequisites: Rows;
  readonly name: unknown;
  readonly tags: unknown;
  readonly status: unknown;
  readonly langid: unknown;
  readonly srcid: unknown;
  readonly parentid: unknown;
  readonly text_raw: unknown;
  readonly contents_raw: unknown;
  readonly introduction_rendered: unknown;
  readonly introduction_json: unknown;
  readonly description: unknown;
  readonly difficulty: unknown;
  readonly completed: unknown;
  readonly isoptional: unknown;
  readonly featured_documentid: unknown;
  readonly display_titles: unknown;
  readonly [other: string]: unknown;
}

/** A list whose first entry a test may count on. */
export type Rows = readonly [Row, ...Row[]];

/** An answer, its JSON parsed: an object or a list. */
export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Row & Rows;
}

/** A running sandbox with one function per thing that tests do all the time. */
export interface Service {
  readonly sandbox: Sandbox;
  /** Sends JSON with the sandbox's token. `token: null` sends none. */
  send(method: string, path: string, body?: unknown, token?: string | null): Promise<Answered>;
  get(path: string, token?: string | null): Promise<Answered>;
  upload(path: string, bytes: Uint8Array): Promise<Answered>;
  /** Makes a guide in the category «Frames», which is made when it is missing. */
  makeGuide(fields?: Readonly<Record<string, unknown>>): Promise<Answered["body"]>;
  makeStep(guideid: number, fields?: Readonly<Record<string, unknown>>): Promise<Answered["body"]>;
  makeWiki(namespace: string, title: string, fields?: Readonly<Record<string, unknown>>): Promise<Answered["body"]>;
}

/** Starts a sandbox that ends with the test. */
export async function startService(options: SandboxOptions = {}): Promise<Service> {
  const sandbox = await startSandbox(options);
  onTestFinished(() => sandbox.close());
  const request = async (
    method: string,
    path: string,
    token: string | null,
    body?: string | Uint8Array<ArrayBuffer>,
  ): Promise<Answered> => {
    const response = await fetch(sandbox.url + path, {
      method,
      headers: token === null ? {} : { authorization: `api ${token}` },
      ...(body === undefined ? {} : { body }),
    });
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.startsWith("application/json") === true;
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
  };
  const service: Service = {
    sandbox,
    send: (method, path, body, token = sandbox.token) =>
      request(method, path, token, body === undefined ? undefined : JSON.stringify(body)),
    get: (path, token = sandbox.token) => request("GET", path, token),
    upload: (path, bytes) => request("POST", path, sandbox.token, new Uint8Array(bytes)),
    makeGuide: async (fields = {}) => {
      if ((await service.get("/wikis/CATEGORY/Frames")).status === 404) await service.makeWiki("CATEGORY", "Frames");
      const body = { category: "Frames", type: "how-to", title: "A frame", ...fields };
      return expectStatus(await service.send("POST", "/guides", body), 201);
    },
    makeStep: async (guideid, fields = {}) => {
      const body = { orderby: 1, lines: [{ text: "Cut it.", bullet: "black", level: 0 }], ...fields };
      return expectStatus(await service.send("POST", `/guides/${guideid}/steps`, body), 201);
    },
    makeWiki: async (namespace, title, fields = {}) =>
      expectStatus(await service.send("POST", "/wikis", { namespace, title, contents: "", ...fields }), 201),
  };
  return service;
}

function expectStatus(answer: Answered, status: number): Answered["body"] {
  if (answer.status !== status) throw new Error(`status ${answer.status}: ${JSON.stringify(answer.body)}`);
  return answer.body;
}
