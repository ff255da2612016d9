const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** `0.4 s`, `12 s`, `3 min 20 s`, `2 h 5 min` for milliseconds. */
export function durationWords(milliseconds: number): string {
  const seconds = Math.max(0, milliseconds) / 1000;
  if (seconds < 9.95) return `${Math.round(seconds * 10) / 10} s`;
  const whole = Math.round(seconds);
  if (whole < MINUTE) return `${whole} s`;
  if (whole < HOUR) return `${Math.floor(whole / MINUTE)} min ${whole % MINUTE} s`;
  return `${Math.floor(whole / HOUR)} h ${Math.floor((whole % HOUR) / MINUTE)} min`;
}
