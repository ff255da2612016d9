import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import { EXIT, FerryError, SignInError, StatusError, UsageError } from "../../core/errors.js";
import type { SiteIdentity } from "../../core/model/identity.js";
import type { ModuleSite, SiteImport, SiteModule, Upload } from "../../core/training.js";
import { bareAddresses } from "../../core/util/printable-text.js";
import { type Answer, type Client, type Query, type SendCall, segment } from "../http/client.js";
import { messageOf, NOT_AVAILABLE } from "../http/status-error.js";
import { PAGE } from "../source/paged-list.js";
import { identifySite } from "../source/session.js";
import { rowsOf, shapeOf, unreadableAnswer } from "./answer-fields.js";
import {
  readImport,
  readImportId,
  readLink,
  readModule,
  readModuleId,
  readProgress,
  readUsage,
} from "./read-answers.js";
import { PACKAGE_TYPE, PLACES, type Place, ROUTES, SENT } from "./vocabulary.js";

interface ModuleSiteOptions {
  readonly client: Client;
  readonly name: string;
  /** Prefix of its variables, for advice; default `GUIDEFERRY_TARGET`. */
  readonly variables?: string | undefined;
}

const NO_PREVIEW: readonly number[] = [...NOT_AVAILABLE, 409, 422];
const NO_HISTORY = NOT_AVAILABLE;
const FORGOTTEN: readonly number[] = [404, 410];
/** The import has ended, or the answer to an earlier cancel was lost. */
const ENDED: readonly number[] = [404, 409, 410, 422];

/** docs/design/training-service.md says what is sent and read, and what the errors mean. */
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
      createOnce(client, ROUTES.drafts, { [SENT.title]: title }, { what: "module", idOf: readModuleId }, signal),
    openDraft: async (module, title, signal) => {
      await client.send({ method: "PUT", path: ROUTES.draft(segment(module)), json: { [SENT.title]: title } }, signal);
    },
    createImport: (module, signal) =>
      createOnce(
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

async function createOnce(
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

/** Sites hide modules after they count them (api-facts 1.2): a short page is not the last one. */
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

/** Ids are numbers (specification); digits as text may be refused. */
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

/** Throws FerryError for an address that no site may get. */
function checkAddress(address: string): void {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url?.protocol !== "https:" && url?.protocol !== "http:") {
    throw new FerryError("The address of the package is not a web address. Use an address that begins with https://.", {
      exitCode: EXIT.someFailed,
    });
  }
  if (url.username === "" && url.password === "") return;
  throw new FerryError(
    `The address on ${url.host} holds a user name or password, which the site would store. Use an address without them, or download the package and import the file.`,
    { exitCode: EXIT.someFailed },
  );
}

/** A refusal repeats the address, whose query may be a secret. */
function withoutSignature({ message, status, retriable, exitCode }: StatusError): StatusError {
  return new StatusError(bareAddresses(message), { status, retriable, exitCode });
}

interface RowList<Row> {
  readonly path: string;
  readonly place: Place;
  /** undefined: the row has no id. */
  read(row: unknown): Row | undefined;
  /** A page below the smallest limit is the last one. */
  readonly shortIsLast: boolean;
}

interface WithId {
  readonly id: string;
}

/** Rows without a limit, or where it is ignored (specification, Limits). */
const SMALLEST_PAGE = 20;
/** Rows shared by two pages, for a list that shrinks. */
const OVERLAP = 10;
/** 200,000 rows: then the list has no end. */
const MOST_PAGES = 1000;
const MOST_SWEEPS = 20;

/**
 * All rows of a list, each once: sweeps until one finds nothing new. A sweep ends with a page
 * without new rows, so a list that ignores pages ends too. Throws FerryError for an answer that is
 * not a list, and for a row without an id.
 */
async function listRows<Row extends WithId>(
  client: Client,
  list: RowList<Row>,
  signal: AbortSignal,
): Promise<readonly Row[]> {
  const known = new Map<string, Row>();
  for (let sweep = 1; sweep <= MOST_SWEEPS; sweep += 1) {
    const before = known.size;
    const pages = await sweepOnce(client, list, known, signal);
    if (pages <= 2 || known.size === before) return [...known.values()];
  }
  return [...known.values()];
}

/** Returns the number of pages. */
async function sweepOnce<Row extends WithId>(
  client: Client,
  list: RowList<Row>,
  known: Map<string, Row>,
  signal: AbortSignal,
): Promise<number> {
  const seen = new Set<string>();
  for (let page = 1, offset = 0; page <= MOST_PAGES; page += 1) {
    const rows = await readPage(client, list, offset, signal);
    const fresh = rows.filter(({ id }) => !seen.has(id));
    for (const row of fresh) {
      seen.add(row.id);
      known.set(row.id, row);
    }
    const isLast = list.shortIsLast && page === 1 && rows.length < SMALLEST_PAGE;
    if (fresh.length === 0 || isLast) return page;
    offset += Math.max(Math.ceil(rows.length / 2), rows.length - OVERLAP);
  }
  throw new FerryError(
    `GET ${client.root}/${list.path} returns a list without an end, so the modules of the site are unknown.`,
    {
      exitCode: EXIT.unreachable,
    },
  );
}

async function readPage<Row>(
  client: Client,
  list: RowList<Row>,
  offset: number,
  signal: AbortSignal,
): Promise<readonly Row[]> {
  const ask = (query: Query, expect: readonly number[]) => client.get(list.path, { query, expect }, signal);
  const answer = await ask({ limit: PAGE, offset }, NO_PAGES);
  // A site may refuse `limit` and `offset`: then the whole list is read without them.
  const { json } = NO_PAGES.includes(answer.status) ? await ask({}, []) : answer;
  const rows = json === null || answer.status === 204 ? [] : rowsOf(json, list.place);
  if (rows === undefined) throw unreadable(client, list, `answered ${shapeOf(json)} instead of a list`);
  return rows.map((row) => {
    const read = list.read(row);
    if (read === undefined) throw unreadable(client, list, `lists an entry without an id: ${shapeOf(row)}`);
    return read;
  });
}

const NO_PAGES: readonly number[] = [400, 422];

function unreadable<Row>(client: Client, { path }: RowList<Row>, what: string): FerryError {
  return new FerryError(
    `GET ${client.root}/${path} ${what}, so the existing modules are unknown. ` +
      "`guideferry training probe` records the answers of the site without their content. Send that record to the developers of guideferry.",
    { exitCode: EXIT.unreachable },
  );
}

const ABSENT: readonly number[] = [...NOT_AVAILABLE, 410];
const FORBIDDEN: readonly number[] = [401, 403];

/**
 * The site, and whether this account can work with its external training modules: four reads, and a
 * fifth if there are modules. Everybody may read the list of modules, so the history of the first
 * one shows whether this account may import.
 *
 * @throws SignInError without a sign-in, or without the right; UsageError when the site has no such
 * modules
 */
async function surveyModules(client: Client, variables: string, signal: AbortSignal): Promise<SiteIdentity> {
  const identity = await identifySite(client, signal);
  if (identity.account === null) throw nobody(client, variables);
  const modules = await askForSurvey(client, ROUTES.modules, signal);
  if (ABSENT.includes(modules.status)) throw noModules(client, modules);
  if (FORBIDDEN.includes(modules.status)) throw notAllowed(client, variables, ROUTES.modules, modules);
  const [first] = rowsOf(modules.json, PLACES.module) ?? [];
  const id = readModuleId(first);
  if (id === undefined) return identity;
  const path = ROUTES.imports(segment(id));
  const imports = await askForSurvey(client, path, signal);
  if (FORBIDDEN.includes(imports.status)) throw notAllowed(client, variables, path, imports);
  return identity;
}

function askForSurvey(client: Client, path: string, signal: AbortSignal): Promise<Answer> {
  return client.get(path, { expect: [...ABSENT, ...FORBIDDEN], refusable: true }, signal);
}

function nobody({ root }: Client, variables: string): SignInError {
  return new SignInError(
    `The import needs a sign-in at ${root}. Set ${variables}_TOKEN (or ${variables}_EMAIL and ${variables}_PASSWORD) to an account of that site, check the address, and run the same command again.`,
  );
}

function noModules({ root }: Client, { status }: Answer): UsageError {
  return new UsageError(
    `${root} has no external training modules: GET ${root}/${ROUTES.modules} was answered ${status}. Not every site has this part of the service. Check the address, and ask the site's administrator whether it is enabled.`,
  );
}

function notAllowed({ root }: Client, variables: string, path: string, { status, json }: Answer): SignInError {
  const reported = messageOf(json);
  return new SignInError(
    `The account of ${variables}_TOKEN is not allowed to use external training modules: GET ${root}/${path} was answered ${status}${reported === undefined ? "" : ` (${reported})`}. Give it the right to manage courses, which administrators have, or use another account.`,
  );
}

/**
 * A form with one file, as a browser sends it (RFC 7578), for `SendCall.file`. It is streamed with
 * a known length, since proxies and the engine need a Content-Length. `name`: the field of the
 * form; `type`: of the file.
 */
export function multipartFile(name: string, type: string, upload: Upload): NonNullable<SendCall["file"]> {
  // 122 random bits: no file contains them, so none is searched.
  const boundary = `guideferry-${randomUUID()}`;
  const head = Buffer.from(
    `--${boundary}\r\n` +
      `Content-Disposition: form-data; name="${quoted(name)}"; filename="${quoted(upload.fileName)}"\r\n` +
      `Content-Type: ${type}\r\n\r\n`,
  );
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    size: head.length + upload.size + tail.length,
    open: () => Readable.from(pieces(head, upload, tail), { objectMode: false }),
  };
}

/**
 * `"`, line ends and control characters are percent-encoded (HTML, multipart/form-data);
 * `filename*` is for answers only (RFC 7578, 4.2).
 */
function quoted(name: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  return name.replace(/["\u0000-\u001f\u007f]/g, encodeURIComponent);
}

async function* pieces(head: Buffer, upload: Upload, tail: Buffer): AsyncGenerator<Uint8Array> {
  yield head;
  let sent = 0;
  for await (const bytes of contentOf(upload)) {
    sent += bytes.length;
    if (sent > upload.size) throw changed(upload, `it has more than ${upload.size} bytes`);
    yield bytes;
  }
  if (sent < upload.size) throw changed(upload, `it has only ${sent} of ${upload.size} bytes`);
  yield tail;
}

async function* contentOf(upload: Upload): AsyncGenerator<Uint8Array> {
  try {
    for await (const piece of upload.open()) {
      const bytes: unknown = piece;
      if (!(bytes instanceof Uint8Array)) throw new TypeError(`a stream of bytes gave a ${typeof bytes}`);
      yield bytes;
    }
  } catch (error) {
    throw new FerryError(
      `${upload.fileName} could not be read to its end during the upload. The connection was closed, so the site does not have the complete package. Check the disk of the file, then run the same command again.`,
      { exitCode: EXIT.someFailed, cause: error },
    );
  }
}

function changed({ fileName }: Upload, what: string): FerryError {
  return new FerryError(
    `${fileName} changed during the upload: ${what}. The connection was closed, so the site does not have the complete package. Run the same command again when no program writes to the file.`,
    { exitCode: EXIT.someFailed },
  );
}
