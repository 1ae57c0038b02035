/** Types of patches that are checked against the type of the object. */

/** A merge patch of a type: every part optional, null removes. */
export type MergePatch<T> = T extends string | readonly unknown[]
  ? T
  : T extends object
    ? { [K in keyof T]?: MergePatch<NonNullable<T[K]>> | null }
    : T;

/** One operation of a JSON patch (RFC 6902). */
export type JsonPatchOperation<Path extends string = string> =
  | { readonly op: 'add' | 'replace' | 'test'; readonly path: Path; readonly value: unknown }
  | { readonly op: 'remove'; readonly path: Path }
  | { readonly op: 'move' | 'copy'; readonly from: Path; readonly path: Path };

/** Marks the type of a field that does not exist. */
export interface NoSuchField {
  readonly ' no such field': never;
}

/** Decodes a name in a pointer (RFC 6901). */
type Unescaped<Text extends string> = Text extends `${infer Before}~1${infer After}`
  ? `${Unescaped<Before>}/${Unescaped<After>}`
  : Text extends `${infer Before}~0${infer After}`
    ? `${Before}~${Unescaped<After>}`
    : Text;

type Member<T, Name extends string> = unknown extends T
  ? unknown
  : T extends readonly (infer Item)[]
    ? Name extends '-' | `${number}`
      ? Item
      : NoSuchField
    : Name extends keyof T
      ? T[Name]
      : string extends keyof T
        ? T[keyof T & string]
        : NoSuchField;

/** The type of the value at a pointer, as in `/spec/count`. */
export type AtPointer<T, Pointer extends string> = unknown extends T
  ? unknown
  : Pointer extends ''
    ? T
    : Pointer extends `/${infer Name}/${infer Rest}`
      ? AtPointer<Member<NonNullable<T>, Unescaped<Name>>, `/${Rest}`>
      : Pointer extends `/${infer Name}`
        ? Member<NonNullable<T>, Unescaped<Name>>
        : NoSuchField;

type CheckedPath<T, Path extends string> = string extends Path
  ? string
  : [AtPointer<T, Path>] extends [NoSuchField]
    ? never
    : Path;

/** Refuses an operation without a value, because JSON has no undefined. */
type CheckedValue<T, Path extends string> = string extends Path ? unknown : Exclude<AtPointer<T, Path>, undefined>;

/** The operations that fit an object: their places exist, and their values have the right type. */
export type CheckedOperation<T, Operation> = Operation extends {
  readonly op: 'add' | 'replace' | 'test';
  readonly path: infer Path extends string;
}
  ? { readonly path: CheckedPath<T, Path>; readonly value: CheckedValue<T, Path> }
  : Operation extends { readonly from: infer From extends string; readonly path: infer Path extends string }
    ? { readonly from: CheckedPath<T, From>; readonly path: CheckedPath<T, Path> }
    : Operation extends { readonly path: infer Path extends string }
      ? { readonly path: CheckedPath<T, Path> }
      : never;
