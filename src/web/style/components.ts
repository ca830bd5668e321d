/** What stands in pages. */
export const COMPONENTS = `
.soft { color: var(--soft); }
.small { font-size: var(--small); }
.when .soft { font-size: var(--small); }
.ago { white-space: nowrap; }
code, pre, .mono { font-family: var(--mono); font-size: var(--small); }
pre { margin: 0; white-space: pre-wrap; tab-size: 4; }
.label {
  margin: 0;
  font-size: 0.75rem;
  font-weight: 600;
  letter-spacing: 0.04em;
  text-transform: uppercase;
  color: var(--soft);
}
.subtitle { margin: -0.25rem 0 0.75rem; }
.empty { padding: 0.75rem var(--gap); border: 1px dashed var(--line); border-radius: var(--radius); color: var(--soft); }
.empty p { margin: 0.25rem 0; }
.empty-title { color: var(--ink); font-weight: 600; }
.fault { padding: 0.25rem var(--gap); border-left: 4px solid var(--stop); background: var(--stop-ground); border-radius: var(--radius); }
.notice { padding: 0.25rem var(--gap); border-left: 4px solid var(--go); background: var(--go-ground); border-radius: var(--radius); margin-bottom: var(--gap); }
.table { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; font-size: var(--small); }
th { text-align: left; color: var(--soft); font-weight: 600; white-space: nowrap; }
th, td { padding: 0.4rem 0.75rem 0.4rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
tbody tr:last-child td, tbody tr:last-child th { border-bottom: 0; }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
dl.facts { display: grid; grid-template-columns: minmax(4rem, max-content) minmax(0, 1fr); gap: 0.3rem 1rem; margin: 0.5rem 0 0; }
dl.facts dt { color: var(--soft); }
dl.facts dd { margin: 0; }
dl.prose { margin: 0; }
dl.prose dt { font-weight: 600; }
dl.prose dd { margin: 0 0 0.5rem; }
ul.plain { margin: 0; padding: 0; list-style: none; }
ul.plain li { padding: 0.35rem 0; border-bottom: 1px solid var(--line); }
ul.plain li:last-child { border-bottom: 0; }
details > summary { cursor: pointer; padding: 0.35rem 0; color: var(--link); }
.badge {
  display: inline-block;
  padding: 0.05rem 0.5rem;
  border: 1px solid currentColor;
  border-radius: 1rem;
  font-size: var(--small);
  font-weight: 600;
  white-space: nowrap;
}
.badge.retry { color: var(--go); background: var(--go-ground); }
.badge.retry_after_fix { color: var(--fix); background: var(--fix-ground); }
.badge.do_not_retry { color: var(--stop); background: var(--stop-ground); }
.badge.investigate { color: var(--look); background: var(--look-ground); }
.badge.status-open { color: var(--stop); }
.badge.status-resolved { color: var(--go); }
.badge.status-stale { color: var(--soft); }
.verdict {
  display: grid;
  margin-bottom: var(--gap);
  background: var(--surface);
  border: 1px solid var(--line);
  border-left: 6px solid var(--line);
  border-radius: var(--radius);
}
.verdict.retry { border-left-color: var(--go); }
.verdict.retry_after_fix { border-left-color: var(--fix); }
.verdict.do_not_retry { border-left-color: var(--stop); }
.verdict.investigate { border-left-color: var(--look); }
.verdict-part { padding: 0.75rem var(--gap); min-width: 0; }
.verdict-part + .verdict-part { border-top: 1px solid var(--line); }
.verdict-part p { margin: 0.25rem 0; }
.verdict-title { font-size: 1.125rem; font-weight: 700; line-height: 1.3; }
.verdict.retry .decision { color: var(--go); }
.verdict.retry_after_fix .decision { color: var(--fix); }
.verdict.do_not_retry .decision { color: var(--stop); }
.verdict.investigate .decision { color: var(--look); }
.verdict .message { display: block; margin-top: 0.4rem; color: var(--soft); }
.first-step { font-size: 1.0625rem; }
@media (min-width: 48rem) {
  .verdict { grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); }
  .verdict-part + .verdict-part { border-top: 0; border-left: 1px solid var(--line); }
}
ol.steps { margin: 0 0 0.75rem; padding-left: 1.6rem; }
ol.steps li { padding: 0.2rem 0; }
ol.steps li::marker { font-weight: 700; }
ol.log { margin: 0; padding: 0.5rem; list-style: none; background: var(--sunken); border-radius: var(--radius); }
ol.log li { display: flex; flex-wrap: wrap; gap: 0 0.6rem; padding: 0.15rem 0 0.15rem 0.4rem; border-left: 3px solid transparent; }
ol.log li.hit { border-left-color: var(--fix); }
ol.log li > code, ol.log li > details { flex: 1 1 16rem; min-width: 0; white-space: pre-wrap; }
ol.log details summary { padding: 0; }
.line-number { min-width: 2ch; text-align: right; user-select: none; }
.line-number, .line-time { font-family: var(--mono); font-size: var(--small); font-variant-numeric: tabular-nums; }
.gap { font-size: var(--small); }
mark { padding: 0 0.1em; border-radius: 2px; }
mark.literal { background: var(--mark); color: var(--mark-ink); }
mark.capture, code.capture { background: var(--capture); color: var(--capture-ink); }
mark.capture { text-decoration: underline; }
ol.chain { margin: 0; padding: 0; list-style: none; }
ol.chain li { padding: 0.35rem 0 0.35rem 0.75rem; border-left: 3px solid var(--line); }
ol.chain li.cause { border-left-color: var(--stop); }
ul.evidence { margin: 0.5rem 0; padding: 0; list-style: none; }
ul.evidence li { display: grid; grid-template-columns: 4rem minmax(0, 1fr); gap: 0.75rem; padding: 0.2rem 0; }
ol.timeline { margin: 0; padding: 0; list-style: none; }
ol.timeline li { padding: 0 0 0.6rem 0.9rem; border-left: 2px solid var(--line); }
.delivery-told { color: var(--go); }
.delivery-dead { color: var(--stop); }
.delivery-waiting { color: var(--fix); }
ul.rows { margin: 0 0 var(--gap); padding: 0; list-style: none; background: var(--surface); border: 1px solid var(--line); border-radius: var(--radius); }
ul.rows > li { display: grid; gap: 0.15rem 1rem; padding: 0.6rem var(--gap); border-bottom: 1px solid var(--line); }
ul.rows > li:last-child { border-bottom: 0; }
.block ul.rows { border: 0; margin: 0; }
.block ul.rows > li { padding: 0.5rem 0; }
.row-title { font-weight: 600; }
.row-badges { display: flex; flex-wrap: wrap; gap: 0.35rem; align-items: start; }
.row-when { font-size: var(--small); }
@media (min-width: 62rem) {
  ul.rows > li { grid-template-columns: minmax(0, 3fr) minmax(0, 2fr) minmax(0, 2fr) 15rem; }
  .row-when { text-align: right; }
}
form.filter { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 0.6rem; margin-bottom: var(--gap); align-items: end; }
form.filter label { display: block; font-size: var(--small); color: var(--soft); min-width: 0; }
form.filter label:first-of-type { grid-column: 1 / -1; }
input, select, textarea, button {
  font: inherit;
  width: 100%;
  min-height: 2.75rem;
  padding: 0.35rem 0.6rem;
  color: var(--ink);
  background: var(--surface);
  border: 1px solid var(--soft);
  border-radius: var(--radius);
}
button { width: auto; font-weight: 600; cursor: pointer; color: var(--link); }
@media (min-width: 62rem) {
  form.filter { grid-template-columns: 3fr 2fr repeat(3, 1fr) auto; }
  form.filter label:first-of-type { grid-column: auto; }
}
ul.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(9.5rem, 1fr)); gap: 0.75rem; margin: 0 0 var(--gap); padding: 0; list-style: none; }
ul.tiles li { padding: 0.6rem var(--gap); background: var(--surface); border: 1px solid var(--line); border-radius: var(--radius); }
.tile-value { display: block; font-size: 1.25rem; font-weight: 700; font-variant-numeric: tabular-nums; }
.good { color: var(--go); }
.bad { color: var(--stop); }
.firing { display: grid; gap: 0.1rem 1rem; }
.plot { display: block; width: 100%; height: 2.5rem; color: var(--plot); }
.plot rect { fill: currentColor; }
.plot .axis { stroke: var(--line); }
.samples { margin: 0.4rem 0; padding: 0.5rem; background: var(--sunken); border-radius: var(--radius); }
.samples code { display: block; white-space: pre-wrap; padding: 0.1rem 0; }
.draft { display: grid; gap: 0.6rem; padding: 0.5rem 0; }
.draft label { font-size: var(--small); color: var(--soft); }
.badge.severity-critical { color: var(--stop); background: var(--stop-ground); }
.badge.severity-error { color: var(--stop); }
.badge.severity-warning { color: var(--fix); }
.badge.severity-info { color: var(--soft); }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
form.search { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 0.6rem; align-items: end; margin-bottom: var(--gap); }
form.explain { display: grid; gap: 0.6rem; margin-bottom: var(--gap); }
form.explain button { justify-self: start; }
form.search label, form.explain label { font-size: var(--small); color: var(--soft); min-width: 0; }
textarea { font-family: var(--mono); font-size: var(--small); resize: vertical; }
ul.chosen { display: flex; flex-wrap: wrap; gap: 0.4rem; margin: 0 0 0.5rem; padding: 0; list-style: none; }
ul.chosen li { padding: 0.2rem 0.6rem; background: var(--sunken); border-radius: var(--radius); font-size: var(--small); }
.facets { display: flex; flex-wrap: wrap; gap: 0 1.25rem; margin-bottom: 0.75rem; }
.facets details[open] { flex-basis: 100%; }
.facets a[aria-current] { font-weight: 700; }
.facets ul.plain { display: grid; grid-template-columns: repeat(auto-fill, minmax(15rem, 1fr)); gap: 0 1.25rem; }
p.template { padding: 0.5rem; background: var(--sunken); border-radius: var(--radius); white-space: pre-wrap; }
.markdown > :first-child { margin-top: 0; }
.markdown > :last-child { margin-bottom: 0; }
.markdown pre { padding: 0.5rem; background: var(--sunken); border-radius: var(--radius); }
`;
