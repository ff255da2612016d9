import { EXIT, FerryError, StatusError } from "../../core/errors.js";
import type { ModuleSite, SiteImport, SiteModule, Upload } from "../../core/training.js";
import { bareAddresses } from "../../core/util/bare-addresses.js";
import { type Client, segment } from "../client.js";
import { NOT_AVAILABLE } from "../not-available.js";
import { listRows, type RowList } from "./list-rows.js";
import { multipartFile } from "./multipart-file.js";
import { readImport, readImportId, readProgress } from "./read-import.js";
import { readLink } from "./read-link.js";
import { readModule, readModuleId } from "./read-module.js";
import { readUsage } from "./read-usage.js";
import { surveyModules } from "./survey-modules.js";
import { unreadableAnswer } from "./unreadable-answer.js";
import { PACKAGE_TYPE, PLACES, ROUTES, SENT } from "./vocabulary.js";

export interface ModuleSiteOptions {
  readonly client: Client;
  /** What the site is called in messages. */
  readonly name: string;
  /** What the names of its variables begin with, for advice; default `GUIDEFERRY_TARGET`. */
  readonly variables?: string | undefined;
}

const NO_PREVIEW: readonly number[] = [...NOT_AVAILABLE, 409, 422];
const NO_HISTORY = NOT_AVAILABLE;
const FORGOTTEN: readonly number[] = [404, 410];
/** Of a cancel: the import has ended by itself, or by this same call, whose first answer was lost. */
const ENDED: readonly number[] = [404, 409, 410, 422];

/** The external training modules of a site; README.md has what is sent, what is read and which errors mean what. */
export function createModuleSite({ client, name, variables = "GUIDEFERRY_TARGET" }: ModuleSiteOptions): ModuleSite {
  return { name, survey: (signal) => surveyModules(client, variables, signal), ...reads(client), ...writes(client) };
}

function reads(client: Client): Pick<ModuleSite, "modules" | "imports" | "progress" | "usage" | "preview"> {
  return {
    modules: (signal) => listRows(client, MODULES, signal),
    imports: (module, signal) => history(client, module, signal),
    progress: async (id, signal) => {
      const { status, json } = await client.get(ROUTES.progress(segment(id)), { expect: FORGOTTEN }, signal);
      return FORGOTTEN.includes(status) ? undefined : readProgress(id, json);
    },
    usage: async (module, signal) => readUsage((await client.get(ROUTES.usage(segment(module)), {}, signal)).json),
    preview: async (id, signal) => {
      const { status, json } = await client.get(ROUTES.preview(segment(id)), { expect: NO_PREVIEW }, signal);
      return NO_PREVIEW.includes(status) ? null : readLink(json, client.root);
    },
  };
}

type Writes = Omit<ModuleSite, keyof ReturnType<typeof reads> | "name" | "survey">;

function writes(client: Client): Writes {
  return {
    createModule: (title, signal) =>
      create(client, ROUTES.drafts, { [SENT.title]: title }, { what: "module", idOf: readModuleId }, signal),
    openDraft: async (module, title, signal) => {
      await client.send({ method: "PUT", path: ROUTES.draft(segment(module)), json: { [SENT.title]: title } }, signal);
    },
    createImport: (module, signal) =>
      create(
        client,
        ROUTES.newImport,
        { [SENT.module]: asSent(module) },
        { what: "import", idOf: readImportId },
        signal,
      ),
    startByUpload: (id, upload, signal) => startByUpload(client, id, upload, signal),
    startByUrl: (id, url, signal) => startByUrl(client, id, url, signal),
    cancel: async (id, signal) => {
      await client.send({ method: "POST", path: ROUTES.cancel(segment(id)), json: {}, expect: ENDED }, signal);
    },
    publish: async (module, signal) => {
      await client.send({ method: "PUT", path: ROUTES.current(segment(module)), json: {} }, signal);
    },
  };
}

/** Makes something new, sent once; its id. */
async function create(
  client: Client,
  path: string,
  json: object,
  { what, idOf }: { readonly what: string; idOf(answer: unknown): string | undefined },
  signal: AbortSignal,
): Promise<string> {
  const answer = await client.send({ method: "POST", path, json, create: true }, signal);
  const id = idOf(answer.json);
  if (id === undefined) throw unreadableAnswer(`POST ${client.root}/${path}`, `the id of the new ${what}`, answer.json);
  return id;
}

/** Modules may be hidden from an account after a page was cut (api-facts 1.2), so a short page is not the last one. */
const MODULES: RowList<SiteModule> = {
  path: ROUTES.modules,
  place: PLACES.module,
  read: readModule,
  shortIsLast: false,
};

async function history(client: Client, module: string, signal: AbortSignal): Promise<readonly SiteImport[]> {
  const path = ROUTES.imports(segment(module));
  try {
    return await listRows(client, { path, place: PLACES.import, read: readImport, shortIsLast: true }, signal);
  } catch (error) {
    if (error instanceof StatusError && NO_HISTORY.includes(error.status)) return [];
    throw error;
  }
}

/** Ids of the service are numbers (specification); it may refuse their digits as text. */
function asSent(id: string): string | number {
  const number = Number(id);
  return Number.isSafeInteger(number) && String(number) === id ? number : id;
}

async function startByUpload(client: Client, id: string, upload: Upload, signal: AbortSignal): Promise<void> {
  const file = multipartFile(SENT.file, PACKAGE_TYPE, upload);
  await client.send({ method: "POST", path: ROUTES.byUpload(segment(id)), file, create: true }, signal);
}

async function startByUrl(client: Client, id: string, url: string, signal: AbortSignal): Promise<void> {
  checkAddress(url);
  try {
    await client.send(
      { method: "POST", path: ROUTES.byUrl(segment(id)), json: { [SENT.url]: url }, create: true },
      signal,
    );
  } catch (error) {
    throw error instanceof StatusError ? withoutSignature(error) : error;
  }
}

/** @throws FerryError for what no site may be given */
function checkAddress(address: string): void {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url?.protocol !== "https:" && url?.protocol !== "http:") {
    throw new FerryError(
      "What is to be imported from an address is not at a web address. Give one that begins with https://.",
      {
        exitCode: EXIT.someFailed,
      },
    );
  }
  if (url.username === "" && url.password === "") return;
  throw new FerryError(
    `The address on ${url.host} holds a user name or password, which the site would keep. Give an address without, or download the package and import the file.`,
    { exitCode: EXIT.someFailed },
  );
}

/** A site that refuses an address repeats it, and what stands behind its path may open somebody's store. */
function withoutSignature({ message, status, retriable, exitCode }: StatusError): StatusError {
  return new StatusError(bareAddresses(message), { status, retriable, exitCode });
}
