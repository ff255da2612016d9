import { resolve } from "node:path";
import { z } from "zod";
import { type CommandName, option } from "./option.js";

/** A transform that somebody chose, as plain JSON: the run log keeps it for `retry`. */
export interface TransformChoice {
  /** One of guideferry's own, or the absolute path of a module. */
  readonly name: string;
  /** As they were given; each transform checks its own. */
  readonly options: Readonly<Record<string, unknown>>;
}

const TRANSFORMING: readonly CommandName[] = ["migrate", "load", "plan", "verify", "retry"];

const EXPECTED = "expected NAME, NAME:OPTION=VALUE,OPTION=VALUE, NAME:{JSON}, or ./FILE.mjs in place of NAME";

/** The text of one flag, several of them, or what a configuration file lists: texts, or objects with `name` and `options`. */
export const transformsSchema: z.ZodType<readonly TransformChoice[]> = z.unknown().transform((given, context) => {
  const choices: TransformChoice[] = [];
  for (const entry of entriesOf(given)) {
    const choice = typeof entry === "string" ? choiceIn(entry) : choiceSchema.safeParse(entry).data;
    if (choice === undefined) {
      context.addIssue({ code: "custom", message: `${EXPECTED}; ${JSON.stringify(entry)} is none of them` });
      return z.NEVER;
    }
    choices.push({ ...choice, name: MODULE.test(choice.name) ? resolve(choice.name) : choice.name });
  }
  return choices;
});

/** What is changed on the way to the target. */
export const TRANSFORM_OPTIONS = {
  transforms: option<readonly TransformChoice[]>({
    about:
      "change items on their way to the target, one transform after the other; each --transform adds one (transforms/steps)",
    value: "NAME[:OPTIONS]|FILE",
    schema: transformsSchema,
    fallback: [],
    fallbackText: "none",
    single: "transform",
    commands: TRANSFORMING,
  }),
} as const;

const choiceSchema = z.strictObject({
  name: z.string().min(1),
  options: z.record(z.string(), z.unknown()).default({}),
});

/** A variable holds one, or several as a JSON array. */
function entriesOf(given: unknown): readonly unknown[] {
  if (typeof given === "string" && given.startsWith("[")) return parseJson(z.array(z.unknown()), given) ?? [given];
  return Array.isArray(given) ? given : [given];
}

/** A path may hold a colon, a name never does. */
const MODULE = /\.[cm]?js$/;
const TEXT = /^(.+?\.[cm]?js|[a-z][a-z0-9-]*)(?::(.*))?$/s;

function choiceIn(text: string): TransformChoice | undefined {
  const [, name, given = ""] = TEXT.exec(text.trim()) ?? [];
  const options = given.startsWith("{") ? parseJson(z.record(z.string(), z.unknown()), given) : pairs(given);
  return name === undefined || options === undefined ? undefined : { name, options };
}

/** `from=old.example,to=new.example`. A value with a comma needs JSON. */
function pairs(text: string): TransformChoice["options"] | undefined {
  const parts = text === "" ? [] : text.split(",").map((part) => /^\s*([A-Za-z][A-Za-z0-9]*)=(.*)$/s.exec(part));
  if (parts.includes(null)) return undefined;
  const entries = parts.map((part) => [part?.[1] ?? "", part?.[2]?.trim() ?? ""] as const);
  const isOnce = new Set(entries.map(([key]) => key)).size === entries.length;
  return isOnce ? Object.fromEntries(entries) : undefined;
}

function parseJson<T>(schema: z.ZodType<T>, text: string): T | undefined {
  try {
    return schema.safeParse(JSON.parse(text)).data;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
