import type { Child } from "hono/jsx";
import type { JSX } from "hono/jsx/jsx-runtime";
import type { Line } from "../../../core/model/guide.js";
import { Icon, type IconName } from "../../components/icon.js";
import { SafeText } from "../../components/safe-html.js";
import { type NestedLine, nestedLines } from "./nested-lines.js";
import type { Texts } from "./texts.js";

interface Bullet {
  readonly name: string;
  /** Stands in the dot, so that nobody has to tell colours apart. Empty: a plain dot. */
  readonly letter: string;
}

/** The colours point at marks of the same colour in the pictures (api-facts 3.2). */
const COLOURS: Readonly<Record<string, Bullet>> = {
  black: { name: "", letter: "" },
  red: { name: "Red", letter: "R" },
  orange: { name: "Orange", letter: "O" },
  yellow: { name: "Yellow", letter: "Y" },
  green: { name: "Green", letter: "G" },
  light_blue: { name: "Light blue", letter: "L" },
  blue: { name: "Blue", letter: "B" },
  violet: { name: "Violet", letter: "V" },
};

const ICONS: Readonly<Record<string, { readonly name: string; readonly icon: IconName }>> = {
  icon_note: { name: "Note", icon: "info" },
  icon_caution: { name: "Caution", icon: "alert" },
  icon_reminder: { name: "Reminder", icon: "pin" },
};

const DEEPEST = 2;

/** The lines of a step, each with its bullet: a colour and a letter, or a sign and a word. */
export function StepLines({
  lines,
  texts,
}: {
  readonly lines: readonly Line[];
  readonly texts: Texts;
}): JSX.Element | null {
  return <LineList lines={lines} words={({ text }) => <SafeText html={texts.line(text)} inline />} />;
}

export type LineSetting = Pick<Line, "bullet" | "bulletStyle" | "level">;

export interface LineListProps<T extends LineSetting> {
  readonly lines: readonly T[];
  /** What a line says. */
  readonly words: (line: T) => Child;
}

/** Lines as lists in lists, since nobody hears a margin. */
export function LineList<T extends LineSetting>({ lines, words }: LineListProps<T>): JSX.Element | null {
  return <Level lines={nestedLines(lines, levelOf)} words={words} />;
}

interface LevelProps<T extends LineSetting> extends Pick<LineListProps<T>, "words"> {
  readonly lines: readonly NestedLine<T>[];
}

function Level<T extends LineSetting>({ lines, words }: LevelProps<T>): JSX.Element | null {
  if (lines.length === 0) return null;
  return (
    // biome-ignore lint/a11y/noRedundantRoles: a list without marks is none to Safari
    <ul class="lines" role="list">
      {lines.map(({ line, below }) => (
        <li>
          <StepLine line={line}>{words(line)}</StepLine>
          <Level lines={below} words={words} />
        </li>
      ))}
    </ul>
  );
}

interface StepLineProps {
  readonly line: LineSetting;
  readonly children: Child;
}

/** A line with its bullet, as far to the side as it is indented. Its words may run another way than the page. */
function StepLine({ line, children }: StepLineProps): JSX.Element {
  const { bullet, bulletStyle } = line;
  const level = `level-${levelOf(line)}`;
  const told = Object.hasOwn(ICONS, bullet) ? ICONS[bullet] : undefined;
  if (told === undefined)
    return (
      <div class={`line ${level}`}>
        <Dot bullet={bullet} />
        <span dir="auto">{children}</span>
      </div>
    );
  return (
    <div class={`line told ${bullet} ${level}`}>
      <Icon name={told.icon} />
      <span dir="auto">
        <strong>
          <bdi>{`${bulletStyle?.label ?? told.name}: `}</bdi>
        </strong>
        {children}
      </span>
    </div>
  );
}

function levelOf({ level }: LineSetting): number {
  return Math.min(DEEPEST, Math.max(0, Math.trunc(level)));
}

/** A bullet in words: `light blue`, `note`. */
export function bulletName({ bullet, bulletStyle }: Pick<Line, "bullet" | "bulletStyle">): string {
  const own = bulletStyle?.label ?? null;
  if (own !== null) return own;
  return bullet.replace(/^icon_/, "").replaceAll("_", " ");
}

function Dot({ bullet }: { readonly bullet: string }): JSX.Element {
  const colour = Object.hasOwn(COLOURS, bullet) ? COLOURS[bullet] : undefined;
  if (colour === undefined || colour.letter === "") return <span class="dot black" />;
  return (
    <span class={`dot ${bullet}`}>
      <span aria-hidden="true">{colour.letter}</span>
      <span class="unseen">{`${colour.name}: `}</span>
    </span>
  );
}
