import type { Key } from "../../../src/core/model/key.js";
import { cure, fitEach, lost } from "../change.js";
import type { FitContext } from "../context.js";
import type { Change, ElementRule, FitRow } from "../rule.js";
import type { Path } from "./place.js";

const ROW = {
  code: "media-refused",
  what: "Use of an image, video or document that is refused itself",
  limit: "none may be used",
  refuse: "refused",
  split: "left out (loss)",
  trim: "left out (loss)",
  source: "the media rules of this table",
} as const satisfies FitRow;

/** A media item that can't be uploaded can't be used. */
export const mediaRefused: ElementRule<Key, Path> = {
  row: ROW,
  fit(key, path, context) {
    if (!context.mediaRefused(key)) return undefined;
    const breach = {
      code: ROW.code,
      path,
      message: `the site doesn't take ${key}, which is used here`,
      remedy: `What is wrong with it stands under ${key}.`,
    };
    const leaveOut = () => ({ value: [], findings: [lost(breach, "it was left out")] });
    return cure<readonly Key[]>(context.policy, [key], breach, { split: leaveOut, trim: leaveOut });
  },
};

/** A list of media without the refused ones. */
export function fitKeys(keys: readonly Key[], path: Path, context: FitContext): Change<readonly Key[]> {
  return fitEach(keys, (key, index) => mediaRefused.fit(key, `${path}[${index}]`, context));
}

/** One media item or nothing; null when it is refused. */
export function fitKey(key: Key | null, path: Path, context: FitContext): Change<Key | null> {
  const change = key === null ? undefined : mediaRefused.fit(key, path, context);
  return change === undefined
    ? { value: key, findings: [] }
    : { value: change.value[0] ?? null, findings: change.findings };
}
