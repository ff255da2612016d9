/** One sample of a metrics file. */
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const NAME = "[a-zA-Z_:][a-zA-Z0-9_:]*";
const LABEL = String.raw`[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\[\\"n])*"`;
const VALUE = String.raw`[+-]?(?:\d+(?:\.\d*)?(?:[eE][+-]?\d+)?|\.\d+|Inf)|NaN`;
const SAMPLE = new RegExp(`^(${NAME})(?:\\{(${LABEL}(?:,${LABEL})*)?,?\\})? (${VALUE})(?: -?\\d+)?$`);
const HELP = new RegExp(String.raw`^# HELP (${NAME}) (?:[^\\]|\\[\\n])+$`);
const TYPE = new RegExp(`^# TYPE (${NAME}) (?:counter|gauge|histogram|summary|untyped)$`);

/**
 * Reads the text format of Prometheus, 0.0.4, as strictly as a collector may: each name has one
 * HELP and one TYPE before its samples, its lines are one group, and no series comes twice. Throws
 * for the first line that breaks a rule.
 */
export function parseExposition(text: string): readonly Sample[] {
  if (text !== "" && !text.endsWith("\n")) throw new Error("The last line has no end.");
  const [seen, typed, series] = [new Set<string>(), new Set<string>(), new Set<string>()];
  const samples: Sample[] = [];
  let current = "";
  for (const line of text.split("\n").slice(0, -1)) {
    const refuse = (why: string): never => {
      throw new Error(`${why}: ${line}`);
    };
    const name =
      HELP.exec(line)?.[1] ?? TYPE.exec(line)?.[1] ?? SAMPLE.exec(line)?.[1] ?? refuse("not a line of the format");
    if (name !== current && seen.has(name)) refuse("the lines of a name are not one group");
    if (line.startsWith("# HELP") && name === current) refuse("a second HELP, or one behind its TYPE");
    seen.add(name);
    current = name;
    if (line.startsWith("# TYPE")) {
      if (typed.has(name)) refuse("a second TYPE");
      typed.add(name);
    }
    const [match, , labels = "", value = ""] = SAMPLE.exec(line) ?? [];
    if (match === undefined) continue;
    if (!typed.has(name)) refuse("a sample before its TYPE");
    const sample = { name, labels: labelsIn(labels, refuse), value: Number(value.replace("Inf", "Infinity")) };
    const key = JSON.stringify([name, Object.entries(sample.labels).sort()]);
    if (series.has(key)) refuse("a series comes twice");
    series.add(key);
    samples.push(sample);
  }
  return samples;
}

function labelsIn(text: string, refuse: (why: string) => never): Sample["labels"] {
  const pairs = [...text.matchAll(new RegExp(LABEL, "g"))].map(([pair]): readonly [string, string] => {
    const at = pair.indexOf("=");
    const name = pair.slice(0, at);
    if (name.startsWith("__")) refuse("a reserved label");
    return [name, pair.slice(at + 2, -1).replace(/\\(.)/g, (_all, sign: string) => (sign === "n" ? "\n" : sign))];
  });
  if (new Set(pairs.map(([name]) => name)).size !== pairs.length) refuse("a label comes twice");
  return Object.fromEntries(pairs);
}

/** The value of the only sample of this name with these labels; undefined: none. */
export function sampleValue(
  samples: readonly Sample[],
  name: string,
  labels: Sample["labels"] = {},
): number | undefined {
  const found = samples.filter(
    (sample) =>
      sample.name === name && Object.entries(labels).every(([label, value]) => sample.labels[label] === value),
  );
  if (found.length > 1)
    throw new Error(`${found.length} samples of ${name} have the labels ${JSON.stringify(labels)}.`);
  return found[0]?.value;
}
