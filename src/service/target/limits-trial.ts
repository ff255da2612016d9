import type { LimitsProbe, LimitsTrial, Survey } from "../../core/contracts.js";
import type { Ask } from "../check/ask.js";
import { countRows } from "../check/count-rows.js";
import type { Home } from "../check/probe-guide.js";
import { fileNames, MOST_FILES, probeNames } from "../check/probe-names.js";
import { makeProbePage, removeProbePage } from "../check/probe-page.js";
import { isRefusal, saysOf, thingOf } from "../check/probe-thing.js";
import { probeWrite } from "../check/probe-write.js";
import { uploadAddress, uploadName } from "../check/read-site.js";
import { removeProbe } from "../check/remove-probe.js";
import { asJson } from "./as-left.js";

/** Characters of a line where nobody decided otherwise (api-facts 4.4). */
const LINE_LENGTH = 350;

/** A target's trial of the limits of steps, and what was decided. */
export interface Limits {
  readonly trial: LimitsTrial;
  readonly lineLength: () => number;
}

/** @param ask undefined where no probe can be made */
export function createLimitsTrial(root: string, ask: Ask | undefined, survey: () => Survey): Limits {
  let lineLength = LINE_LENGTH;
  const trial: LimitsTrial = {
    lineLength: () => lineLength,
    decide: (characters) => {
      lineLength = characters;
    },
    titles: () => {
      const { title, translated } = probeNames(new Date());
      return { title, translated };
    },
    probe: async ({ titles, questions }, { stop, abort }) => {
      if (ask === undefined) return unknown("there is no way to ask this target");
      const place = await placeFor(ask, titles.title, abort);
      if ("says" in place) return unknown(place.says);
      const names = { ...titles, file: "" };
      const home = homeIn(place.category, survey());
      const signals = { stop, abort, onLeft: () => undefined };
      const written = await probeWrite({ ask, root, names, home, limits: questions, uploads: false, ...signals });
      const { guide, step, limits, left } = written;
      const found = left.map(({ what, title, address, why }) => `${what} «${title}» at ${address} (${why})`);
      const page = place.made === null ? null : await removePage(ask, root, place.category, place.made, abort);
      const failed = [guide, step].find((act) => act !== null && act.isDone !== true);
      const says = limits?.trouble ?? (limits === null ? (failed?.says ?? "it was stopped before") : "a probe asked");
      return { facts: limits, says, left: [...found, ...(page ?? [])].join("; ") || null };
    },
    clear: async (titles, signal) => {
      if (ask === undefined) return null;
      const guide = { ...thingOf("guide", titles.title, root), otherTitle: titles.translated };
      const removal = await removeProbe(ask, root, guide, signal);
      const left = removal.left === null ? [] : [`guide «${guide.title}» at ${guide.address} (${removal.left})`];
      left.push(...(await clearUploads(ask, root, titles.title, signal)));
      left.push(...((await removePage(ask, root, titles.title, undefined, signal)) ?? []));
      return left.join("; ") || null;
    },
  };
  return { trial, lineLength: trial.lineLength };
}

function unknown(says: string): LimitsProbe {
  return { facts: null, says, left: null };
}

type Place = { readonly category: string; readonly made: unknown } | { readonly says: string };

/** A guide needs a category that is there; where there is none one is made, `made` is the answer to that then. */
async function placeFor(ask: Ask, title: string, signal: AbortSignal): Promise<Place> {
  const listed = await ask({ path: "wikis/CATEGORY?limit=1" }, signal);
  const first = Array.isArray(listed.json) ? asJson(listed.json[0])["title"] : undefined;
  if (typeof first === "string") return { category: first, made: null };
  const told = await makeProbePage(ask, { namespace: "CATEGORY", title }, "guideferry probe", signal);
  if (told.status === null || told.status >= 300)
    return { says: `there is no category that a guide could be in, and none could be made: ${saysOf(told)}` };
  return { category: title, made: told.json };
}

async function removePage(
  ask: Ask,
  root: string,
  title: string,
  made: unknown,
  signal: AbortSignal,
): Promise<readonly string[] | null> {
  const why = await removeProbePage(ask, { namespace: "CATEGORY", title }, made, signal);
  return why === null ? null : [`category «${title}» at ${new URL(root).origin} (${why})`];
}

/** The specification's first type, where a site does not tell its own. */
const USUAL_TYPE = "replacement";

function homeIn(category: string, { guideTypes, subjectTypes }: Survey): Home {
  const types = guideTypes ?? [];
  const type = types.find((one) => !subjectTypes.includes(one)) ?? types[0] ?? USUAL_TYPE;
  return { category, type, subject: subjectTypes.includes(type) ? "guideferry probe" : null };
}

/** Uploads of a killed probe are known by their names. Why some are still there. */
async function clearUploads(ask: Ask, root: string, title: string, signal: AbortSignal): Promise<readonly string[]> {
  const next = fileNames({ title });
  const names = new Set(Array.from({ length: MOST_FILES }, next));
  const found = new Map<number, string>();
  const list = { list: "images", path: "user/media/images", id: imageId };
  const { isWhole, told } = await countRows(
    ask,
    list,
    (row) => {
      const [id, name] = [imageId(row), uploadName(row)];
      if (typeof id === "number" && typeof name === "string" && names.has(name)) found.set(id, name);
    },
    signal,
  );
  const left: string[] = [];
  for (const [id, name] of found) {
    const removal = await removeProbe(ask, root, { ...thingOf("upload", name, root), id }, signal);
    if (removal.left !== null) left.push(`upload «${name}» at ${uploadAddress(root, id)} (${removal.left})`);
  }
  // A site without the list can't be asked what is there; one that broke off is asked again by the next load.
  if (!isWhole && !isRefusal(told)) left.push("uploads, since the list of images could not be read");
  return left;
}

function imageId(row: Readonly<Record<string, unknown>>): unknown {
  return asJson(row["image"])["id"] ?? row["imageid"] ?? row["id"];
}
