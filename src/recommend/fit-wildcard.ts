/**
 * Says whether a text fits a pattern in which `*` stands for any text, also none. Compares UTF-16
 * units exactly, in time linear in the text for each literal piece of the pattern.
 */
export function fitsWildcard(pattern: string, text: string): boolean {
  const pieces = pattern.split("*");
  const first = pieces[0] ?? "";
  if (pieces.length === 1) return pattern === text;
  const last = pieces[pieces.length - 1] ?? "";
  if (text.length < first.length + last.length) return false;
  if (!text.startsWith(first) || !text.endsWith(last)) return false;
  // The leftmost place is right for every inner piece: it leaves the most room for those after it.
  let from = first.length;
  const end = text.length - last.length;
  for (const piece of pieces.slice(1, -1)) {
    const at = text.indexOf(piece, from);
    if (at < 0 || at + piece.length > end) return false;
    from = at + piece.length;
  }
  return true;
}
