/** Why something can't be undone, each as a sentence about it. */
export const REASONS = {
  edited: "somebody edited it since",
  "steps-edited": "somebody edited, added or deleted a step of it since",
  "order-changed": "somebody changed the order of its steps since",
  commented: "somebody commented on it",
  tagged: "somebody put a tag on it",
  translated: "somebody translated it, or edited its translation",
  gone: "somebody deleted it since",
  "changed-later": "a later run changed it too; undo that one first",
  "others-inside": "others have put something into it",
  "others-work": "it holds what others wrote since a merge",
  "nothing-kept": "nothing was kept of how it was before",
  "no-call": "no call of the service empties it again",
  "no-way-back":
    "no call of the service takes a translation of a guide back, or brings its earlier texts back as they were",
  "not-ours": "it was there before, and nothing was kept of it",
  unsettled: "whether a write of a killed run was made can't be found out now",
  used: "something that stays uses it",
  failed: "the site refused it",
  unknown: "this version doesn't know how to undo it",
} as const satisfies Readonly<Record<string, string>>;

export type Reason = keyof typeof REASONS;
