// A message is shown in one line of a terminal: long ones (a stack trace, a page) help nobody there.
const LONGEST = 300;

/**
 * What the site itself says in an error body (api-facts 1.4): its message, with the single complaints of a 422 behind it.
 * undefined when it says nothing. Control characters are taken out, since a terminal would obey them.
 */
export function messageOf(body: unknown): string | undefined {
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
