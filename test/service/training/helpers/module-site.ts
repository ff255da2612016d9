import { Readable } from "node:stream";
import type { ModuleSite, Upload } from "../../../../src/core/training.js";
import type { StackOptions } from "../../../../src/service/http/stack.js";
import { createModuleSite } from "../../../../src/service/training/module-site.js";
import { type Answering, json, type LocalServer, localServer } from "../../../helpers/local-server.js";
import { testStack } from "../../helpers/test-stack.js";

/** What a site answers to `GET external_training_modules/current` and others below the API root. */
export type Answers = Readonly<Record<string, unknown>>;

/** The modules of whatever listens there. */
export function modulesAt(origin: string, options: Partial<StackOptions> = {}): ModuleSite {
  return createModuleSite({ client: testStack(origin, options).client, name: "the test site" });
}

export interface TestModuleSite extends LocalServer {
  readonly site: ModuleSite;
}

/** The modules of a site that answers as told. */
export async function moduleSite(answer: Answering, options: Partial<StackOptions> = {}): Promise<TestModuleSite> {
  const server = await localServer(answer);
  return { ...server, site: modulesAt(server.origin, options) };
}

/** A site that gives the same answer to everything. */
export function answering(body: unknown, status = 200): Promise<TestModuleSite> {
  return moduleSite((_, response) => json(response, body, status));
}

/** `POST external_training_modules/drafts`. */
export function calls({ arrivals }: LocalServer): readonly string[] {
  return arrivals.map(({ method, path }) => `${method} ${path.replace("/api/2.0/external_training_modules/", "")}`);
}

/** As large as those of a file that is read. */
const PIECE = 64 * 1024;

export function uploadOf(content: string | Buffer, fileName = "golf-0123456789ab.zip"): Upload {
  const bytes = Buffer.from(content);
  function* pieces(): Generator<Buffer> {
    for (let at = 0; at < bytes.length; at += PIECE) yield bytes.subarray(at, at + PIECE);
  }
  return { fileName, size: bytes.length, open: () => Readable.from(pieces(), { objectMode: false }) };
}
