/** Where progress is written: standard error, or what a test puts in its place. */
export interface ProgressStream {
  /** Whether a person at a terminal reads it. */
  readonly isTTY?: boolean | undefined;
  write(text: string): unknown;
}

/** The progress of one sync. */
export interface SyncProgress {
  /** Called after each file. */
  readonly show: (done: number, total: number) => void;
  /** Takes the bar away, so that what follows begins on an empty line. */
  readonly end: () => void;
}

const BAR_CELLS = 30;
/** A line for so many files, so that a log is not flooded. */
const MANY_FILES = 10;

/** Shows a bar on a terminal, and now and then a plain line elsewhere, for instance in the log of a job. */
export function createSyncProgress(stream: ProgressStream): SyncProgress {
  if (stream.isTTY !== true) return { show: showLines(stream), end: () => undefined };
  let isShown = false;
  return {
    show(done, total) {
      isShown = true;
      stream.write(`\r${renderBar(done, total)}`);
    },
    end() {
      if (isShown) stream.write("\r\u001B[K");
    },
  };
}

function showLines(stream: ProgressStream): SyncProgress["show"] {
  return (done, total) => {
    if (done === total || done % MANY_FILES === 0) stream.write(`${done} of ${total} files\n`);
  };
}

function renderBar(done: number, total: number): string {
  const cells = Math.round((BAR_CELLS * done) / Math.max(1, total));
  return `[${"#".repeat(cells)}${".".repeat(BAR_CELLS - cells)}] ${done} of ${total} files`;
}
