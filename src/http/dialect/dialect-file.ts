/** The document's words → the target's. */
export type Names = Readonly<Record<string, string>>

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
  /** How requests carry the caller's token; `Authorization: Bearer TOKEN` unless stated. */
  readonly authorization?: {
    /** The word before the token, such as `token`; `Basic` sends the token as password. None is sent with a header of its own unless stated. */
    readonly scheme?: string
    /** The user name that `Basic` sends with the token. */
    readonly user?: string
    /** A header in place of Authorization. */
    readonly header?: string
    /** A query parameter in place of a header. */
    readonly query?: string
  }
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
  readonly objects?: Readonly<Record<string, Names>>
  /** The request that proves that the target responds, in the document's words; `GET /events` unless stated. */
  readonly probe?: string
  /** Values that come from the environment, by variable: they appear in no output. Not part of the file. */
  readonly secrets?: Names
}
