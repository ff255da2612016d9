/** One place in an element's content. */
export interface Particle {
  /** Any one of these. */
  readonly names: readonly string[];
  readonly min: 0 | 1;
  readonly max: 1 | "many";
}

/** A simple type: what a value may be, in words, and a check of it with white space already taken off. */
export interface ValueRule {
  readonly expected: string;
  isValid(value: string): boolean;
}

export interface AttributeRule extends ValueRule {
  readonly isRequired?: true;
}

/** What CourseStructure.xsd says of one kind of element. */
export interface ElementRule {
  readonly content: readonly Particle[];
  /** Content in any order (`xs:all`). Default: in that of `content`. */
  readonly isUnordered?: true;
  /** Elements and attributes of other namespaces: the elements behind all others. */
  readonly isOpen: boolean;
  /** The text inside; none: white space only. */
  readonly text?: ValueRule;
  readonly attributes: Readonly<Record<string, AttributeRule>>;
  /** Which rule an element inside follows, where it is not the one of its own name. */
  readonly kinds?: Readonly<Record<string, string>>;
}

function one(name: string): Particle {
  return { names: [name], min: 1, max: 1 };
}

function maybe(name: string): Particle {
  return { names: [name], min: 0, max: 1 };
}

function some(...names: readonly string[]): Particle {
  return { names, min: 1, max: "many" };
}

function oneOf(...values: readonly string[]): AttributeRule {
  return { expected: `one of ${values.join(", ")}`, isValid: (value) => values.includes(value) };
}

const ANYTHING: AttributeRule = { expected: "any text", isValid: () => true };
/** Whether it is a good one is told of as such, and not as a breach of the schema. */
const ID: AttributeRule = { expected: "an IRI", isValid: (value) => value !== "", isRequired: true };
const URL_TEXT: ValueRule = { expected: "an address", isValid: (value) => value !== "" };
const LANGUAGE: AttributeRule = {
  expected: "a language, such as en-US",
  isValid: (value) => /^[a-z]{1,8}(?:-[a-z0-9]{1,8})*$/i.test(value),
};
const SCORE: AttributeRule = {
  expected: "a number from 0 to 1",
  isValid: (value) => /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/.test(value) && Number(value) >= 0 && Number(value) <= 1,
};

const OBJECTIVE_LIST = { isOpen: true, attributes: {}, content: [some("objective")] } as const;
const TITLED = [one("title"), one("description")];
const TEXTS: ElementRule = { isOpen: true, attributes: {}, content: [some("langstring")] };

/** CourseStructure.xsd of cmi5 (AICC, quartz, section 13.2), written as rules of our own; each key is a kind of element. */
export const STRUCTURE_RULES: Readonly<Record<string, ElementRule>> = {
  courseStructure: {
    isOpen: true,
    attributes: {},
    content: [one("course"), maybe("objectives"), some("au", "block")],
  },
  course: { isOpen: true, attributes: { id: ID }, content: TITLED },
  objectives: { ...OBJECTIVE_LIST },
  objective: { isOpen: false, attributes: { id: ID }, content: TITLED, isUnordered: true },
  objectiveReferences: { ...OBJECTIVE_LIST, kinds: { objective: "objectiveReference" } },
  objectiveReference: { isOpen: false, attributes: { idref: ANYTHING }, content: [] },
  block: {
    isOpen: true,
    attributes: { id: ID },
    content: [...TITLED, maybe("objectives"), some("au", "block")],
    kinds: { objectives: "objectiveReferences" },
  },
  au: {
    isOpen: true,
    attributes: {
      id: ID,
      moveOn: oneOf("NotApplicable", "Passed", "Completed", "CompletedAndPassed", "CompletedOrPassed"),
      masteryScore: SCORE,
      launchMethod: oneOf("AnyWindow", "OwnWindow"),
      activityType: ANYTHING,
    },
    content: [...TITLED, maybe("objectives"), one("url"), maybe("launchParameters"), maybe("entitlementKey")],
    kinds: { objectives: "objectiveReferences" },
  },
  title: TEXTS,
  description: TEXTS,
  langstring: { isOpen: true, attributes: { lang: LANGUAGE }, content: [], text: ANYTHING },
  url: { isOpen: false, attributes: {}, content: [], text: URL_TEXT },
  launchParameters: { isOpen: true, attributes: {}, content: [], text: ANYTHING },
  entitlementKey: { isOpen: true, attributes: {}, content: [], text: ANYTHING },
};
