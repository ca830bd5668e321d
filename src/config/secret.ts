import { inspect } from "node:util";

/** What stands where a secret is not shown. */
export const MASK = "<secret>";

/**
 * A password, token or URL with credentials that must not be shown.
 *
 * Whatever prints it (JSON, a template string, `console.log`, a logger) gets `<secret>`; only
 * `reveal` hands the text out, at the place that sends it.
 */
export class Secret {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  /** The text itself. Call it where the value is used, never to keep or print it. */
  reveal(): string {
    return this.#text;
  }

  toString(): string {
    return MASK;
  }

  toJSON(): string {
    return MASK;
  }

  [inspect.custom](): string {
    return MASK;
  }
}
