/** The frame of every page: a phone's width first, more columns where there is room. */
export const LAYOUT = `
*, *::before, *::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body {
  margin: 0;
  background: var(--ground);
  color: var(--ink);
  font: var(--text)/1.5 var(--sans);
  overflow-wrap: anywhere;
}
a { color: var(--link); text-underline-offset: 0.15em; }
a:focus-visible, button:focus-visible, summary:focus-visible, input:focus-visible,
select:focus-visible, textarea:focus-visible, [tabindex]:focus-visible {
  outline: 3px solid var(--focus);
  outline-offset: 2px;
  border-radius: 2px;
}
.skip { position: absolute; left: -100vw; }
.skip:focus { left: 0.5rem; top: 0.5rem; z-index: 1; padding: 0.5rem 1rem; background: var(--surface); }
.top {
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: 0 1.25rem;
  padding: 0.5rem var(--gap) 0;
  background: var(--surface);
  border-bottom: 1px solid var(--line);
}
.brand { font-weight: 700; color: var(--brand); text-decoration: none; padding: 0.35rem 0; }
.top nav { min-width: 0; }
.top ul { display: flex; flex-wrap: wrap; gap: 0; margin: 0; padding: 0; list-style: none; white-space: nowrap; }
.top nav a {
  display: block;
  padding: 0.4rem 0.55rem;
  font-size: var(--small);
  color: var(--soft);
  text-decoration: none;
  border-bottom: 3px solid transparent;
}
.top nav a:focus-visible { outline-offset: -3px; }
.top nav a:hover { color: var(--ink); }
.top nav a[aria-current] { color: var(--ink); font-weight: 600; border-color: var(--brand); }
main { max-width: 76rem; margin: 0 auto; padding: var(--gap); }
main:focus { outline: none; }
.foot { max-width: 76rem; margin: 0 auto; padding: var(--gap); font-size: var(--small); }
h1 { margin: 0.25rem 0 0.75rem; font-size: 1.375rem; line-height: 1.25; }
h2 { margin: 0; font-size: 1.0625rem; line-height: 1.3; }
h3 { margin: 1rem 0 0.25rem; font-size: 1rem; }
p { margin: 0.5rem 0; }
.block {
  margin: 0 0 var(--gap);
  padding: 0.875rem var(--gap);
  background: var(--surface);
  border: 1px solid var(--line);
  border-radius: var(--radius);
}
.block-head { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 1rem; margin-bottom: 0.5rem; }
.columns { display: grid; gap: 0 var(--gap); }
@media (min-width: 62rem) {
  .columns { grid-template-columns: minmax(0, 2fr) minmax(0, 1fr); align-items: start; }
  .top nav a { font-size: var(--text); }
}
@media print {
  .top nav, .skip, form, .foot, .no-print { display: none; }
  .block { border: 0; padding: 0; break-inside: avoid-page; }
  details::details-content { content-visibility: visible; display: block; }
  main { padding: 0; max-width: none; }
}
@media (prefers-reduced-motion: no-preference) { html { scroll-behavior: smooth; } }
`;
