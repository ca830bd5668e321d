import { accepts, type CharacterSet, isWordCharacter } from "./character-set.ts";
import {
  type Assertion,
  ExpressionError,
  type ExpressionNode,
  parseExpression,
} from "./parse-expression.ts";

/** A regular expression that has to fit a whole text. */
export interface AnchoredExpression {
  /** Takes time in proportion to the text, whatever the expression. */
  matches(text: string): boolean;
}

/**
 * Longest text that an expression is tried on, in UTF-16 units; a longer one fits no expression.
 *
 * The expressions are the operator's and trusted, but the texts are label values that anyone who can
 * fire an alert may choose, up to the size of a whole body. Matching is linear in the text, yet it
 * costs as many steps a character as the expression has parts, and each alert is tried on each matcher.
 */
export const MATCHED_CHARS_MAX = 4096;

/** Most steps of a compiled expression: counted repetitions are written out. */
const STEPS_MAX = 5000;

type Step =
  | { readonly type: "set"; readonly set: CharacterSet; readonly next: number }
  | { readonly type: "assertion"; readonly assertion: Assertion; readonly next: number }
  | { readonly type: "fork"; readonly next: readonly number[] }
  | { readonly type: "accept" };

/**
 * Compiles an expression in RE2's syntax (see `parseExpression`), anchored at both ends as all
 * matchers of Alertmanager are. All alternatives are followed side by side instead of one after the
 * other, so that no expression runs away: JavaScript's own engine takes hours for `(a+)+` on the
 * wrong 40 characters.
 *
 * @throws {ExpressionError} Saying what does not fit, and where.
 * @see https://swtch.com/~rsc/regexp/regexp1.html
 */
export function compileExpression(source: string): AnchoredExpression {
  const program = new Program();
  const start = program.compile(parseExpression(source), program.add({ type: "accept" }));
  const { steps } = program;
  return { matches: (text) => text.length <= MATCHED_CHARS_MAX && run(steps, start, text) };
}

class Program {
  readonly steps: Step[] = [];

  add(step: Step): number {
    if (this.steps.length >= STEPS_MAX) throw new ExpressionError(1, "the expression is too large");
    return this.steps.push(step) - 1;
  }

  /** Adds the steps of a node that go on at `next`; gives the first. */
  compile(node: ExpressionNode, next: number): number {
    switch (node.type) {
      case "set":
        return this.add({ type: "set", set: node.set, next });
      case "assertion":
        return this.add({ type: "assertion", assertion: node.assertion, next });
      case "sequence":
        return node.parts.reduceRight((after, part) => this.compile(part, after), next);
      case "choice": {
        const branches = node.branches.map((branch) => this.compile(branch, next));
        return this.add({ type: "fork", next: branches });
      }
      case "repeat":
        return this.#compileRepeat(node, next);
    }
  }

  #compileRepeat({ part, min, max }: ExpressionNode & { type: "repeat" }, next: number): number {
    let first = next;
    if (max === Infinity) {
      const branches: number[] = [next];
      first = this.add({ type: "fork", next: branches });
      branches.unshift(this.compile(part, first));
    } else {
      for (let count = min; count < max; count += 1) {
        first = this.add({ type: "fork", next: [this.compile(part, first), next] });
      }
    }
    for (let count = 0; count < min; count += 1) {
      const before = first;
      first = this.compile(part, before);
      // A part without steps stays without, however often it is repeated.
      if (first === before) break;
    }
    return first;
  }
}

/** What stands around a place of a text; -1 for its ends. */
interface Surroundings {
  readonly before: number;
  readonly after: number;
}

function run(steps: readonly Step[], start: number, text: string): boolean {
  const follower = new Follower(steps);
  const place = { before: -1, after: -1 };
  let current: number[] = [start];
  let next: number[] = [];
  for (let index = 0; index < text.length; index += place.before > 0xffff ? 2 : 1) {
    place.after = text.codePointAt(index) ?? 0;
    for (const at of follower.follow(current, place)) {
      const step = steps[at];
      if (step?.type === "set" && accepts(step.set, place.after)) next.push(step.next);
    }
    if (next.length === 0) return false;
    place.before = place.after;
    [current, next] = [next, current];
    next.length = 0;
  }
  place.after = -1;
  return follower.follow(current, place).some((at) => steps[at]?.type === "accept");
}

/** Follows the steps that take no character. */
class Follower {
  readonly #steps: readonly Step[];
  /** The round in which a step was last reached: none is followed twice in one. */
  readonly #reachedIn: Uint32Array;
  readonly #waiting: number[] = [];
  #round = 0;

  constructor(steps: readonly Step[]) {
    this.#steps = steps;
    this.#reachedIn = new Uint32Array(steps.length);
  }

  /**
   * All steps that wait for a character, or accept, reached from those given. Empties `open`; the list
   * that is returned holds until the next call.
   */
  follow(open: number[], place: Surroundings): readonly number[] {
    this.#round += 1;
    this.#waiting.length = 0;
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      if (this.#reachedIn[at] === this.#round) continue;
      this.#reachedIn[at] = this.#round;
      const step = this.#steps[at];
      if (step?.type === "fork") for (const branch of step.next) open.push(branch);
      else if (step?.type !== "assertion") this.#waiting.push(at);
      else if (holds(step.assertion, place)) open.push(step.next);
    }
    return this.#waiting;
  }
}

function holds(assertion: Assertion, { before, after }: Surroundings): boolean {
  switch (assertion) {
    case "start":
      return before === -1;
    case "end":
      return after === -1;
    case "boundary":
      return isWordCharacter(before) !== isWordCharacter(after);
    case "no-boundary":
      return isWordCharacter(before) === isWordCharacter(after);
  }
}
