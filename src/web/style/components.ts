/** What stands in pages. */
export const COMPONENTS = `
.soft { color: var(--soft); }
.small { font-size: var(--small); }
.when .soft { font-size: var(--small); }
.ago { white-space: nowrap; }
code, pre, .mono { font-family: var(--mono); font-size: var(--small); }
pre { margin: 0; white-space: pre-wrap; tab-size: 4; }
.empty { padding: 0.75rem var(--gap); border: 1px dashed var(--line); border-radius: var(--radius); color: var(--soft); }
.empty-title { color: var(--ink); font-weight: 600; margin: 0; }
.table { overflow-x: auto; margin: 0 calc(-1 * var(--gap)); padding: 0 var(--gap); }
table { width: 100%; border-collapse: collapse; font-size: var(--small); }
th { text-align: left; color: var(--soft); font-weight: 600; white-space: nowrap; }
th, td { padding: 0.4rem 0.75rem 0.4rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
tbody tr:last-child td, tbody tr:last-child th { border-bottom: 0; }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
dl.facts { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 0.25rem 1rem; margin: 0; }
dl.facts dt { color: var(--soft); }
dl.facts dd { margin: 0; }
`;
