import { needCatalogue } from '../run/needs/need-catalogue.ts'
import type { Provider, ProviderAnswer } from '../run/needs/provider.ts'

/** Thrown where a dry run cannot go on: the check would send a request now, or use what a provider is only asked for in a run. */
export class DryStop extends Error {
  override readonly name = 'DryStop'
  /** The need that is taken for granted; absent where a request would be sent. */
  readonly assumed: string | undefined
  constructor(assumed?: string) {
    super(assumed ?? 'a request would be sent')
    this.assumed = assumed
  }
}

/** What a dry run may take for granted of a provider. */
export interface DryProviding {
  /** The configured provider; values that are only read are asked for, nothing is made or used up. */
  readonly provider?: Provider | undefined
  /** The needs that its module has functions for, where that is known. */
  readonly offered?: ReadonlySet<string> | undefined
  /** Every need that the provider may give is taken for granted, and it is not asked. */
  readonly unasked?: boolean
  /** Needs that nobody gives, for what would be if they were given: the example of the schema stands for a value, others are taken for granted. */
  readonly given?: ReadonlySet<string>
}

/** Answers for a provider without letting it make anything. */
export function dryProvider({ provider, offered, unasked = false, given }: DryProviding): Provider {
  return {
    async ask(name, specifics): Promise<ProviderAnswer> {
      const { kind, example } = needCatalogue.get(name) ?? {}
      if (given?.has(name) && kind === 'value' && example) return { given: example }
      if (given?.has(name)) throw new DryStop(name)
      if (!provider) return { unsupported: 'there is no provider' }
      if (offered && !offered.has(name)) return { unsupported: `the provider module has no function "${name}"` }
      const isRead = kind === 'value' && name !== 'token'
      if (unasked || !isRead) throw new DryStop(name)
      return provider.ask(name, specifics)
    },
    release: async () => {},
  }
}
