import type { SkippedRecord } from "../catalogue/load-records.ts";
import type { ConfigFault } from "../config/config-fault.ts";

/** A file that is no record at all lacks every field: the first few say enough. */
const FAULTS_SHOWN_MAX = 3;

/** What is wrong with a skipped record, as the faults of a configuration are told. */
export function skippedRecordFaults(skipped: SkippedRecord): readonly ConfigFault[] {
  const { file, path, faults } = skipped;
  const left = faults.length - FAULTS_SHOWN_MAX;
  return faults.slice(0, FAULTS_SHOWN_MAX).map(({ field, line, message }, index) => ({
    file,
    line,
    path: joinPath(path, field),
    message:
      left > 0 && index === FAULTS_SHOWN_MAX - 1 ? `${message} (and ${left} more faults)` : message,
  }));
}

function joinPath(path: string, field: string): string {
  return path === "" || field === "" ? `${path}${field}` : `${path}.${field}`;
}
