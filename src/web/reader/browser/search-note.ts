/** The line above the list: the number of items and the progress of the index. */
function createSearchNote(index: ReturnType<typeof createSearchIndex>) {
  /** Milliseconds of rest before a screen reader announces the number. */
  const speakAfter = 600;
  const numbers = new Intl.NumberFormat("en");
  const note = document.createElement("p");
  note.className = "muted";
  const spoken = document.createElement("p");
  spoken.className = "unseen";
  spoken.setAttribute("role", "status");
  let speaking = 0;

  function countWords({ count, isDone, near }: SearchOutcome): string {
    const number = numbers.format(count);
    if (!isDone) return `${number} results so far`;
    if (count === 0) return "No results";
    const words = count === 1 ? "1 result" : `${number} results`;
    return near === undefined ? words : `No exact match. ${words} with similar words`;
  }

  /** Empty: the index is complete. */
  function progressWords(): string {
    const { state, done, total } = index.state();
    if (index.hasFailed()) return "The search index cannot be loaded.";
    if (state === "broken")
      return `The search finds only ${numbers.format(done)} of ${numbers.format(total)} items, because reading the archive ended early.`;
    return state === "building" ? `Indexed ${numbers.format(done)} of ${numbers.format(total)} items so far.` : "";
  }

  function tell(outcome: SearchOutcome): void {
    const { count, hits, isDone } = outcome;
    // A failed search has no count.
    const counted = index.hasFailed() && count === 0 ? "" : countWords(outcome);
    const shown = count > hits.length && isDone ? `Showing the best ${hits.length}` : "";
    note.textContent = [counted, shown, progressWords()].filter((each) => each !== "").join(". ");
    if (isDone) speak(note.textContent);
  }

  function speak(words: string): void {
    window.clearTimeout(speaking);
    speaking = window.setTimeout(() => {
      spoken.textContent = words;
    }, speakAfter);
  }

  function silence(): void {
    window.clearTimeout(speaking);
    spoken.textContent = "";
  }

  return { note, spoken, tell, silence };
}
