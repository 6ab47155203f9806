export { eventsSuites } from './feeds.ts'
