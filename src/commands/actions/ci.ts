import { appendFileSync } from 'node:fs'
import type { RunRecords } from '../../record/report-parts.ts'
import { githubAnnotations } from '../../report/formats/annotations.ts'
import { renderMarkdown } from '../../report/formats/markdown.ts'

/** In GitHub Actions: annotations on the output, and the job summary. Elsewhere nothing. */
export function tellGithub(
  records: RunRecords,
  print: (text: string) => void,
  environment: NodeJS.ProcessEnv = process.env,
): void {
  if (environment.GITHUB_ACTIONS !== 'true') return
  print(
    githubAnnotations(records)
      .map((line) => `${line}\n`)
      .join(''),
  )
  const { GITHUB_STEP_SUMMARY: summary } = environment
  if (summary) appendFileSync(summary, renderMarkdown(records))
}
