/** How a text stands on a page. */
export interface SpentText {
  /** The text, or its beginning. */
  readonly text: string;
  /** Whether it stands as it is written, since the page has formatted enough. */
  readonly written: boolean;
}

/** What the texts of one page may cost together: a server makes its pages one after the other, so a page that takes long keeps everybody waiting. */
export interface TextBudget {
  spend(text: string): SpentText;
}

/** Units that are formatted: one for each UTF-16 unit and a hundred for each mark that opens something, which takes that much longer: two seconds at worst. */
const MOST_FORMATTED = 1_000_000;
const MARKS = /[[<]/g;
const MARK = 100;

/** UTF-16 units of all texts. */
const MOST_SHOWN = 5_000_000;
const CUT = "… (too long for a page; the archive has all of it)";

/** A budget for a page: what goes beyond it is shown as it is written, and of what goes far beyond it the beginning. */
export function createTextBudget(): TextBudget {
  let formatted = 0;
  let shown = 0;
  return {
    spend: (text) => {
      const left = MOST_SHOWN - shown;
      shown += text.length;
      if (text.length > left) return { text: text.slice(0, Math.max(0, left)) + CUT, written: true };
      const cost = text.length + MARK * (text.match(MARKS)?.length ?? 0);
      if (formatted + cost > MOST_FORMATTED) return { text, written: true };
      formatted += cost;
      return { text, written: false };
    },
  };
}
