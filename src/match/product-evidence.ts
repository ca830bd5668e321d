import type { LogEvent } from "../log/view.ts";
import type { MatchEvidence } from "../record/match.ts";
import { NamedFiles } from "./named-files.ts";
import { POINTS } from "./points.ts";
import { type LabelScope, scopeNames } from "./scope.ts";
import type { RepoNames } from "./scope-table.ts";

const NAME_LENGTH_MIN = 3;
const TEXT_MAX = 16_384;

/** What is known of one event. */
interface EventNames {
  readonly event: LogEvent;
  readonly byRepo: Map<RepoNames, readonly MatchEvidence[]>;
  files: NamedFiles | undefined;
  /** Its programs and text, lower case. */
  text: string | undefined;
}

/**
 * What labels and log say about the product a record belongs to. Answers are kept for one excerpt:
 * many records of one repository are weighed for the same event.
 */
export class ProductEvidence {
  private readonly repos: readonly RepoNames[];
  private readonly scope: LabelScope;
  /** The product that the labels name, where they name one that is known. */
  private readonly scopedRepo: string | undefined;
  private last: EventNames | undefined;
  private readonly known = new Map<LogEvent, EventNames>();

  constructor(repos: readonly RepoNames[], scope: LabelScope) {
    this.repos = repos;
    this.scope = scope;
    this.scopedRepo = repos.find((each) => scopeNames(scope.strong, each.names))?.repo;
  }

  /** Evidence for or against records of one repository in one event. */
  of(event: LogEvent, names: RepoNames): readonly MatchEvidence[] {
    const { byRepo } = this.eventNames(event);
    let evidence = byRepo.get(names);
    if (evidence === undefined) byRepo.set(names, (evidence = this.weigh(event, names)));
    return evidence;
  }

  /** Files, classes and modules that an event names. */
  files(event: LogEvent): NamedFiles {
    const known = this.eventNames(event);
    return (known.files ??= new NamedFiles(event));
  }

  /** What is kept of an event; records of one are weighed in a row. */
  private eventNames(event: LogEvent): EventNames {
    if (this.last?.event === event) return this.last;
    let names = this.known.get(event);
    if (names === undefined)
      this.known.set(
        event,
        (names = { event, byRepo: new Map(), files: undefined, text: undefined }),
      );
    return (this.last = names);
  }

  private weigh(event: LogEvent, names: RepoNames): readonly MatchEvidence[] {
    const evidence: MatchEvidence[] = [];
    const isNamed = this.isNamed(event, names);
    const scoped = this.weighScope(names, isNamed);
    if (scoped !== undefined) evidence.push(scoped);
    if (isNamed) {
      evidence.push({
        name: "product",
        points: this.isReport(event, names) ? POINTS.reported : POINTS.named,
        detail: `the log names ${names.names[0] ?? names.repo}`,
      });
    } else if (this.repos.some((other) => other !== names && this.isReport(event, other))) {
      evidence.push({
        name: "other_product",
        points: POINTS.otherInLog,
        detail: "the report is of another program",
      });
    }
    return evidence;
  }

  private isStrong(names: RepoNames): boolean {
    return this.scope.strongRepos.has(names.repo) || scopeNames(this.scope.strong, names.names);
  }

  private weighScope(names: RepoNames, isNamed: boolean): MatchEvidence | undefined {
    if (this.isStrong(names)) {
      return { name: "scope", points: POINTS.scopeStrong, detail: "the labels name the program" };
    }
    if (this.scope.weakRepos.has(names.repo) || scopeNames(this.scope.weak, names.names)) {
      return { name: "scope", points: POINTS.scopeWeak, detail: "the labels name the place" };
    }
    if (this.scopedRepo === undefined || isNamed) return undefined;
    return {
      name: "other_product",
      points: POINTS.otherProduct,
      detail: `the labels name ${this.scopedRepo}`,
    };
  }

  private isNamed(event: LogEvent, names: RepoNames): boolean {
    const text = this.lower(event);
    return (
      names.names.some((name) => name.length >= NAME_LENGTH_MIN && includesWord(text, name)) ||
      this.isReport(event, names)
    );
  }

  private isReport(event: LogEvent, names: RepoNames): boolean {
    return names.forms.some((form) => this.lower(event).includes(form));
  }

  private lower(event: LogEvent): string {
    return (this.eventNames(event).text ??= `${event.facts.programs.join(" ")} ${event.text}`
      .slice(0, TEXT_MAX)
      .toLowerCase());
  }
}

/** Whether a name begins a word: `risingwave` in `risingwave_stream`, not `loki` in `xloki`. */
function includesWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const before = text.charCodeAt(at - 1);
    if (!(before >= 97 && before <= 122)) return true;
  }
  return false;
}
