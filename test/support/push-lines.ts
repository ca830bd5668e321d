/** Pushes lines of one stream, each with its nanoseconds, and fails unless Loki takes them. */
export async function pushLines(
  url: string,
  labels: Readonly<Record<string, string>>,
  values: readonly (readonly [timestampNs: string, line: string])[],
  tenant?: string,
): Promise<void> {
  const answer = await fetch(`${url}/loki/api/v1/push`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...(tenant !== undefined && { "x-scope-orgid": tenant }),
    },
    body: JSON.stringify({ streams: [{ stream: labels, values }] }),
  });
  if (answer.status !== 204) throw new Error(`${answer.status}: ${await answer.text()}`);
}
