/** Whether requests may start, as a person says; shared by everything that sends some. */
export interface PauseState {
  readonly isPaused: boolean;
  /** The returned function cancels the call. */
  onChange(callback: () => void): () => void;
}

/** A run that a person can hold up. */
export interface Pause extends PauseState {
  /** From now on no request starts; those that are under way finish. After `end` nothing. */
  pause(): void;
  resume(): void;
  /** Resumes for good: what is under way has to be finished. */
  end(): void;
}

export function createPause(): Pause {
  const callbacks = new Set<() => void>();
  let isPaused = false;
  let isOver = false;
  const turnTo = (paused: boolean): void => {
    if (isPaused === paused || (paused && isOver)) return;
    isPaused = paused;
    for (const callback of [...callbacks]) callback();
  };
  return {
    get isPaused() {
      return isPaused;
    },
    onChange: (callback) => {
      callbacks.add(callback);
      return () => callbacks.delete(callback);
    },
    pause: () => turnTo(true),
    resume: () => turnTo(false),
    end: () => {
      isOver = true;
      turnTo(false);
    },
  };
}
