/** A person can pause and resume requests; shared by all that sends some. */
export interface PauseState {
  readonly isPaused: boolean;
  /** The returned function cancels the call. */
  onChange(callback: () => void): () => void;
}

export interface Pause extends PauseState {
  /** No further request starts; active ones finish. No effect after `end`. */
  pause(): void;
  resume(): void;
  /** Resumes for good, so that the run can finish. */
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
