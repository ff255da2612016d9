/** How starts follow each other. Milliseconds. */
export interface Spacing {
  /** Between two starts. */
  readonly interval: number;
  /** How early a start may be behind one that came late: so much is caught up with, and a burst has no more than this allows. */
  readonly slack: number;
}

/** A schedule of starts. Milliseconds on a clock that nobody sets back. */
export interface Slots {
  /** When the next start is due, by the slots that were given. */
  readonly due: number;
  /** When it is due by the starts that left later than their slots, for want of a connection. */
  readonly left: number;
}

export const NO_SLOTS: Slots = { due: Number.NEGATIVE_INFINITY, left: Number.NEGATIVE_INFINITY };

/** The time of the next start. It may have passed by the slack: that much is caught up with. Where nothing started for longer, it is now. */
export function nextSlot({ due, left }: Slots, now: number, { slack }: Spacing): number {
  const next = Math.max(due, left);
  return next < now - slack ? now : next;
}

/** The schedule without that slot. */
export function withoutSlot(slots: Slots, slot: number, { interval }: Spacing): Slots {
  return { ...slots, due: slot + interval };
}

/** The schedule after a start that leaves only now: it counts where it leaves, since the site counts it there. */
export function leftLate(slots: Slots, now: number, { interval, slack }: Spacing): Slots {
  return { ...slots, left: Math.max(slots.left, now - slack) + interval };
}

/** The schedule that slots are taken from, of one queue or of several. */
export interface SlotSource {
  /** The next slot, which nobody else gets. */
  take(): number;
  /** A start leaves later than its slot by more than the slack. */
  leaveLate(): void;
}

/** The slot that one queue was given, until it starts something. */
export class HeldSlot {
  #slot: number | undefined;

  /** Milliseconds to wait; 0: the slot is used up, and the start has to follow at once. */
  claim(now: number, { interval, slack }: Spacing, source: SlotSource): number {
    // Nothing could be started for longer than a slot lasts: others may have had their turn.
    if (this.#slot !== undefined && now > this.#slot + Math.max(interval, slack)) this.#slot = undefined;
    this.#slot ??= source.take();
    if (this.#slot > now) return this.#slot - now;
    if (now > this.#slot + slack) source.leaveLate();
    this.#slot = undefined;
    return 0;
  }
}
