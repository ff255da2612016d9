/** What a text is, without what it says. The first that fits. */
const KINDS: readonly (readonly [RegExp, string])[] = [
  [/^[a-z][a-z0-9+.-]*:\/\/\S+$/i, "url"],
  [/^\/\S*$/, "path"],
  [/^[^\s@]+@[^\s@]+$/, "email"],
  [/^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i, "uuid"],
  [/^\d{4}-\d{2}-\d{2}(?:[T ][\d:.]+(?:Z|[+-]\d{2}:?\d{2})?)?$/, "date"],
  [/^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d/, "date"],
];

/** `text 12`: and how long it is, where that tells something. */
export function kindOfText(text: string): string {
  const [, kind] = KINDS.find(([pattern]) => pattern.test(text)) ?? [];
  if (kind !== undefined) return kind;
  const length = [...text].length;
  if (/^\d+$/.test(text)) return `digits ${length}`;
  return `${/<[a-z!/]/i.test(text) ? "html" : "text"} ${length}`;
}
