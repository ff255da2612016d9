/** A place in which two values differ, in the model's words. */
export interface Difference {
  readonly path: string;
  readonly one: unknown;
  readonly other: unknown;
}

/** Where two values of the same form differ; lists of different lengths as a whole. */
export function differences(one: unknown, other: unknown, path = ""): readonly Difference[] {
  if (Object.is(one, other)) return [];
  if (Array.isArray(one) && Array.isArray(other) && one.length === other.length)
    return one.flatMap((each, index) => differences(each, other[index], `${path}[${index}]`));
  if (!isRecord(one) || !isRecord(other)) return [{ path, one, other }];
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  return names.flatMap((name) => differences(one[name], other[name], path === "" ? name : `${path}.${name}`));
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
