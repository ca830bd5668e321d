import type { Labels } from "../alert/alert.ts";
import type { EpisodeHistory } from "../recommend/escalate.ts";
import { classOf } from "../record/known-error.ts";
import type { CatalogueRecord } from "../record/known-error.ts";
import type { History, OpenEpisodes, OpenQuestion } from "./ports.ts";

/** Said in numbers up to here, for whoever reads how far an error has spread. */
const COUNTED_MIN = 1000;

/** What history is asked about. */
export interface HistoryWish {
  readonly recordId: string;
  /** `undefined` when the record has left the catalogue. */
  readonly entry: CatalogueRecord | undefined;
  readonly labels: Labels;
  /** From when on a retry counts, in milliseconds since the Unix epoch. */
  readonly sinceMs: number;
  /** How many open episodes make an error widespread. */
  readonly widespreadFrom: number;
}

/** Reads what is known of an error beyond one episode that has no advice yet. */
export async function readHistory(history: History, wish: HistoryWish): Promise<EpisodeHistory> {
  const { recordId, entry, labels, sinceMs, widespreadFrom } = wish;
  const upTo = Math.max(widespreadFrom, COUNTED_MIN);
  const question = { recordId, errorClass: countedClass(entry), isKept: false, upTo };
  const [open, retriesOnSameLabels] = await Promise.all([
    history.openEpisodes(question),
    history.retriesOf(recordId, labels, sinceMs),
  ]);
  return {
    retriesOnSameLabels,
    openEpisodesOfRecord: open.ofRecord + 1,
    openEpisodesOfClass: open.ofClass + 1,
  };
}

/** Reads how many open episodes there are beside one that has its advice. */
export async function readSpread(
  history: History,
  wish: Pick<HistoryWish, "recordId" | "entry" | "widespreadFrom">,
): Promise<EpisodeHistory> {
  const { recordId, entry, widespreadFrom } = wish;
  const upTo = Math.max(widespreadFrom, COUNTED_MIN);
  const question = { recordId, errorClass: countedClass(entry), isKept: true, upTo };
  const open = await history.openEpisodes(question);
  return { openEpisodesOfRecord: open.ofRecord, openEpisodesOfClass: open.ofClass };
}

/** The mere type of an error (`exception`) is shared by errors that have nothing to do with each other. */
function countedClass(entry: CatalogueRecord | undefined): string | undefined {
  if (entry === undefined) return undefined;
  const { errorClass, backgroundTag } = entry.record;
  return errorClass === null && backgroundTag === null ? undefined : classOf(entry.record);
}

interface Remembered {
  readonly open: Promise<OpenEpisodes>;
}

/** Asks once for each record of a group; the alerts of the group themselves are counted on top. */
export function rememberOpenEpisodes(history: History): History {
  const asked = new Map<string, Remembered>();
  const ofRecord = new Map<string, number>();
  const ofClass = new Map<string, number>();
  return {
    retriesOf: (recordId, labels, sinceMs) => history.retriesOf(recordId, labels, sinceMs),
    async openEpisodes(question) {
      const key = JSON.stringify([question.recordId, question.errorClass]);
      const known = asked.get(key) ?? { open: history.openEpisodes(question) };
      asked.set(key, known);
      const before = question.isKept ? NONE_BEFORE : countOn(question);
      // Every caller waits for the one answer itself: a promise that nobody waits for would end the
      // process when the store is away.
      const open = await known.open;
      return {
        ofRecord: open.ofRecord + before.ofRecord,
        ofClass: open.ofClass + before.ofClass,
      };
    },
  };

  function countOn({ recordId, errorClass }: OpenQuestion): OpenEpisodes {
    const before = {
      ofRecord: ofRecord.get(recordId) ?? 0,
      ofClass: errorClass === undefined ? 0 : (ofClass.get(errorClass) ?? 0),
    };
    ofRecord.set(recordId, before.ofRecord + 1);
    if (errorClass !== undefined) ofClass.set(errorClass, before.ofClass + 1);
    return before;
  }
}

const NONE_BEFORE: OpenEpisodes = { ofRecord: 0, ofClass: 0 };
