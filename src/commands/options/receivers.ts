import { z } from "zod";
import { UsageError } from "../../core/errors.js";
import { isLoopback } from "../../service/http/address.js";
import { Secret } from "../../service/http/secret.js";
import { type Environment, NOTIFY_VARIABLE } from "./credential-names.js";

/** Who is told of a run, from `--notify`. Its address is a secret: who knows it can send too. */
export interface Receiver {
  /** The form of the messages. */
  readonly kind: "json" | "healthchecks" | "slack";
  /** Without prefix and fragment. */
  readonly url: URL;
  /** Only runs that end with something other than success are told: `#failures`. */
  readonly onlyFailures: boolean;
}

const EXPECTED =
  "expected an address such as https://hooks.example/run, healthchecks+https://… or slack+https://…, without a user name and password, and with #failures or no fragment";

/** Services that are known by their host; an own installation has the prefix. */
const KNOWN: Readonly<Record<string, Receiver["kind"]>> = {
  "hc-ping.com": "healthchecks",
  "hooks.slack.com": "slack",
  "hooks.slack-gov.com": "slack",
};

/** One text or several; each may hold several addresses with spaces between them. */
export const receiversSchema: z.ZodType<readonly Receiver[]> = z.unknown().transform((given, context) => {
  const texts = (Array.isArray(given) ? given : [given]).flatMap((text) => addressesIn(String(text)));
  const receivers = texts.flatMap((text) => receiverAt(text) ?? []);
  if (texts.length > 0 && receivers.length === texts.length) return receivers;
  context.addIssue({ code: "custom", message: EXPECTED });
  return z.NEVER;
});

function addressesIn(text: string): readonly string[] {
  return text.split(/\s+/).filter((address) => address !== "");
}

function receiverAt(text: string): Receiver | undefined {
  const [, kind, address = ""] = /^(?:(json|healthchecks|slack)\+)?(https?:\/\/.+)$/i.exec(text) ?? [];
  if (!URL.canParse(address)) return undefined;
  const url = new URL(address);
  const isRefused = url.username !== "" || url.password !== "" || !["", "#failures"].includes(url.hash);
  if (isRefused) return undefined;
  const onlyFailures = url.hash !== "";
  url.hash = "";
  return {
    kind: (kind?.toLowerCase() as Receiver["kind"] | undefined) ?? KNOWN[url.host] ?? "json",
    url,
    onlyFailures,
  };
}

/** Throws UsageError for plain http to another machine; the message names only the host. */
function refuseInsecure(receivers: readonly Receiver[], insecureHttp: boolean): void {
  const open = receivers.find((receiver) => isInsecure(receiver));
  if (open === undefined || insecureHttp) return;
  throw new UsageError(
    `A notification to http://${open.url.host} would send its secret address unencrypted. Use https, or allow it with --insecure-http.`,
  );
}

function isInsecure({ url }: Receiver): boolean {
  return url.protocol === "http:" && !isLoopback(url.hostname);
}

interface ReceiverSources {
  /** What `--notify` gave; empty: nothing. */
  readonly given: readonly Receiver[];
  /** With the values of `…_FILE` and `…_COMMAND`. */
  readonly environment: Environment;
  /** The variable that the configuration file names (`notifyVariable`). */
  readonly named?: string | undefined;
  readonly insecureHttp: boolean;
}

/** The flag has priority over the variable, and that over the file. Throws UsageError. */
export function readReceivers({ given, environment, named, insecureHttp }: ReceiverSources): readonly Receiver[] {
  const [variable = ""] = [NOTIFY_VARIABLE, named ?? ""].filter((name) => (environment[name]?.trim() ?? "") !== "");
  const receivers = given.length > 0 || variable === "" ? given : receiversIn(variable, environment[variable] ?? "");
  refuseInsecure(receivers, insecureHttp);
  return receivers;
}

function receiversIn(variable: string, text: string): readonly Receiver[] {
  const parsed = receiversSchema.safeParse(text);
  if (parsed.success) return parsed.data;
  throw new UsageError(`${variable} holds no address for notifications: ${EXPECTED}.`);
}

/**
 * The receivers of a command line that could not be read, as far as they can be told. Addresses
 * that are wrong are left out, since an error about them is on its way already.
 */
export function receiversInWords(words: readonly string[], environment: Environment): readonly Receiver[] {
  const given = flagValues(words, "--notify");
  const texts = given.length > 0 ? given : [environment[NOTIFY_VARIABLE] ?? ""];
  const insecureHttp = words.includes("--insecure-http") || environment["GUIDEFERRY_INSECURE_HTTP"] === "true";
  return texts
    .flatMap(addressesIn)
    .flatMap((text) => receiverAt(text) ?? [])
    .filter((receiver) => insecureHttp || !isInsecure(receiver));
}

/** The values of a flag, such as `--notify`, in a command line that is not read yet. */
export function flagValues(words: readonly string[], flag: string): readonly string[] {
  return words.flatMap((word, at) => {
    if (word === flag) return words[at + 1] ?? [];
    return word.startsWith(`${flag}=`) ? word.slice(flag.length + 1) : [];
  });
}

/** A command line without `--notify`: it is printed and stored, so that somebody can repeat it. */
export function withoutNotify(words: readonly string[]): readonly string[] {
  return words.filter((word, at) => !/^--notify(?:=|$)/.test(word) && words[at - 1] !== "--notify");
}

/** A shorter path is no secret, and may occur in other texts. */
const SHORTEST_PATH = 16;

/** The addresses in a command line and a variable, whole and as paths: none may be printed. */
export function receiverSecrets(words: readonly string[], environment: Environment, named = ""): readonly Secret[] {
  const texts = [...flagValues(words, "--notify"), environment[NOTIFY_VARIABLE] ?? "", environment[named] ?? ""];
  return texts.flatMap(addressesIn).flatMap((text) => {
    const receiver = receiverAt(text);
    const path = receiver === undefined ? "" : `${receiver.url.pathname}${receiver.url.search}`;
    return [text, ...(path.length < SHORTEST_PATH ? [] : [path])].map((value) => new Secret(value));
  });
}
