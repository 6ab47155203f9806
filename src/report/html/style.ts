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
h4 { font-size: .95rem; margin: 1rem 0 .25rem } h5 { font-size: .9rem; margin: .75rem 0 .25rem }
a { color: var(--link) } code, pre { font: .86em/1.45 ui-monospace, monospace } code { overflow-wrap: anywhere }
pre { background: var(--soft); border: 1px solid var(--line); border-radius: 4px; padding: .5rem; margin: .25rem 0; overflow: auto; max-height: 24rem; white-space: pre-wrap; overflow-wrap: anywhere }
header { padding-top: 1rem } .suite { color: var(--quiet); margin: 0 }
nav { position: sticky; top: 0; z-index: 1; background: var(--back); border-bottom: 1px solid var(--line); padding: .5rem 0; display: flex; gap: .25rem 1rem; flex-wrap: wrap }
.lanes { display: grid; grid-template-columns: repeat(auto-fit, minmax(17rem, 1fr)); gap: 1rem; margin: 1rem 0 }
.lane { border: 1px solid var(--line); border-radius: 6px; padding: .75rem 1rem; background: var(--soft) } .lane p { margin: .25rem 0 }
.verdict { font-size: .9rem; font-weight: 600; padding: .1rem .5rem; border: 2px solid; border-radius: 4px; white-space: nowrap; vertical-align: middle }
.conforms, .gate-passed { color: var(--green) } .deviates, .gate-failed { color: var(--red) } .inconclusive, .gate-inconclusive { color: var(--grey) }
.banner { border-left: 4px solid var(--red); padding: .5rem 1rem; background: var(--soft); font-weight: 600 }
.counts { list-style: none; display: flex; flex-wrap: wrap; gap: .25rem .75rem; padding: 0; margin: .5rem 0 0 } .notes { margin: .5rem 0; padding-left: 1.25rem }
.badge { font-weight: 600; white-space: nowrap } .badge .version { font-weight: 400; color: var(--quiet) }
.passed { color: var(--green) } .failed { color: var(--red) } .warned { color: var(--amber) } .waived { color: var(--violet) } .untested { color: var(--blue) }
.inapplicable, .excluded, .unjudged { color: var(--grey) } .errored { color: var(--red) }
.part { margin-top: 2.5rem } .first { margin: 0 0 1rem; padding-left: 1.25rem } header > h2 { margin-top: 1.25rem } .intro { color: var(--quiet) }
#filters { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center; padding: .5rem .75rem; background: var(--soft); border: 1px solid var(--line); border-radius: 6px }
#filters fieldset { border: 0; padding: 0; margin: 0; display: flex; flex-wrap: wrap; gap: .25rem .75rem } #filters legend { float: left; padding: 0 .5rem 0 0 }
input, select, button { font: inherit; color: inherit; background: var(--back); border: 1px solid var(--quiet); border-radius: 4px; padding: .2rem .5rem }
button { cursor: pointer } :focus-visible { outline: 3px solid var(--link); outline-offset: 1px }
.area { content-visibility: auto; contain-intrinsic-size: auto 2000px }
.check { border-bottom: 1px solid var(--line) } .check[hidden] { display: none }
.check > summary { cursor: pointer; padding: .3rem .25rem; display: grid; grid-template-columns: minmax(20rem, max-content) 1fr auto; gap: .25rem 1rem; align-items: baseline }
.check > summary:hover { background: var(--soft) } .check .outcomes { display: flex; gap: 1rem } .check .outcomes .badge { min-width: 10.5rem; font-size: .88em }
.check .id { color: var(--quiet); font-size: .8em } .check[open] > summary { background: var(--soft) } .check .meta { color: var(--quiet); margin: .5rem 0 }
.judged { margin: 0 0 1rem 1rem } .judged p { margin: .25rem 0; overflow-wrap: anywhere }
.deviation { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem; margin: .5rem 0; border-left: 4px solid var(--red); padding-left: 1rem }
.deviation dt { color: var(--quiet) } .deviation dd { margin: 0; overflow-wrap: anywhere } mark { background: var(--mark); color: var(--markfront) }
.readings { margin: 0 0 1rem 1rem } .readings dt { color: var(--quiet) } .readings dd { margin: 0 0 .25rem 1rem; overflow-wrap: anywhere }
.exchange { border: 1px solid var(--line); border-radius: 6px; padding: .5rem .75rem; margin: .5rem 0 }
.scroll { overflow-x: auto; position: relative } table { border-collapse: collapse; width: 100%; font-size: .92em } caption { text-align: left; color: var(--quiet); padding: .25rem 0 }
th, td { text-align: left; vertical-align: top; padding: .25rem .6rem; border-bottom: 1px solid var(--line) } thead th { background: var(--soft) }
.cell { font-weight: 600; white-space: nowrap; padding: 0 .35rem; border-radius: 3px; border: 1px solid } .granted { color: var(--green) } .refused { color: var(--grey) }
.too-permissive { color: var(--back); background: var(--red) } .too-restrictive { color: var(--back); background: var(--amber) } .undecided { color: var(--blue); border-style: dashed }
.heat td code { overflow-wrap: normal; white-space: nowrap }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%) }
@media (max-width: 50rem) { .check > summary { display: block } .check .outcomes { flex-wrap: wrap; gap: 0 1rem } .check .title { display: block } .judged { margin-left: 0 }
  .deviation { display: block } .exchange { padding: .5rem } nav { position: static } body { padding: 0 .6rem 3rem } }
@media print { nav, #filters, #shown, button, .lazy { display: none } body { max-width: none; font-size: 10pt } .area { content-visibility: visible } pre { max-height: none }
  .check { break-inside: avoid } }
`
