import { setTimeout as sleep } from "node:timers/promises";
import type { HttpBindings } from "@hono/node-server";
import { alreadySent } from "../../core/util/already-sent.js";
import type { Fault } from "./faults.js";

/** What a fault works with: the connection, and the way to the real answer. */
export interface Exchange {
  readonly bindings: HttpBindings;
  /** Lets the site do its work. */
  readonly answer: () => Promise<Response>;
  /** Fires when the sandbox closes. */
  readonly closing: AbortSignal;
}

/** The answer to a request that meets a fault. */
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
    return new Response("<!DOCTYPE html><title>Maintenance</title><p>We are back soon.", { status: 200, headers });
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

/** A wait that the closing sandbox cuts short is over, not failed. */
async function quietly(wait: Promise<void>): Promise<void> {
  await Promise.allSettled([wait]);
}
