/**
 * Colours, sizes and type of every page. A colour is named for what it means; every pair of text and
 * ground has a contrast of at least 4.5 in both schemes, and no meaning stands in a colour alone.
 */
export const TOKENS = `
:root {
  color-scheme: light dark;
  --ground: #f6f7f8;
  --surface: #ffffff;
  --sunken: #eef0f3;
  --ink: #1c232b;
  --soft: #55606c;
  --line: #d5dae0;
  --link: #1f5a91;
  --focus: #1f5a91;
  --brand: #24496b;
  --go: #1b6b44;
  --go-ground: #e3f3ea;
  --fix: #7d5200;
  --fix-ground: #fcf1d9;
  --stop: #a3252a;
  --stop-ground: #fbe7e7;
  --look: #4b4494;
  --look-ground: #ecebf8;
  --mark: #ffe9a8;
  --mark-ink: #1c232b;
  --capture: #bfdcf7;
  --capture-ink: #10273c;
  --plot: #4a7dab;
  --radius: 6px;
  --text: 1rem;
  --small: 0.875rem;
  --gap: 1rem;
  --sans: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif;
  --mono: ui-monospace, "SF Mono", Menlo, Consolas, "Liberation Mono", monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #14181d;
    --surface: #1c2229;
    --sunken: #252c35;
    --ink: #e4e8ec;
    --soft: #a5b0bb;
    --line: #36404b;
    --link: #8fc1ee;
    --focus: #8fc1ee;
    --brand: #b7d4ee;
    --go: #8fd6ad;
    --go-ground: #1b3327;
    --fix: #f0c878;
    --fix-ground: #3a2f17;
    --stop: #f5a3a3;
    --stop-ground: #431f21;
    --look: #bdb6f2;
    --look-ground: #2a2748;
    --mark: #5d4c14;
    --mark-ink: #fff3cf;
    --capture: #1f4d75;
    --capture-ink: #e0f0ff;
    --plot: #7db0de;
  }
}
@media print {
  :root {
    --ground: #fff;
    --surface: #fff;
    --sunken: #f2f2f2;
    --ink: #000;
    --soft: #444;
    --line: #999;
    --link: #000;
  }
}
`;
