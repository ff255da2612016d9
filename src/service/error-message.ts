// A message is shown in one line of a terminal: long ones (a stack trace, a page) help nobody there.
const LONGEST = 300;

/**
 * What the site itself says in an error body (api-facts 1.4): its message, with the single complaints of a 422 behind it.
 * `body` is the parsed JSON, or the text of an answer that is none: a request for XML gets its errors as XML (api-facts 1.1).
 * undefined when it says nothing. Control characters are taken out, since a terminal would obey them.
 */
export function messageOf(body: unknown): string | undefined {
  if (typeof body === "string") return messageOf(errorIn(body));
  if (!isObject(body)) return undefined;
  const general = textOf(body["message"]) ?? textOf(body["msg"]);
  const complaints = Array.isArray(body["errors"]) ? body["errors"].flatMap(complaintOf) : [];
  const privileges = Array.isArray(body["requiredPrivileges"]) ? body["requiredPrivileges"].flatMap(asText) : [];
  const parts = [
    ...(general === undefined ? [] : [general]),
    ...complaints.filter((complaint) => complaint !== general),
    ...(privileges.length === 0 ? [] : [`needs ${privileges.join(" or ")}`]),
  ];
  return parts.length === 0 ? undefined : shorten(parts.join("; "));
}

// An error is some hundred characters; a page that pretends to be one is not searched to its end.
const MOST_XML = 20_000;

/**
 * The fields of an error in XML, where each may be an attribute or an element, as the service prints its JSON (omanual 8).
 * Nothing is parsed: what matters is a line for a person, and the answer was refused already.
 */
function errorIn(text: string): Readonly<Record<string, unknown>> | undefined {
  const xml = text.slice(0, MOST_XML).trimStart();
  if (!/^<[?A-Za-z]/.test(xml) || /<html[\s>]/i.test(xml)) return undefined;
  const list = /<errors(?:\s[^<>]*)?>([\s\S]*?)<\/errors>/.exec(xml);
  const complaints = [...(list?.[1] ?? "").matchAll(/<(\w+)[^<>]*?(?:\/>|>([\s\S]*?)<\/\1>)/g)].map(
    ([whole, , inner]) => {
      const fields = Object.fromEntries(["message", "code", "field"].map((name) => [name, fieldIn(whole, name)]));
      return fields["message"] === undefined && fields["code"] === undefined ? wordsOf(inner ?? "") : fields;
    },
  );
  const rest = list === null ? xml : xml.replace(list[0], "");
  return { message: fieldIn(rest, "message"), msg: fieldIn(rest, "msg"), errors: complaints };
}

function fieldIn(xml: string, name: string): string | undefined {
  const element = new RegExp(`<${name}(?:\\s[^<>]*)?>([\\s\\S]*?)</${name}>`).exec(xml)?.[1];
  const attribute = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"<]*)"|'([^'<]*)')`).exec(xml);
  const written = element ?? attribute?.[1] ?? attribute?.[2];
  return written === undefined ? undefined : wordsOf(written);
}

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

function wordsOf(xml: string): string {
  const plain = xml.replace(/<!\[CDATA\[([\s\S]*?)\]\]>/g, (_, text: string) =>
    text.replaceAll("&", "&amp;").replaceAll("<", "&lt;"),
  );
  return plain
    .replace(/<[^<>]*>/g, " ")
    .replace(/&(?:#(\d{1,6})|([a-z]+));/g, (whole, number?: string, name = "") =>
      number === undefined ? (ENTITIES[name] ?? whole) : String.fromCodePoint(Number(number)),
    );
}

function complaintOf(error: unknown): readonly string[] {
  if (!isObject(error)) return asText(error);
  const message = textOf(error["message"]) ?? textOf(error["code"]);
  const field = textOf(error["field"]);
  const index = typeof error["index"] === "number" ? ` ${error["index"] + 1}` : "";
  if (message === undefined) return [];
  return [field === undefined ? message : `${field}${index}: ${message}`];
}

function asText(value: unknown): readonly string[] {
  const text = textOf(value);
  return text === undefined ? [] : [text];
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function shorten(text: string): string {
  const line = text.replace(/[\p{Cc}\p{Cf}\s]+/gu, " ").trim();
  return line.length <= LONGEST ? line : `${line.slice(0, LONGEST)}…`;
}
