import type { SandboxOptions } from "../../../../src/sandbox/index.js";
import { packInto } from "../../../../src/storage/archive/write-archive.js";
import { type Answered, type Row, type Service, startService } from "../../service.js";

export const ROOT = "/external_training_modules";

/** A service with what tests of modules do all the time. */
export interface TrainingService extends Service {
  /** A new module; its id. */
  draft(title: string): Promise<number>;
  /** A new import of a module; its path, as `/…/imports/4`. */
  record(module: number): Promise<string>;
  /** Sends a form to `start/byUpload` of an import. */
  start(path: string, bytes: Uint8Array, name?: string): Promise<Answered>;
  /** A new module with an import that was started with a good package; the path of the import. */
  running(title: string, name?: string): Promise<string>;
  progress(path: string): Promise<Row>;
  /** The statuses of so many looks. */
  looks(path: string, count: number): Promise<readonly unknown[]>;
}

export async function trainingService(options: SandboxOptions = {}): Promise<TrainingService> {
  const service = await startService(options);
  const { sandbox, send, get } = service;
  const training: TrainingService = {
    ...service,
    draft: async (title) => (await send("POST", `${ROOT}/drafts`, { title })).body.id,
    record: async (moduleid) =>
      `${ROOT}/imports/${String((await send("POST", `${ROOT}/imports`, { moduleid })).body["importid"])}`,
    start: async (path, bytes, name = "course.zip") => {
      const form = new FormData();
      form.append("file", new File([new Uint8Array(bytes)], name, { type: "application/zip" }));
      const headers = { authorization: `api ${sandbox.token}` };
      const answer = await fetch(`${sandbox.url}${path}/start/byUpload`, { method: "POST", headers, body: form });
      return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Answered["body"] };
    },
    running: async (title, name = "course.zip") => {
      const path = await training.record(await training.draft(title));
      const { status } = await training.start(path, await packed(), name);
      if (status !== 200) throw new Error(`the start answered ${status}`);
      return path;
    },
    progress: async (path) => (await get(`${path}/progress`)).body,
    looks: async (path, count) => {
      const seen: unknown[] = [];
      while (seen.length < count) seen.push((await training.progress(path)).status);
      return seen;
    },
  };
  return training;
}

/** A zip of texts by path; default: a manifest and a page. */
export async function packed(files: Readonly<Record<string, string>> = COURSE): Promise<Uint8Array> {
  const pieces: Buffer[] = [];
  const entries = Object.entries(files).map(([path, text]) => ({ path, content: Buffer.from(text) }));
  await packInto("a package", async (bytes) => void pieces.push(Buffer.from(bytes)), entries);
  return Buffer.concat(pieces);
}

const COURSE = {
  "imsmanifest.xml": "<manifest><metadata><schemaversion>1.2</schemaversion></metadata></manifest>",
  "index.html": "<p>Knots</p>",
};
