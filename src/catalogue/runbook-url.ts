const HTTPS_URL = /^https:\/\/[\w.[\]:-]+(?:[/?#][!#-;=?-[\]_a-z{|}~]*)?$/iu;
const CHARS_MAX = 512;

/** What a runbook link has to be, as the end of `must be …`. */
export const RUNBOOK_URL_FORM = `an https URL of at most ${CHARS_MAX} printable ASCII characters`;

/** Whether a value may stand in `runbook_url`: it is shown as a link, to people, in many programs. */
export function isRunbookUrl(value: unknown): value is string {
  return (
    typeof value === "string" &&
    value.length <= CHARS_MAX &&
    HTTPS_URL.test(value) &&
    // Ends the text of a link in Markdown and begins another's address.
    !value.includes("](")
  );
}
