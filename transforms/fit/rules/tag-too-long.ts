import { cure, fitEach, lost, withField } from "../change.js";
import type { FitContext } from "../context.js";
import type { Change, FitRow } from "../rule.js";
import { nextPiece } from "../text/next-piece.js";
import { tokenizePlain } from "../text/tokenize.js";
import { TEXT_WISHES } from "../text/wishes.js";

const ROW = {
  code: "tag-too-long",
  what: "Length of a tag",
  limit: "32 characters",
  refuse: "refused",
  split: "left out, since a shorter one would be another tag (loss)",
  trim: "cut at a word; left out when there is such a tag already (loss)",
  source: "api-facts 4.6",
} as const satisfies FitRow;

/** Tags of guides and wikis. */
export const tagTooLong = {
  rows: [ROW],
  fit<T extends { readonly tags: readonly string[] }>(value: T, context: FitContext): Change<T> {
    const tags = fitEach(value.tags, (tag, index) => fitTag(tag, index, value.tags, context));
    return withField(value, "tags", {
      ...tags,
      value: tags.value === value.tags ? tags.value : [...new Set(tags.value)],
    });
  },
};

function fitTag(
  tag: string,
  index: number,
  tags: readonly string[],
  { limits, policy }: FitContext,
): Change<readonly string[]> | undefined {
  if (tag.length <= limits.tagLength) return undefined;
  const breach = {
    code: ROW.code,
    path: `tags[${index}]`,
    message: `the tag "${tag}" has ${tag.length} characters, and may have ${limits.tagLength}`,
    remedy: "Give it a shorter name at the source.",
  };
  const short = nextPiece(tokenizePlain(tag), 0, (piece) => piece.length <= limits.tagLength, TEXT_WISHES)?.text ?? "";
  const leaveOut = () => ({ value: [], findings: [lost(breach, "it was left out")] });
  return cure<readonly string[]>(policy, [tag], breach, {
    split: leaveOut,
    trim: () =>
      short === "" || tags.includes(short)
        ? leaveOut()
        : { value: [short], findings: [lost(breach, `it was cut to "${short}"`)] },
  });
}
