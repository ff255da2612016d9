import { inspect } from "node:util";

const HIDDEN = "[secret]";

/** A token or password. Only `reveal` shows it; printing, JSON and inspection show `[secret]`. */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return HIDDEN;
  }

  toJSON(): string {
    return HIDDEN;
  }

  [inspect.custom](): string {
    return HIDDEN;
  }
}

/** The password of an address, as it is written and decoded; none where it has none. */
export function passwordsIn(address: string): readonly Secret[] {
  const password = URL.canParse(address) ? new URL(address).password : "";
  if (password === "") return [];
  try {
    return [new Secret(password), new Secret(decodeURIComponent(password))];
  } catch {
    // A percent sign that begins no escape is part of the password.
    return [new Secret(password)];
  }
}

/**
 * Has each percent sign in the user and the password its two digits? Libraries that decode them
 * fail without words.
 */
export function hasReadableSignIn({ username, password }: URL): boolean {
  try {
    decodeURIComponent(username + password);
    return true;
  } catch {
    return false;
  }
}

export type Redact = (text: string) => string;

// A shorter value also occurs in ordinary words.
const SHORTEST = 4;

export interface Redactor {
  readonly redact: Redact;
  /** Hides one more secret from now on: the token of a login. */
  add(secret: Secret): void;
}

/**
 * Replaces secrets, also URL-encoded, JSON-escaped or in base64, by `[secret]`. No message has one,
 * but a site may repeat it. Values under 4 characters stay.
 */
export function createRedactor(secrets: readonly Secret[]): Redactor {
  let forms: readonly string[] = [];
  const add = (secret: Secret) => {
    const value = secret.reveal();
    if (value.length < SHORTEST) return;
    // The longest first: a form inside another one must not leave the rest of it.
    forms = [...new Set([...forms, ...formsOf(value)])].sort((a, b) => b.length - a.length);
  };
  secrets.forEach(add);
  const redact = (text: string): string => forms.reduce((safe, form) => safe.replaceAll(form, HIDDEN), text);
  return { add, redact: (text) => redact(text).replace(EMAIL_LOOKUP, "$1[e-mail]") };
}

/**
 * The value with each of its texts, at any depth, without secrets. In its finished JSON, a secret
 * of digits could hit a number.
 */
export function redactTexts<T>(value: T, redact: Redact): T;
export function redactTexts(value: unknown, redact: Redact): unknown {
  if (typeof value === "string") return redact(value);
  if (Array.isArray(value)) return value.map((inner) => redactTexts<unknown>(inner, redact));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, redactTexts<unknown>(inner, redact)]));
}

/** `GET users/email/ann%40site.example` */
const EMAIL_LOOKUP = /(\/users\/email\/)[^\s/?#"'<>]+/g;

const QUERY = /(:\/\/[^\s?#"'<>]*)[?#][^\s"'<>]*/g;

/** Also removes query and fragment from every address: `https://host/path?…`. */
export function hidingQueries({ add, redact }: Redactor): Redactor {
  return { add, redact: (text) => redact(text).replace(QUERY, "$1?…") };
}

function formsOf(value: string): readonly string[] {
  const encoded = encodeURIComponent(Buffer.from(value).toString());
  const lowerCase = encoded.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase());
  const form = new URLSearchParams({ v: value }).toString().slice(2);
  const json = JSON.stringify(value).slice(1, -1);
  return [value, encoded, lowerCase, form, json, ...base64Forms(value)];
}

// Base64 groups three bytes, so a value has three forms. Their edges depend on neighbours.
function base64Forms(value: string): readonly string[] {
  return [0, 1, 2].flatMap((offset) => {
    const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(value)]);
    const first = Math.ceil((offset * 8) / 6);
    const last = Math.floor((bytes.length * 8) / 6);
    return [bytes.toString("base64"), bytes.toString("base64url")]
      .map((text) => text.slice(first, last))
      .filter((text) => text.length >= SHORTEST);
  });
}
