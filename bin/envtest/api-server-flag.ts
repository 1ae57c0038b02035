/**
 * A flag of kube-apiserver, and what its stand-in does with it. Help, translation and docs are made from this one
 * record.
 */

/** The type of the value in the help of kube-apiserver. It decides how values of a repeated flag are combined. */
export type FlagValueKind =
  | 'duration'
  | 'float'
  | 'float32'
  | 'int'
  | 'int32Slice'
  | 'ip'
  | 'Level'
  | 'mapStringBool'
  | 'mapStringString'
  | 'namedCertKey'
  | 'pattern=N,...'
  | 'portRange'
  | 'quantity'
  | 'string'
  | 'stringArray'
  | 'strings'
  | 'stringToString';

/**
 * The stand-in gives `passed` to the flag of `kindforge serve` with the same name, translates `used`, ignores `unused`,
 * because no client could see a difference, ignores `warned` with a warning, and does not start with `refused`.
 */
export type Treatment = 'passed' | 'used' | 'unused' | 'warned' | 'refused';

export interface ApiServerFlag {
  /** Without its dashes. */
  readonly name: string;
  /** Absent for a switch. */
  readonly value?: FlagValueKind;
  readonly treatment: Treatment;
  /** Its effect, or why it has none. */
  readonly about: string;
  /** The value that needs no warning, because ignoring it changes nothing. */
  readonly harmless?: string;
}

/** Flags under one heading of the help. */
export interface ApiServerFlagGroup {
  /** As in `Generic`. */
  readonly heading: string;
  readonly flags: readonly ApiServerFlag[];
}

type Kind = FlagValueKind | 'switch';

const flag =
  (treatment: Treatment) =>
  (name: string, kind: Kind, about: string, harmless?: string): ApiServerFlag => ({
    name,
    ...(kind === 'switch' ? {} : { value: kind }),
    treatment,
    about,
    ...(harmless === undefined ? {} : { harmless }),
  });

/** Defines a flag that `kindforge serve` has too. */
export const passed = (name: string, kind: Kind, about = 'as in kindforge serve'): ApiServerFlag =>
  flag('passed')(name, kind, about);
export const used = flag('used');
export const unused = flag('unused');
export const warned = flag('warned');
export const refused = flag('refused');
