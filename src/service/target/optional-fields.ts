import { StatusError } from "../../core/errors.js";
import type { JsonObject } from "../../core/util/json.js";
import { objectIn, rowsIn } from "../../core/util/json.js";
import { type Ability, MARKS } from "./capabilities.js";
import type { Work } from "./context.js";

/** True unless the site refused the ability, now or in an earlier run. */
export async function mayHave({ site, context }: Work, ability: Ability): Promise<boolean> {
  const known = site.abilities.has(ability);
  if (known !== undefined) return known;
  return (await context.recall(memoOf(ability))) !== "no";
}

/** Notes a refusal, so that the field is not sent again. */
export async function noteRefused({ site, context }: Work, ability: Ability): Promise<void> {
  site.abilities.note(ability, false);
  await context.remember(memoOf(ability), "no");
}

function memoOf(ability: Ability): string {
  return `ability/${ability}`;
}

/** A guide's body without fields that the site refuses. */
export async function asTaken(work: Work, json: JsonObject): Promise<JsonObject> {
  let body = json;
  for (const ability of abilitiesIn(json)) if (!(await mayHave(work, ability))) body = without(body, ability);
  return body;
}

/**
 * Sends a guide's body. After a 422, which did nothing, sends it again without the fields that the
 * answer names, or without all optional ones. If that is refused too, throws the first refusal.
 */
export async function sendTaken<T>(work: Work, json: JsonObject, send: (json: JsonObject) => Promise<T>): Promise<T> {
  const body = await asTaken(work, json);
  try {
    return await send(body);
  } catch (error) {
    const isRefused = error instanceof StatusError && error.status === 422;
    const tried = isRefused ? abilitiesIn(body).filter((ability) => work.site.abilities.has(ability) !== true) : [];
    if (!isRefused || tried.length === 0) throw error;
    const named = tried.filter((ability) => isNamed(FIELDS[ability], error.body));
    const dropped = named.length > 0 ? named : tried;
    const answer = await send(dropped.reduce(without, body)).catch((second: unknown) => {
      // Only a second 422 shows another reason. A lost answer must be seen: the guide may exist.
      throw second instanceof StatusError && second.status === 422 ? error : second;
    });
    // If the answer names none of several fields, it is unknown which one was refused.
    if (dropped.length === 1 || named.length > 0) for (const ability of dropped) await noteRefused(work, ability);
    return answer;
  }
}

/** Reports sent fields that the answer doesn't show: the site ignored them. */
export function reportUntaken(work: Work, json: JsonObject, answer: unknown): void {
  const guide = objectIn(answer);
  if (json["work_log_enabled"] === true && guide["work_log_enabled"] !== true) work.report(NO_WORK_LOG);
  for (const list of ["parts", "tools"] as const) {
    const there = rowsIn(guide[list]);
    for (const [index, part] of rowsIn(json[list]).entries())
      for (const [ability, field] of MARKS)
        if (part[field] === true && there[index]?.[field] !== true)
          work.report(noMark(list, index, String(part["name"]), ability));
  }
}

const NO_WORK_LOG = {
  code: "work-log",
  level: "loss",
  path: "workLogEnabled",
  message: "Its work log is enabled at the source, and the target has no work logs.",
} as const;

function noMark(list: "parts" | "tools", index: number, name: string, ability: Ability) {
  const mark = ability === "part-optional" ? "optional" : "featured";
  return {
    code: "part-mark",
    level: "loss",
    path: `${list}[${index}].${mark}`,
    message: `${name} is marked as ${mark} at the source. On the target, parts and tools have no such mark.`,
    remedy: "Write it into the notes of the part or tool.",
  } as const;
}

const FIELDS: Readonly<Record<Ability, string>> = {
  uploads: "",
  author: "author",
  "work-log": "work_log_enabled",
  "part-optional": "isoptional",
  "part-featured": "featured",
};

function abilitiesIn(json: JsonObject): readonly Ability[] {
  const parts = [...rowsIn(json["parts"]), ...rowsIn(json["tools"])];
  return [
    ...(json["work_log_enabled"] === undefined ? [] : ["work-log" as const]),
    ...MARKS.filter(([, field]) => parts.some((part) => part[field] !== undefined)).map(([ability]) => ability),
  ];
}

function without(json: JsonObject, ability: Ability): JsonObject {
  const field = FIELDS[ability];
  const unmarked = (rows: unknown): unknown => rowsIn(rows).map(({ [field]: _mark, ...part }) => part);
  if (ability === "work-log") {
    const { work_log_enabled: _workLog, ...rest } = json;
    return rest;
  }
  const lists = (["parts", "tools"] as const).filter((list) => json[list] !== undefined);
  return { ...json, ...Object.fromEntries(lists.map((list) => [list, unmarked(json[list])])) };
}

function isNamed(field: string, body: unknown): boolean {
  return rowsIn(objectIn(body)["errors"]).some((error) => String(error["field"]).split(".").at(-1) === field);
}
