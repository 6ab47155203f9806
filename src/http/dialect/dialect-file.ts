import type { AuthorizationFile } from './authorization.ts'
import type { NamesByKind } from './field-names.ts'

type Names = Readonly<Record<string, string>>

/** A target's own words, as its dialect file states them: the document's word → the target's (docs/dialect.md). */
export interface DialectFile {
  /** The base URL of each version, where they differ. */
  readonly baseUrls?: Names
  readonly version?: {
    /** The part of a request that names its version; a header unless stated. */
    readonly send?: 'header' | 'media-type' | 'path' | 'none'
    /** The parameter of the media type that names the version. */
    readonly parameter?: string
    /** The path between the base URL and the endpoint, with `{version}`. */
    readonly prefix?: string
    /** The target's names of the versions. */
    readonly names?: Names
  }
  /** Header names; `version` and `permissions` abbreviate the two long ones. */
  readonly headers?: Names
  /** Headers that every request to the target carries. */
  readonly extraHeaders?: Names
  readonly authorization?: AuthorizationFile
  readonly queryParameters?: Names
  /** The recommended media type's name on this target. */
  readonly mediaType?: string
  /** The whole Accept value to send, when it must differ from the media type. */
  readonly accept?: string
  /** Whole path templates. */
  readonly paths?: Names
  readonly pathWords?: Names
  /** The categories of permissions. */
  readonly permissions?: Names
  readonly fields?: Names
  /** Field names in one kind of object, which come before `fields`. */
  readonly objects?: NamesByKind
  /** The request that proves that the target responds, in the document's words; `GET /events` unless stated. */
  readonly probe?: string
  /** Values that come from the environment, by variable: they appear in no output. Not part of the file. */
  readonly secrets?: Names
}
