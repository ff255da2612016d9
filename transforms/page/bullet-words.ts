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

/** The bullet that a word says, or undefined. */
export function bulletOf(word: string): string | undefined {
  return Object.keys(WORDS).find((bullet) => WORDS[bullet] === word);
}

/** Whether words begin as those of a sign do, `open` being what begins bold ones. */
export function beginsLikeSign(words: string, open: string): boolean {
  return Object.values(WORDS).some((word) => words.startsWith(open + word));
}
