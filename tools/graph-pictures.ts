import type { FolderGraph } from './import-graph.ts'

/** The graph as a mermaid flowchart: folders as nodes, an arrow with the number of imports for each pair. */
export function mermaidOf(graph: FolderGraph, order: readonly string[]): string {
  const id = (folder: string) => folder.replaceAll(/\W/g, '_')
  const arrows = order.flatMap((from) =>
    order.flatMap((to) => {
      const count = graph.get(from)?.get(to)
      return count === undefined ? [] : [`  ${id(from)} -->|${count}| ${id(to)}`]
    }),
  )
  return ['flowchart TD', ...order.map((folder) => `  ${id(folder)}["${folder}"]`), ...arrows].join('\n')
}

/** The side of a cell, and the room for names. Pixels. */
const side = 34
const margin = 150

/** The graph as a matrix: a row imports a column. Where every count is left of the diagonal, nothing imports back. */
export function matrixOf(graph: FolderGraph, order: readonly string[]): string {
  const size = margin + order.length * side + 10
  const middle = (index: number) => margin + index * side + side / 2
  const text = (x: number, y: number, content: string | number, more = '') => `<text x="${x}" y="${y}" ${more}>${content}</text>`
  const names = order.flatMap((folder, index) => [
    text(margin - 8, middle(index) + 4, folder, 'text-anchor="end"'),
    text(0, 0, folder, `transform="translate(${middle(index) + 4} ${margin - 8}) rotate(-60)"`),
    `<rect x="${margin + index * side}" y="${margin + index * side}" width="${side}" height="${side}" fill="#d0d7de"/>`,
  ])
  const cells = order.flatMap((from, row) =>
    order.flatMap((to, column) => {
      const count = graph.get(from)?.get(to)
      if (count === undefined) return []
      const fill = column < row ? '#cfe8d5' : '#f5b5b0'
      const box = `<rect x="${margin + column * side}" y="${margin + row * side}" width="${side}" height="${side}" fill="${fill}"/>`
      return [box, text(middle(column), middle(row) + 4, count, 'text-anchor="middle"')]
    }),
  )
  const lines = Array.from({ length: order.length + 1 }, (_, index) => {
    const at = margin + index * side
    return `<path d="M${margin} ${at}H${size - 10}M${at} ${margin}V${size - 10}" stroke="#8c959f" stroke-width=".5"/>`
  })
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 ${size} ${size}" font-family="sans-serif" font-size="12" role="img">`,
    '<title>Imports between the folders: the folder of a row imports the folder of a column as often as the cell says</title>',
    `<rect width="${size}" height="${size}" fill="#fff"/>`,
    ...cells,
    ...names,
    ...lines,
    '</svg>',
    '',
  ].join('\n')
}
