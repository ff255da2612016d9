import type { Line } from "../../core/model/guide.js";
import type { Place } from "./place.js";

/** The bullets that every site has, with the colour that they show (api-facts 3.4; light blue and violet are ours). */
const COLOURS: Readonly<Record<string, readonly [red: number, green: number, blue: number]>> = {
  black: [0x11, 0x16, 0x1a],
  red: [0xc1, 0x28, 0x0b],
  orange: [0xff, 0x90, 0x24],
  yellow: [0xf3, 0xe0, 0x0e],
  green: [0x16, 0xdc, 0x81],
  light_blue: [0x5a, 0xc8, 0xfa],
  blue: [0x23, 0x43, 0xe8],
  violet: [0x8f, 0x30, 0xd8],
};

/** Words in a style's type or label that make it one of the bullets with a picture. */
const PICTURES = [
  { words: /caution|warning|danger/i, bullet: "icon_caution" },
  { words: /remind/i, bullet: "icon_reminder" },
  { words: /note/i, bullet: "icon_note" },
] as const;

const PICTURE_BULLETS: readonly string[] = PICTURES.map(({ bullet }) => bullet);
/** The styles that come with every site; higher ids are the site's own (api-facts 3.4, inferred). */
const HIGHEST_COMMON_STYLE = 11;

/**
 * The bullet of a line. A style of the site's own becomes the named bullet that comes nearest: by the words of its label, else,
 * for a sign (`char`), a note, else by its colour. The style itself is kept beside it.
 */
export function readBullet(line: Place): Pick<Line, "bullet" | "bulletStyle"> {
  const name = line.at("bullet").textOrNull() ?? "";
  const id = line.at("bullet_styleid").integer();
  const named = name in COLOURS || PICTURE_BULLETS.includes(name);
  if (named && (id === null || id <= HIGHEST_COMMON_STYLE)) return { bullet: name, bulletStyle: null };
  const style = line.at("bullet_style").object();
  const label = style?.at("label").textOrNull() ?? null;
  const nearest = style === undefined ? undefined : nearestBullet(style, label);
  if (!named && nearest === undefined && name !== "") unknown(line, name);
  return {
    bullet: nearest ?? (named ? name : "black"),
    bulletStyle: id === null ? null : { id, label },
  };
}

function unknown(line: Place, name: string): void {
  line.at("bullet").report("unknown-bullet", "note", `is "${name}", which no bullet is called; it is taken as black`);
}

function nearestBullet(style: Place, label: string | null): string | undefined {
  const type = style.at("type").text();
  const picture = PICTURES.find(({ words }) => words.test(`${type} ${label ?? ""}`));
  if (picture !== undefined) return picture.bullet;
  return type === "char" ? "icon_note" : nearestColour(style.at("bullet_color").text());
}

function nearestColour(hexadecimal: string): string | undefined {
  const digits = /^#?([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(hexadecimal)?.slice(1);
  if (digits === undefined) return undefined;
  const wanted = digits.map((pair) => Number.parseInt(pair, 16));
  const distance = (colour: readonly number[]) =>
    colour.reduce((sum, part, index) => sum + (part - (wanted[index] ?? 0)) ** 2, 0);
  const [nearest] = Object.entries(COLOURS).toSorted(([, a], [, b]) => distance(a) - distance(b));
  return nearest?.[0];
}
