/** Sections of an ini file by their names in small letters; the values of each by theirs. */
export type Ini = ReadonlyMap<string, IniSection>;

export interface IniSection {
  readonly values: ReadonlyMap<string, string>;
  /** All its lines, for sections of free text. */
  readonly text: string;
}

const SECTION = /^\s*\[([^\]]*)\]\s*$/;

/** An AICC `.crs`: sections, `key=value`, free text in `[Course_Description]`, any line ends. What is neither is a line of text. */
export function readIni(text: string): Ini {
  const sections = new Map<string, { readonly values: Map<string, string>; readonly lines: string[] }>();
  let current: { readonly values: Map<string, string>; readonly lines: string[] } | undefined;
  for (const line of text.split(/\r\n|\n|\r/)) {
    const name = SECTION.exec(line)?.[1]?.trim().toLowerCase();
    if (name !== undefined) {
      current = sections.get(name) ?? { values: new Map(), lines: [] };
      sections.set(name, current);
      continue;
    }
    if (current === undefined) continue;
    current.lines.push(line);
    const equals = line.indexOf("=");
    if (equals < 0) continue;
    const key = line.slice(0, equals).trim().toLowerCase();
    if (!current.values.has(key)) current.values.set(key, line.slice(equals + 1).trim());
  }
  return new Map([...sections].map(([name, { values, lines }]) => [name, { values, text: lines.join("\n").trim() }]));
}
