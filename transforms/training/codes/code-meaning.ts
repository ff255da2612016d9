/** What a code means, and what the author of the package does about it. */
export interface CodeMeaning {
  /** As in the standard profile. */
  readonly level: "error" | "warning";
  /** One clause. */
  readonly meaning: string;
  /** One sentence: what to change in the authoring tool. */
  readonly remedy: string;
}

export function refuses(meaning: string, remedy: string): CodeMeaning {
  return { level: "error", meaning, remedy };
}

export function warns(meaning: string, remedy: string): CodeMeaning {
  return { level: "warning", meaning, remedy };
}
