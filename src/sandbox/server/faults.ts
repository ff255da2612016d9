import { setTimeout as sleep } from "node:timers/promises";
import type { HttpBindings } from "@hono/node-server";
import { alreadySent } from "../../core/util/already-sent.js";

/**
 * A fault of one request. `applied`: the site did the work, and only the answer is lost; else the
 * request never reached the site.
 */
export type Fault =
  | {
      readonly kind: "status";
      readonly status: number;
      /** Seconds, or an HTTP date. */
      readonly retryAfter?: number | string;
      readonly body?: unknown;
      readonly applied?: boolean;
    }
  | { readonly kind: "reset"; readonly applied: boolean }
  /** The head announces the whole length, and the connection ends after half of it. Applied. */
  | { readonly kind: "truncate" }
  /**
   * Status 200, no length, and half of the body, which ends as if it were complete: the host has no
   * more. For media. Applied.
   */
  | { readonly kind: "half" }
  /** Status 200 and a body that stops in the middle of its JSON. Applied. */
  | { readonly kind: "garbage" }
  /** Status 200 and a web page, as a proxy or a site under maintenance answers. Not applied. */
  | { readonly kind: "page" }
  | { readonly kind: "delay"; readonly milliseconds: number }
  /**
   * No answer comes until the sandbox closes. `reached` is called when the request hangs, after its
   * work if it is applied.
   */
  | { readonly kind: "stall"; readonly applied?: boolean; readonly reached?: () => void };

export interface SeenRequest {
  /** Counted from 1 since the start of the sandbox, in order of arrival. */
  readonly number: number;
  readonly method: string;
  /** Relative to the API root (`/guides/12`), else the path of the origin (`/media/…`). */
  readonly path: string;
  readonly query: string;
  readonly isApi: boolean;
}

/** The requests of a fault; a request must match every given field. */
export interface FaultPlace {
  readonly method?: string;
  readonly path?: string | RegExp;
  readonly number?: number;
  readonly writes?: boolean;
  /** The number of requests of the fault; default 1. */
  readonly times?: number;
}

/** Decides for each request, after the injected faults. */
export type Decision = (request: SeenRequest) => Fault | undefined | Promise<Fault | undefined>;

export interface Faults {
  /** Plans a fault for the next matching requests. Faults are tried in the order of injection. */
  inject(fault: Fault, place?: FaultPlace): void;
  /** Calls a function for each request; undefined removes it. */
  decide(decision: Decision | undefined): void;
  /** Runs before each page of a list, so that a test can change it; undefined removes it. */
  beforeList(hook: ((request: SeenRequest) => void | Promise<void>) | undefined): void;
  clear(): void;
}

export interface FaultPlan extends Faults {
  next(request: SeenRequest): Promise<Fault | undefined>;
  listed(request: SeenRequest): Promise<void>;
}

interface Planned {
  readonly fault: Fault;
  readonly place: FaultPlace;
  left: number;
}

export function createFaultPlan(): FaultPlan {
  let planned: Planned[] = [];
  let decision: Decision | undefined;
  let hook: ((request: SeenRequest) => void | Promise<void>) | undefined;
  return {
    inject: (fault, place = {}) => {
      planned.push({ fault, place, left: place.times ?? 1 });
    },
    decide: (next) => {
      decision = next;
    },
    beforeList: (next) => {
      hook = next;
    },
    clear: () => {
      planned = [];
      decision = undefined;
      hook = undefined;
    },
    next: async (request) => {
      const met = planned.find((one) => one.left > 0 && fits(one.place, request));
      if (met === undefined) return decision?.(request);
      met.left -= 1;
      return met.fault;
    },
    listed: async (request) => hook?.(request),
  };
}

function fits(place: FaultPlace, request: SeenRequest): boolean {
  const { method, path, number, writes } = place;
  const pathFits =
    path === undefined ||
    (typeof path === "string"
      ? path === request.path
      : new RegExp(path, path.flags.replace("g", "")).test(request.path));
  return (
    pathFits &&
    (method === undefined || method === request.method) &&
    (number === undefined || number === request.number) &&
    (writes === undefined || writes !== (request.method === "GET" || request.method === "HEAD"))
  );
}

interface Exchange {
  readonly bindings: HttpBindings;
  readonly answer: () => Promise<Response>;
  readonly closing: AbortSignal;
}

export async function applyFault(fault: Fault, exchange: Exchange): Promise<Response> {
  if ("applied" in fault && fault.applied) await (await exchange.answer()).arrayBuffer();
  return FAULTS[fault.kind](fault as never, exchange);
}

const FAULTS: {
  readonly [Kind in Fault["kind"]]: (fault: Extract<Fault, { kind: Kind }>, exchange: Exchange) => Promise<Response>;
} = {
  status: async ({ status, retryAfter, body }) => {
    const headers = new Headers({ "content-type": "application/json" });
    if (retryAfter !== undefined) headers.set("retry-after", String(retryAfter));
    return new Response(JSON.stringify(body ?? { message: `Fault ${status}` }), { status, headers });
  },
  reset: async (_fault, { bindings }) => {
    bindings.incoming.socket.resetAndDestroy();
    return alreadySent();
  },
  truncate: async (_fault, { answer, bindings }) => {
    const response = await answer();
    const body = Buffer.from(await response.arrayBuffer());
    const headers = { ...Object.fromEntries(response.headers), "content-length": String(body.length) };
    bindings.outgoing.writeHead(response.status, headers);
    bindings.outgoing.write(body.subarray(0, Math.floor(body.length / 2)), () => bindings.incoming.socket.destroy());
    return alreadySent();
  },
  half: async (_fault, { answer }) => {
    const response = await answer();
    const body = Buffer.from(await response.arrayBuffer());
    if (response.status === 206) return new Response(null, { status: 416 });
    const half = new Blob([body.subarray(0, Math.ceil(body.length / 2))]).stream();
    return new Response(half, { status: 200, headers: { "content-type": response.headers.get("content-type") ?? "" } });
  },
  garbage: async (_fault, { answer }) => {
    const response = await answer();
    const body = await response.text();
    const half = body.slice(0, Math.max(1, Math.floor(body.length / 2)));
    const xml = response.headers.get("content-type")?.includes("xml") === true;
    const type = xml ? "application/xml" : "application/json";
    return new Response(half === "" ? "{" : half, { status: 200, headers: { "content-type": type } });
  },
  page: async () => {
    const headers = { "content-type": "text/html; charset=utf-8" };
    return new Response("<!DOCTYPE html><title>Maintenance</title><p>Please try again later.", {
      status: 200,
      headers,
    });
  },
  delay: async ({ milliseconds }, { answer, closing }) => {
    await quietly(sleep(milliseconds, undefined, { signal: closing }));
    return answer();
  },
  stall: async ({ reached }, { bindings, closing }) => {
    reached?.();
    if (!closing.aborted) await new Promise((resolve) => closing.addEventListener("abort", resolve, { once: true }));
    bindings.incoming.socket.destroy();
    return alreadySent();
  },
};

/** A wait that ends when the sandbox closes is no failure. */
async function quietly(wait: Promise<void>): Promise<void> {
  await Promise.allSettled([wait]);
}
