import { randomBytes } from "node:crypto";
import { readdir } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { inspect } from "node:util";
import { expect } from "vitest";
import { WEB_PACKAGES } from "../../../src/service/http/address-guard.js";
import { type FetchOptions, fetchPackage } from "../../../src/training/fetch-package.js";
import { type Answering, localServer } from "../../helpers/local-server.js";
import { temporaryFolder } from "../../helpers/temporary-folder.js";
import { failureOf, forever, testStack } from "../../service/helpers/test-stack.js";

export const PACKAGE = randomBytes(300_000);

/** How a host gives the package: where it begins, how much it sends before it cuts the line. */
export interface Habit {
  readonly ranges?: boolean;
  readonly cutAfter?: number;
  readonly bytes?: Buffer;
  /** What it says of its size; null: nothing, also not in answers to ranges. */
  readonly length?: number | null;
}

export function give(response: ServerResponse, range: string | undefined, habit: Habit = {}): void {
  const { ranges = true, cutAfter, bytes = PACKAGE, length } = habit;
  const from = ranges ? Number(/^bytes=(\d+)-$/.exec(range ?? "")?.[1] ?? 0) : 0;
  if (from >= bytes.length) {
    response.writeHead(416).end();
    return;
  }
  const rest = bytes.subarray(from);
  const size = length === null ? {} : { "content-length": length ?? rest.length };
  const place =
    from > 0 ? { "content-range": `bytes ${from}-${bytes.length - 1}/${length === null ? "*" : bytes.length}` } : {};
  response.writeHead(from > 0 ? 206 : 200, { "content-type": "application/zip", ...size, ...place });
  if (cutAfter === undefined) response.end(rest);
  else response.write(rest.subarray(0, cutAfter), () => setTimeout(() => response.socket?.destroy(), 20));
}

export interface Fetching extends Partial<FetchOptions> {
  readonly path?: string;
}

/** Fetches from a server of this answer, into an empty folder. */
export async function fetching(answer: Answering, { path = "/course.zip?sig=s3cret", ...options }: Fetching = {}) {
  const { origin, arrivals } = await localServer(answer);
  const folder = await temporaryFolder();
  const stack = testStack(origin, { mediaWords: WEB_PACKAGES, retry: { tries: 2, firstDelay: 1 } });
  const work = fetchPackage(`${origin}${path}`, folder, {
    open: stack.openMedia,
    signal: forever,
    wait: () => 1,
    ...options,
  });
  return { origin, arrivals, folder, work };
}

export async function refusalOf(answer: Answering, options?: Fetching): Promise<Error> {
  const { work, folder } = await fetching(answer, options);
  const failure = await failureOf(work);
  expect(await readdir(folder)).toEqual([]);
  expect(inspect(failure, { depth: 9 })).not.toContain("s3cret");
  return failure;
}
