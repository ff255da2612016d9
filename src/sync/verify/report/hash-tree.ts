import { createHash } from "node:crypto";

const BYTES = 32;
const LEAF = Buffer.from([0]);
const NODE = Buffer.from([1]);

/** One neighbour on the way from a leaf to the root: `L` or `R`, the side that it stands on, and its hash in hexadecimal. */
export type ProofStep = `${"L" | "R"}${string}`;

/** A hash tree over digests (RFC 9162, section 2.1.1): 64 bytes a digest. */
export interface HashTree {
  /** Lower-case hexadecimal. */
  readonly root: string;
  /** From the leaf at this place to the root (RFC 9162, section 2.1.3). */
  proof(place: number): readonly ProofStep[];
}

/** Collects digests, 32 bytes each. */
export class DigestList {
  #bytes = Buffer.alloc(1024 * BYTES);
  #count = 0;

  /** `digest`: 64 hexadecimal digits. */
  add(digest: string): void {
    if ((this.#count + 1) * BYTES > this.#bytes.length)
      this.#bytes = Buffer.concat([this.#bytes, Buffer.alloc(this.#bytes.length)]);
    this.#bytes.write(digest, this.#count * BYTES, "hex");
    this.#count += 1;
  }

  get size(): number {
    return this.#count;
  }

  /** The tree over what was added, of which there must be something. */
  tree(): HashTree {
    const levels = [leavesOf(this.#bytes.subarray(0, this.#count * BYTES))];
    for (let level = levels[0]; level !== undefined && level.length > BYTES; level = levels.at(-1))
      levels.push(above(level));
    return { root: (levels.at(-1) ?? LEAF).toString("hex"), proof: (place) => proofIn(levels, place) };
  }
}

/** Where a digest and its proof lead. */
export function rootFrom(digest: string, proof: readonly string[]): string {
  let node = hash(LEAF, Buffer.from(digest, "hex"));
  for (const step of proof) {
    const other = Buffer.from(step.slice(1), "hex");
    node = step.startsWith("L") ? hash(NODE, other, node) : hash(NODE, node, other);
  }
  return node.toString("hex");
}

function leavesOf(digests: Buffer): Buffer {
  const leaves = Buffer.alloc(digests.length);
  for (let at = 0; at < digests.length; at += BYTES) hash(LEAF, digests.subarray(at, at + BYTES)).copy(leaves, at);
  return leaves;
}

/** A node without a neighbour goes up as it is: so the tree is that of the RFC, whatever its size. */
function above(level: Buffer): Buffer {
  const nodes = Buffer.alloc(Math.ceil(level.length / (2 * BYTES)) * BYTES);
  for (let at = 0; at < level.length; at += 2 * BYTES) {
    const [left, right] = [level.subarray(at, at + BYTES), level.subarray(at + BYTES, at + 2 * BYTES)];
    (right.length === 0 ? left : hash(NODE, left, right)).copy(nodes, at / 2);
  }
  return nodes;
}

function proofIn(levels: readonly Buffer[], place: number): readonly ProofStep[] {
  return levels.flatMap((level, height): readonly ProofStep[] => {
    const at = Math.floor(place / 2 ** height);
    const neighbour = at % 2 === 0 ? at + 1 : at - 1;
    const hashed = level.subarray(neighbour * BYTES, (neighbour + 1) * BYTES);
    return hashed.length === 0 ? [] : [`${neighbour < at ? "L" : "R"}${hashed.toString("hex")}`];
  });
}

function hash(...parts: readonly Buffer[]): Buffer {
  const sum = createHash("sha256");
  for (const part of parts) sum.update(part);
  return sum.digest();
}
