// What nginx does with a file of `map` blocks, written from its source (ngx_conf_read_token,
// ngx_http_map) and not from ours.

/** A word of the file; a quoted one is no punctuation. */
interface Word {
  readonly text: string;
  readonly quoted: boolean;
}

/** One `map`: what it looks at, what it sets, and its entries as bytes, a character each. */
interface MapBlock {
  readonly subject: string;
  readonly sets: string;
  readonly entries: readonly (readonly [from: string, to: string])[];
}

export interface NginxFile {
  readonly settings: Readonly<Record<string, string>>;
  /** What a variable is for a request. Throws for a file that nginx would refuse. */
  value(variable: string, requestUri: string): string;
}

/** nginx reads its file in pieces of so many bytes, into one of which a word must fit. */
const BUFFER = 4096;

export function readNginx(text: string): NginxFile {
  const settings: Record<string, string> = {};
  const maps = new Map<string, MapBlock>();
  for (const statement of statements(Buffer.from(text).toString("latin1"))) {
    const [name = "", ...values] = statement.words;
    if (statement.block === null) {
      if (values.length !== 1) throw new Error(`${name} has ${values.length} values`);
      settings[name] = values[0] ?? "";
    } else {
      const [subject = "", sets = ""] = values;
      if (name !== "map" || values.length !== 2) throw new Error(`${statement.words.join(" ")} is no map`);
      maps.set(sets, checked({ subject, sets, entries: statement.block }, Number(settings["map_hash_bucket_size"])));
    }
  }
  return { settings, value: (variable, requestUri) => lookedUp(maps, variable, requestUri) };
}

interface Statement {
  readonly words: readonly string[];
  readonly block: MapBlock["entries"] | null;
}

function statements(text: string): readonly Statement[] {
  const found: Statement[] = [];
  let words: string[] = [];
  let block: { readonly words: readonly string[]; readonly entries: [string, string][] } | null = null;
  for (const { text: word, quoted } of wordsOf(text)) {
    if (quoted || !/^[;{}]$/.test(word)) {
      words.push(word);
      continue;
    }
    if (word === "{") {
      if (block !== null || words.length === 0) throw new Error("an unexpected {");
      block = { words, entries: [] };
    } else if (word === "}") {
      if (block === null || words.length > 0) throw new Error("an unexpected }");
      found.push({ words: block.words, block: block.entries });
      block = null;
    } else if (block === null) found.push({ words, block: null });
    else {
      const [from, to, ...more] = words;
      if (from === undefined || to === undefined || more.length > 0)
        throw new Error(`invalid number of parameters: ${words}`);
      block.entries.push([from, to]);
    }
    words = [];
  }
  if (block !== null || words.length > 0) throw new Error("unexpected end of file");
  return found;
}

function* wordsOf(text: string): Generator<Word> {
  for (let at = 0; at < text.length; ) {
    const rest = text.slice(at);
    const [blank] = /^(?:[ \t\r\n]+|#[^\n]*)/.exec(rest) ?? [];
    if (blank !== undefined) {
      at += blank.length;
      continue;
    }
    const [mark] = /^[;{}]/.exec(rest) ?? [];
    const [whole = mark] = /^"(?:[^"\\]|\\[\s\S])*"|^[^\s;{}"'\\]+/.exec(mark === undefined ? rest : "") ?? [];
    if (whole === undefined) throw new Error(`unexpected text at ${JSON.stringify(rest.slice(0, 40))}`);
    if (whole.length > BUFFER) throw new Error("too long parameter");
    at += whole.length;
    const quoted = whole.startsWith('"');
    if (quoted && !/^[\s;{)]/.test(text.slice(at))) throw new Error(`unexpected text behind ${whole}`);
    yield { text: quoted ? unescaped(whole.slice(1, -1)) : whole, quoted };
  }
}

const ESCAPES: Readonly<Record<string, string>> = { t: "\t", r: "\r", n: "\n", '"': '"', "'": "'", "\\": "\\" };

function unescaped(text: string): string {
  return text.replace(/\\([\s\S])/g, (whole, character: string) => ESCAPES[character] ?? whole);
}

/** Texts that differ by letter case alone are refused, and those that no bucket holds. */
function checked(map: MapBlock, bucket: number): MapBlock {
  const seen = new Set<string>();
  for (const [from] of map.entries) {
    if (from.startsWith("~") || from === "default") continue;
    const key = lower(from);
    if (seen.has(key)) throw new Error(`conflicting parameter ${JSON.stringify(from)}`);
    if (from.length + 32 > bucket) throw new Error(`could not build map_hash: ${from.length} bytes`);
    seen.add(key);
  }
  return map;
}

function lookedUp(maps: ReadonlyMap<string, MapBlock>, variable: string, requestUri: string): string {
  const subjects: Readonly<Record<string, () => string>> = {
    $request_uri: () => requestUri,
    $uri: () => normalised(requestUri),
  };
  const given = subjects[variable];
  if (given !== undefined) return given();
  const map = maps.get(variable);
  if (map === undefined) throw new Error(`unknown variable ${variable}`);
  const looked = lookedUp(maps, map.subject, requestUri);
  const plain = map.entries.find(
    ([from]) => !from.startsWith("~") && from !== "default" && lower(from) === lower(looked),
  );
  if (plain !== undefined) return filled(plain[1], {});
  for (const [from, to] of map.entries) {
    const found = from.startsWith("~") ? expression(from).exec(looked) : null;
    if (found !== null) return filled(to, found.groups ?? {});
  }
  const [, fallback = ""] = map.entries.find(([from]) => from === "default") ?? [];
  return fallback.startsWith("$") ? lookedUp(maps, fallback, requestUri) : fallback;
}

function filled(text: string, groups: Readonly<Record<string, string>>): string {
  return text.replace(/\$(\w+)|\$/g, (_whole, name: string | undefined) => {
    const value = name === undefined ? undefined : groups[name];
    if (value === undefined) throw new Error(`unknown variable in ${text}`);
    return value;
  });
}

/** `~` and `~*` of PCRE as JavaScript knows them: `(?s)` as a flag, `\z` as the end. */
function expression(from: string): RegExp {
  const ignoresCase = from.startsWith("~*");
  const source = from.slice(ignoresCase ? 2 : 1).replace("(?s)", "");
  return new RegExp(source.replaceAll("\\z", "$(?![\\s\\S])"), ignoresCase ? "is" : "s");
}

/** `$uri`: decoded, without a query, slashes single. Bytes, a character each. */
function normalised(requestUri: string): string {
  const [path = ""] = requestUri.split("?");
  const decoded = path.replace(/%([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return decoded.replace(/\/+/g, "/");
}

function lower(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
