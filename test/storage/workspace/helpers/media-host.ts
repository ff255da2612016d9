import { createServer, get, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import type { Opened } from "../../../../src/core/contracts.js";
import { StatusError } from "../../../../src/core/errors.js";

/** How one answer of the host goes wrong. */
export interface Fault {
  /** The connection breaks after so many bytes of the body. */
  readonly cutAfter?: number;
  /** The host sends everything, whatever was asked for. */
  readonly ignoreRange?: boolean;
  /** No Content-Length and no Content-Range. */
  readonly hideSize?: boolean;
  /** It has this by now. */
  readonly content?: Buffer;
}

export interface MediaHost {
  readonly open: (from: number) => Promise<Opened>;
  /** The positions that were asked for. */
  readonly asked: readonly number[];
}

/** A real server with one file; its n-th answer has the n-th fault, all later ones none. */
export async function startMediaHost(content: Buffer, faults: readonly Fault[] = []): Promise<MediaHost> {
  const asked: number[] = [];
  const server = createServer((request, response) => {
    const fault = faults[asked.length] ?? {};
    const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? "bytes=0-")?.[1]);
    asked.push(from);
    answer(response, fault.content ?? content, fault.ignoreRange === true ? 0 : from, fault);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { open: (from) => open(`http://127.0.0.1:${port}/`, from), asked };
}

function answer(response: ServerResponse, content: Buffer, from: number, fault: Fault): void {
  if (from >= content.length && from > 0) {
    response.writeHead(416).end();
    return;
  }
  const rest = content.subarray(from);
  const headers = { "content-type": "image/png", "content-length": rest.length };
  const range = { "content-range": `bytes ${from}-${content.length - 1}/${content.length}` };
  response.writeHead(from === 0 ? 200 : 206, fault.hideSize === true ? {} : { ...headers, ...(from > 0 ? range : {}) });
  if (fault.cutAfter === undefined) response.end(rest);
  else response.write(rest.subarray(0, fault.cutAfter), () => response.socket?.destroy());
  if (fault.cutAfter === 0) response.flushHeaders();
}

async function open(url: string, from: number): Promise<Opened> {
  const headers = from === 0 ? {} : { range: `bytes=${from}-` };
  const response = await new Promise<IncomingMessage>((resolve, reject) =>
    get(url, { headers, agent: false }, resolve).on("error", reject),
  );
  if (response.statusCode === 416) {
    response.resume();
    throw new StatusError(`GET ${url} answered 416`, { status: 416 });
  }
  const length = response.headers["content-length"];
  const start = response.statusCode === 206 ? from : 0;
  return {
    content: response,
    from: start,
    size: length === undefined ? null : Number(length) + start,
    type: response.headers["content-type"] ?? null,
  };
}
