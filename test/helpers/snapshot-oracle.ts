import { createHash } from "node:crypto";
import type { Sandbox } from "../../src/sandbox/index.js";

// What a site says of itself, asked by plain requests: none of the project's readers takes part.

/** A site in one night. */
export interface Oracle {
  /**
   * Answers as they came: of `guide/12`, `guide/12@de`, `category/Looms`, `wiki/WIKI/Sheds`, and of
   * paths.
   */
  readonly answers: ReadonlyMap<string, string>;
  /** The sha256 of each picture's bytes, by its number. */
  readonly pictures: ReadonlyMap<number, string>;
  /** Tags of guides, which their answers don't have. */
  readonly tags: ReadonlyMap<string, readonly string[]>;
}

type Json = Readonly<Record<string, unknown>>;

/** Bytes at an address never change while its site runs; a later site may get the same port. */
const HASHES = new WeakMap<Sandbox, Map<string, Promise<string>>>();
const NAMESPACES = ["CATEGORY", "WIKI", "INFO", "ITEM"];
const SETTABLE = ["GUIDE_STARRED"];
/** The guide of a changing site that is there in German too. */
export const TRANSLATED = 1;

/**
 * `translated`: the guide that is there in German too. `records`: further answers to ask for, paths
 * with their query by their keys.
 */
export async function askSite(
  sandbox: Sandbox,
  records: ReadonlyMap<string, string> = new Map(),
  translated: number | null = TRANSLATED,
): Promise<Oracle> {
  const answers = new Map<string, string>();
  const tags = new Map<string, readonly string[]>();
  const ask = async (key: string, path: string): Promise<Json> => {
    const text = await textAt(sandbox, path);
    answers.set(key, text);
    return JSON.parse(text) as Json;
  };
  const shown: Picture[] = [];
  for (const row of await listAt(sandbox, "guides?includePrivate&limit=200")) {
    const id = Number(row["guideid"]);
    const answer = await ask(`guide/${id}`, `guides/${id}?excludePrerequisiteSteps`);
    if (id === translated) await ask(`guide/${id}@de`, `guides/${id}?excludePrerequisiteSteps&langid=de`);
    tags.set(`guide/${id}`, JSON.parse(await textAt(sandbox, `guides/${id}/tags`)) as readonly string[]);
    shown.push(...picturesIn(answer));
  }
  for (const namespace of NAMESPACES) {
    for (const row of await listAt(sandbox, `wikis/${namespace}?limit=200`)) {
      const title = String(row["title"]);
      const key = namespace === "CATEGORY" ? `category/${title}` : `wiki/${namespace}/${title}`;
      await ask(key, `wikis/${namespace}/${encodeURIComponent(title)}`);
    }
  }
  for (const [key, path] of records) await ask(key, path);
  const pictures = new Map<number, string>();
  for (const { id, original } of shown) pictures.set(id, await hashAt(sandbox, original));
  return { answers, tags, pictures };
}

async function textAt({ url, token }: Sandbox, path: string): Promise<string> {
  const answer = await fetch(`${url}/${path}`, { headers: { authorization: `api ${token}` } });
  if (!answer.ok) throw new Error(`${path} was answered ${answer.status}: ${await answer.text()}`);
  return answer.text();
}

async function listAt(sandbox: Sandbox, path: string): Promise<readonly Json[]> {
  return JSON.parse(await textAt(sandbox, path)) as readonly Json[];
}

function hashAt(sandbox: Sandbox, address: string): Promise<string> {
  const hashes = HASHES.get(sandbox) ?? new Map<string, Promise<string>>();
  HASHES.set(sandbox, hashes);
  const known = hashes.get(address);
  if (known !== undefined) return known;
  const asked = fetch(address)
    .then((answer) => answer.arrayBuffer())
    .then((bytes) => createHash("sha256").update(Buffer.from(bytes)).digest("hex"));
  hashes.set(address, asked);
  return asked;
}

interface Picture {
  readonly id: number;
  readonly original: string;
}

function stepsIn(guide: Json): readonly Json[] {
  return guide["steps"] as readonly Json[];
}

function picturesOf(step: Json): readonly Picture[] {
  const media = step["media"] as { readonly type: string; readonly data: unknown };
  return media.type === "image" ? (media.data as readonly Picture[]) : [];
}

function picturesIn(guide: Json): readonly Picture[] {
  return stepsIn(guide).flatMap(picturesOf);
}

/**
 * What writes can carry, with titles in place of numbers: of two sites with the same content it is
 * the same. Translations are not in it, for which the service has no call.
 */
export function contentOf({ answers, tags, pictures }: Oracle): unknown {
  const all = [...answers].map(([key, text]) => ({ key, answer: JSON.parse(text) as Json }));
  const guides = all.filter(({ key }) => /^guide\/\d+$/.test(key));
  const wikis = all.filter(({ key }) => /^(?:category|wiki)\//.test(key)).map(({ answer }) => answer);
  const titles = new Map(guides.map(({ answer }) => [Number(answer["guideid"]), String(answer["title"])]));
  const named = (text: unknown): string =>
    String(text).replaceAll(/\[guide\|(\d+)/g, (found, id: string) => `[guide|${titles.get(Number(id)) ?? found}`);
  const contentOfGuide = (key: string, answer: Json): Json => ({
    ...only(answer, ["title", "category", "type", "subject", "summary", "difficulty", "public"]),
    introduction: named(answer["introduction_raw"]),
    conclusion: named(answer["conclusion_raw"]),
    tags: [...(tags.get(key) ?? [])].sort(),
    flags: idsIn(answer["flags"], "flagid").filter((flag) => SETTABLE.includes(String(flag))),
    prerequisites: idsIn(answer["prerequisites"], "guideid").map((id) => titles.get(Number(id))),
    steps: stepsIn(answer).map((step) => ({
      title: step["title"],
      lines: (step["lines"] as readonly Json[]).map((line) => ({
        text: named(line["text_raw"]),
        ...only(line, ["bullet", "level"]),
      })),
      pictures: picturesOf(step).map(({ id }) => pictures.get(id)),
    })),
  });
  const contentOfWiki = (wiki: Json): Json => ({
    ...only(wiki, ["namespace", "title", "display_title", "description", "tags", "parent"]),
    contents: named(wiki["contents_raw"]),
  });
  const guidesNow = guides.map(({ key, answer }) => contentOfGuide(key, answer));
  return { guides: sorted(guidesNow), wikis: sorted(wikis.map(contentOfWiki)) };
}

/** Flags are bare ids in the specification. */
function idsIn(list: unknown, field: string): readonly unknown[] {
  return (list as readonly (Json | string)[]).map((one) => (typeof one === "string" ? one : one[field]));
}

function only(value: Json, fields: readonly string[]): Json {
  return Object.fromEntries(fields.map((field) => [field, value[field]]));
}

function sorted(list: readonly Json[]): readonly Json[] {
  const nameOf = ({ namespace, title }: Json): string => `${namespace} ${title}`;
  return list.toSorted((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1));
}
