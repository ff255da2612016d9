import type { Body, Operation, SentWrite } from "../../core/contracts.js";
import type { Key } from "../../core/model/key.js";
import type { Scratch } from "../../storage/workspace/scratch.js";
import { thingOf } from "./thing-of.js";

const WANTED = "plan wanted";

/** What the writes of a plan would send, thing by thing, of items that do not stand as we left them. */
export class WantedBodies {
  readonly #scratch: Scratch;

  constructor(scratch: Scratch) {
    scratch.clear(WANTED);
    this.#scratch = scratch;
  }

  note({ call }: Operation, sent: readonly SentWrite[]): void {
    const thing = thingOf(call);
    if (thing === undefined) return;
    const bodies = sent.map(({ json }) => (typeof json === "object" && json !== null ? (json as Body) : {}));
    this.#scratch.put(
      WANTED,
      thing,
      JSON.stringify([...this.of(thing), ...bodies.map((body) => wantedBy(call, body))]),
    );
  }

  /** In the names of `writable`; `gone`: it is to go. */
  of(thing: Key): readonly Body[] {
    return JSON.parse(this.#scratch.get(WANTED, thing) ?? "[]") as readonly Body[];
  }
}

function wantedBy(call: Operation["call"], json: Body): Body {
  if (call.verb === "set-visibility") return { public: call.public };
  if (call.verb === "order-steps") return { steps: json["stepids"] };
  return call.verb === "delete-step" ? { gone: true } : json;
}
