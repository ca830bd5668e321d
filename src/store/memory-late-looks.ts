import type { LateLook, LateLooks } from "../enrich/ports.ts";

/** Keeps later looks in memory, for one replica; a restart forgets them. At most `looksMax`, the newest refused. */
export class MemoryLateLooks implements LateLooks {
  readonly #looksMax: number;
  readonly #looks = new Map<string, LateLook>();

  constructor(looksMax: number) {
    this.#looksMax = looksMax;
  }

  plan(look: LateLook): Promise<void> {
    const isKnown = this.#looks.has(look.episodeId);
    if (!isKnown && this.#looks.size < this.#looksMax) this.#looks.set(look.episodeId, look);
    return Promise.resolve();
  }

  claimDue(nowMs: number, looksMax: number): Promise<readonly LateLook[]> {
    const due = [...this.#looks.values()]
      .filter((look) => look.dueMs <= nowMs)
      .sort((left, right) => left.dueMs - right.dueMs)
      .slice(0, looksMax);
    for (const { episodeId } of due) this.#looks.delete(episodeId);
    return Promise.resolve(due);
  }
}
