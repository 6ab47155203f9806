import type { Exchange } from '../../../src/http/exchange/exchange.ts'
import { isObject, type JsonObject, type Located } from '../../../src/suite/located.ts'
import { topLevelOf } from '../../common/removable-objects.ts'

/** The repositories of a migration, or of each in a list, which are such by their place: which of their fields remain is open (readings E11). */
export function migratedRepositories(exchange: Exchange): Located<JsonObject>[] {
  return topLevelOf(exchange).flatMap(({ value, pointer }) => {
    const { repositories } = value
    const listed = Array.isArray(repositories) ? repositories : []
    return listed.flatMap((item, index) =>
      isObject(item) ? [{ value: item, exchange, pointer: `${pointer}/repositories/${index}` }] : [],
    )
  })
}
