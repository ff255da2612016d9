import type { JSX } from "hono/jsx/jsx-runtime";
import type { Line } from "../../model/guide.js";
import { Icon, type IconName } from "../../pages/icon.js";
import { SafeText } from "../../pages/safe-html.js";
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
  if (lines.length === 0) return null;
  return (
    <ul class="lines">
      {lines.map((line) => (
        <StepLine line={line} texts={texts} />
      ))}
    </ul>
  );
}

function StepLine({ line, texts }: { readonly line: Line; readonly texts: Texts }): JSX.Element {
  const text = <SafeText html={texts.line(line.text)} inline />;
  const level = `level-${Math.min(DEEPEST, Math.max(0, Math.trunc(line.level)))}`;
  const told = Object.hasOwn(ICONS, line.bullet) ? ICONS[line.bullet] : undefined;
  if (told === undefined)
    return (
      <li class={`line ${level}`}>
        <Dot bullet={line.bullet} />
        {text}
      </li>
    );
  return (
    <li class={`line told ${line.bullet} ${level}`}>
      <Icon name={told.icon} />
      <span>
        <strong>{`${line.bulletStyle?.label ?? told.name}: `}</strong>
        {text}
      </span>
    </li>
  );
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
