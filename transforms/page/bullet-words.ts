/** What stands before a line whose bullet is a sign; those of a colour only point into pictures. */
const WORDS: Readonly<Record<string, string>> = {
  icon_note: "Note:",
  icon_caution: "Caution:",
  icon_reminder: "Reminder:",
};

/** The word that a bullet says, or undefined. */
export function bulletWord(bullet: string): string | undefined {
  return Object.hasOwn(WORDS, bullet) ? WORDS[bullet] : undefined;
}
