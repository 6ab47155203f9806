/** The look of `report.html`: light and dark, wide and narrow, screen and paper. */
export const style = `
:root { color-scheme: light dark; --back: #fff; --front: #1b1f24; --soft: #f3f5f7; --line: #c9d1d9; --quiet: #57606a; --link: #0550ae;
  --green: #116329; --red: #a40e26; --amber: #7a4b00; --blue: #0b4a8f; --grey: #57606a; --violet: #6639ba; --mark: #ffe28a; --markfront: #3b2300 }
@media (prefers-color-scheme: dark) { :root { --back: #0d1117; --front: #e6edf3; --soft: #161b22; --line: #30363d; --quiet: #9aa4af; --link: #79c0ff;
  --green: #56d364; --red: #ff9492; --amber: #e3b341; --blue: #79c0ff; --grey: #9aa4af; --violet: #d2a8ff; --mark: #6b4f00; --markfront: #fff } }
* { box-sizing: border-box }
html { scroll-padding-top: 3.5rem }
body { margin: 0 auto; padding: 0 1rem 4rem; max-width: 84rem; background: var(--back); color: var(--front); font: 15px/1.5 system-ui, sans-serif }
h1 { font-size: 1.5rem; margin: 0 0 .5rem; overflow-wrap: anywhere } h2 { font-size: 1.2rem; margin: 0 0 .5rem } h3 { font-size: 1.1rem; margin: 1.5rem 0 .25rem }
.judged h3 { font-size: .95rem; margin: .75rem 0 .25rem }
a { color: var(--link) } code, pre { font: .86em/1.45 ui-monospace, monospace } code { overflow-wrap: anywhere }
.fragment { position: relative } pre { background: var(--soft); border: 1px solid var(--line); border-radius: 4px; padding: .5rem; margin: .25rem 0; overflow: auto; max-height: 24rem; white-space: pre-wrap; overflow-wrap: anywhere }
header { padding-top: 1rem } .suite, .quiet { color: var(--quiet) } .suite { margin: 0 } .fixed { white-space: nowrap }
nav { position: sticky; top: 0; z-index: 3; background: var(--back); border-bottom: 1px solid var(--line); padding: .5rem 0; margin-top: 1rem; display: flex; gap: .25rem 1rem; flex-wrap: wrap }
.coverage { font-size: 1.05rem; font-weight: 600; margin: .25rem 0 } .meter { display: block; max-width: 24rem; height: .5rem; margin-top: .25rem; border: 1px solid var(--quiet); border-radius: 4px; overflow: hidden }
.meter > span { display: block; height: 100%; background: var(--quiet) }
.lanes { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(17rem, 100%), 1fr)); gap: 1rem; margin: 1rem 0 }
.lane { border: 1px solid var(--line); border-radius: 6px; padding: .75rem 1rem; background: var(--soft) } .lane p { margin: .25rem 0 }
.verdict { font-size: .9rem; font-weight: 600; padding: .1rem .5rem; border: 2px solid; border-radius: 4px; white-space: nowrap; vertical-align: middle }
.conforms, .gate-passed { color: var(--green) } .deviates, .gate-failed { color: var(--red) } .inconclusive, .gate-inconclusive, .verdict.thin { color: var(--amber) }
.banner { border-left: 4px solid var(--red); padding: .5rem 1rem; background: var(--soft); font-weight: 600 } .banner.thin { border-color: var(--amber) }
.counts { list-style: none; display: flex; flex-wrap: wrap; gap: .25rem .75rem; padding: 0; margin: .5rem 0 0 } .notes { margin: .5rem 0; padding-left: 1.25rem }
.notes, .means > summary { overflow-wrap: anywhere } .means > summary { color: var(--quiet) } .plain { list-style: none; margin: 0; padding: 0 }
.badge { font-weight: 600; white-space: nowrap } .badge .version { font-weight: 400; color: var(--quiet) }
.passed { color: var(--green) } .failed { color: var(--red) } .warned { color: var(--amber) } .waived { color: var(--violet) } .untested { color: var(--blue) }
.inapplicable, .excluded, .unjudged { color: var(--grey) } .errored { color: var(--red) }
.part { margin-top: 2.5rem } .intro { color: var(--quiet) } .trend { margin-top: 1rem } .bar { display: inline-block; height: .6rem; background: var(--red) }
#filters { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center; padding: .5rem .75rem; background: var(--soft); border: 1px solid var(--line); border-radius: 6px }
#filters fieldset { border: 0; padding: 0; margin: 0; display: flex; flex-wrap: wrap; gap: .25rem .75rem } #filters legend { float: left; padding: 0 .5rem 0 0 }
input, select, button { font: inherit; color: inherit; background: var(--back); border: 1px solid var(--quiet); border-radius: 4px; padding: .2rem .5rem }
button { cursor: pointer } :focus-visible { outline: 3px solid var(--link); outline-offset: 1px } summary { cursor: pointer } [hidden] { display: none !important }
.endpoint { border-bottom: 1px solid var(--line) } .endpoint > summary { padding: .3rem .25rem } .endpoint > summary:hover, .check > summary:hover { background: var(--soft) }
.endpoint > summary .badge { font-size: .88em; margin-left: .5rem } .rows { margin: 0 0 .75rem 1.25rem; border-left: 2px solid var(--line); padding-left: .5rem }
.check { border-bottom: 1px solid var(--line) } .check > summary, .check.row { padding: .3rem .25rem; margin: 0 } .check .title { font-weight: 500 } .check.row { padding-left: 1.2rem }
.check .outcomes { display: inline-flex; flex-wrap: wrap; gap: 0 1rem; margin-left: .5rem; font-size: .88em } .check[open] > summary { background: var(--soft) } .check .meta { color: var(--quiet); margin: .5rem 0 }
#deviations > .check { border: 1px solid var(--line); border-left: 4px solid var(--line); border-radius: 4px; padding: 0 .75rem; margin: .5rem 0 } #deviations > .check > summary { margin: 0 -.75rem; padding: .5rem .75rem }
#deviations > [data-outcomes^=failed] { border-left-color: var(--red) } #deviations > [data-outcomes^=warned] { border-left-color: var(--amber) } #deviations > [data-outcomes^=waived] { border-left-color: var(--violet) }
.judged { margin: 0 0 1rem } .judged p { margin: .25rem 0; overflow-wrap: anywhere }
.deviation { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem; margin: .5rem 0 }
.deviation dt { color: var(--quiet) } .deviation dd { margin: 0; overflow-wrap: anywhere; max-height: 12rem; overflow-y: auto; padding-left: .5rem; border-left: 3px solid transparent } .deviation .wanted { border-color: var(--green) } .deviation .got { border-color: var(--red) }
mark { background: var(--mark); color: var(--markfront) }
.readings { margin: 0 0 1rem } .readings dt { color: var(--quiet) } .readings dd { margin: 0 0 .25rem 1rem; overflow-wrap: anywhere }
.exchange { border: 1px solid var(--line); border-radius: 6px; padding: .3rem .75rem; margin: .5rem 0; overflow-wrap: anywhere }
.scroll { overflow-x: auto; position: relative } table { border-collapse: collapse; width: 100%; font-size: .92em } caption { text-align: left; color: var(--quiet); padding: .25rem 0 }
th, td { text-align: left; vertical-align: top; padding: .25rem .6rem; border-bottom: 1px solid var(--line) } thead th { background: var(--soft) } td code { overflow-wrap: break-word } td .badge { margin-right: .4rem }
.cell { font-weight: 600; white-space: nowrap; padding: 0 .35rem; border-radius: 3px; border: 1px solid } .granted { color: var(--green) } .refused { color: var(--grey) }
.too-permissive { color: var(--back); background: var(--red) } .too-restrictive { color: var(--back); background: var(--amber) } .undecided { color: var(--blue); border-style: dashed }
.matrix { width: fit-content; max-width: 100%; max-height: min(80vh, 48rem); overflow: auto; border: 1px solid var(--line); border-radius: 4px } .matrix table { width: auto; border-collapse: separate; border-spacing: 0 } .matrix thead tr:first-child th:first-child { text-align: left } .matrix caption { padding: .25rem .6rem }
.matrix thead { position: sticky; top: 0; z-index: 2 } .matrix th:first-child { position: sticky; left: 0; z-index: 1; background: var(--back); font-weight: 400; max-width: 28rem } .matrix thead th:first-child { background: var(--soft); font-weight: 600 }
.matrix td { text-align: center; padding: .25rem .3rem } .matrix thead th { font-size: .88em; text-align: center; padding: .2rem .3rem } .matrix th.category { font-weight: 600; background: var(--soft); max-width: none; position: static } .matrix .category span { position: sticky; left: .6rem }
.matrix thead tr:first-child th + th, .matrix td:nth-child(3n+2), .matrix thead tr:nth-child(2) th:nth-child(3n+1) { border-left: 1px solid var(--line) }
.matrix thead tr:nth-child(2) th { position: static } .legend { line-height: 2 }
.links > summary { white-space: nowrap } .plain .badge { margin-right: .6rem }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%) }
@media (max-width: 50rem) { .check .outcomes { display: flex; margin-left: 0 } .deviation { display: block } .deviation dd { margin-bottom: .4rem } #deviations > .check { padding: 0 .5rem } #deviations > .check > summary { margin: 0 -.5rem }
  .stack thead { display: none } .stack table, .stack tbody, .stack tr, .stack td, .stack caption { display: block } .stack tr { border-bottom: 1px solid var(--line); padding: .3rem 0 } .stack td { border: 0; padding: .05rem .25rem } .stack td:empty { display: none }
  .stack td:not(:first-child)::before { content: attr(data-head) ": "; color: var(--quiet) }
  nav { position: static } html { scroll-padding-top: 0 } body { padding: 0 .6rem 3rem } .rows { margin-left: .25rem } .endpoint > summary .badge { margin-left: .2rem }
  .matrix { width: auto } .matrix table, .matrix thead, .matrix tbody, .matrix caption { display: block } .matrix tr { display: grid; grid-template-columns: repeat(9, 1fr) }
  .matrix thead tr:first-child th:first-child { display: none } .matrix thead tr:first-child th { grid-column: span 3 } .matrix tbody th:first-child { grid-column: 1 / -1; max-width: none; border-bottom: 0; padding: .25rem .3rem } .matrix td { padding: .2rem .1rem } .matrix thead th { padding: .2rem .1rem } .matrix .cell { padding: 0 .2rem; font-size: .9em } }
.paper { display: none }
@media print { .paper { display: block } #deviations > .check:nth-of-type(n+61) { display: none } .fragment { max-height: 14em; overflow: hidden } nav, #checks, main > .part:not(#deviations), button, .lazy, .script, .exchange, .readings, .far, .trend, .meter { display: none !important } body { max-width: none; padding: 0; font-size: 9.5pt }
  pre { border: 0; padding: .25rem } .deviation dd { max-height: 6.5em; overflow: hidden } .judged, .check > summary { break-inside: avoid } .lane { padding: .25rem .5rem } #deviations > .check { margin: .25rem 0 } .meta { font-size: .9em } }
`
