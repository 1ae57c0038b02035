/** A flag of a command. Parser, help, environment, configuration file, types and docs are made from this one record. */
import { type Command, Option } from 'commander';
import type { OptionName } from '../../server/option-error.js';

/** The maturity of a flag. It decides how long the flag stays after its deprecation. */
export type Stability = 'alpha' | 'beta' | 'stable';

/** One flag. Users set it on the command line, by an environment variable, or in the configuration file. */
export interface Flag {
  /** The name without its dashes, as in `http-port`. */
  readonly name: string;
  /** The placeholder of its value, as in `<port>`; absent for a switch. */
  readonly value?: string;
  readonly about: string;
  readonly byDefault?: string;
  /** All values that it takes, if they are a closed set. Shells complete them. `true` and `false` become booleans. */
  readonly values?: readonly string[];
  /** Reads its value, or returns the rule that it breaks. Default: the text as it is. */
  readonly read?: (text: string) => Read<unknown>;
  /** Whether its value is a list of names with commas between them. */
  readonly separated?: true;
  /** The default in words, if it depends on other flags. */
  readonly otherwise?: string;
  /** Whether it may be given more than once. */
  readonly repeatable?: true;
  /** Separates several values in an environment variable. Default: a comma. */
  readonly separator?: string;
  /** The options of a server that it sets. An error about such an option names the flag. */
  readonly sets?: readonly OptionName[];
  /** Default: the group's stability. */
  readonly stability?: Stability;
  /** The release that introduced it, as in `0.1`. Default: the group's release. */
  readonly since?: string;
  readonly deprecated?: Deprecation;
}

/** The value that a flag is set to: several if it may be repeated, `true` or `false` for a switch. */
export type FlagValue = string | readonly string[] | boolean;

export type Read<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly failure: { readonly message: string } };

export interface Deprecation {
  /** The release that deprecated it. */
  readonly since: string;
  /** The advice to users, as in `use --bind-address`. */
  readonly instead: string;
}

/** Flags under one heading of the help. Stability and release are the defaults of its flags. */
export interface FlagGroup<Flags extends readonly Flag[] = readonly Flag[]> {
  readonly heading: string;
  readonly stability: Stability;
  readonly since: string;
  readonly flags: Flags;
}

type CamelCase<Name extends string> = Name extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Name;

type AlwaysSet = { readonly byDefault: string } | { readonly repeatable: true };

type GivenValue<F extends Flag> = F extends { readonly repeatable: true }
  ? readonly string[]
  : F extends { readonly value: string }
    ? string
    : boolean;

/** The values of flags as users give them, by their names in camel case. Flags with a default always have one. */
export type FlagValues<Flags extends readonly Flag[]> = {
  readonly [F in Extract<Flags[number], AlwaysSet> as CamelCase<F['name']>]: GivenValue<F>;
} & {
  readonly [F in Exclude<Flags[number], AlwaysSet> as CamelCase<F['name']>]?: GivenValue<F>;
};

type OneValue<F extends Flag> = F extends { readonly read: (text: string) => infer R }
  ? Extract<R, { readonly ok: true }> extends { readonly value: infer V }
    ? V
    : never
  : F extends { readonly values: readonly ['true', 'false'] }
    ? boolean
    : F extends { readonly values: readonly (infer V)[] }
      ? V
      : string;

type ReadValue<F extends Flag> = F extends { readonly separated: true }
  ? readonly string[]
  : F extends { readonly repeatable: true }
    ? readonly OneValue<F>[]
    : F extends { readonly value: string }
      ? OneValue<F>
      : boolean;

/** The values of flags as their records read them. */
export type ReadValues<Flags extends readonly Flag[]> = {
  readonly [F in Extract<Flags[number], AlwaysSet> as CamelCase<F['name']>]: ReadValue<F>;
} & {
  readonly [F in Exclude<Flags[number], AlwaysSet> as CamelCase<F['name']>]?: ReadValue<F>;
};

/** A flag has a wrong value, or one that conflicts with another flag. The message names the flag. */
export class FlagError extends Error {}

/** Reads all values by the records of their flags. Throws a `FlagError` that names the flag and the rule. */
export function readValues<Group extends FlagGroup>(
  groups: readonly Group[],
  given: FlagValues<Group['flags']>,
): ReadValues<Group['flags']> {
  const all: ReadonlyMap<string, FlagValue | undefined> = new Map(Object.entries(given));
  const flags = groups.flatMap((group): readonly Flag[] => group.flags);
  const read = flags.flatMap((flag) => {
    const value = all.get(attributeOf(flag));
    return value === undefined ? [] : [[attributeOf(flag), readValue(flag, value)]];
  });
  // The compiler cannot derive names in camel case. The cast is safe: type and object come from the same records.
  return Object.fromEntries(read) as ReadValues<Group['flags']>;
}

function readValue(flag: Flag, given: FlagValue): unknown {
  if (typeof given === 'boolean') return given;
  if (flag.separated) return namesIn(typeof given === 'string' ? [given] : given);
  return typeof given === 'string' ? readText(flag, given) : given.map((text) => readText(flag, text));
}

function readText({ name, values, read }: Flag, text: string): unknown {
  if (values !== undefined) {
    if (!values.includes(text)) throw new FlagError(`--${name} ${shown(text)}: must be ${choice(values)}`);
    return values[0] === 'true' ? text === 'true' : text;
  }
  return read === undefined ? text : takeValue(`--${name}`, read(text));
}

/** Returns the names in texts with commas between them. */
export const namesIn = (texts: readonly string[]): readonly string[] =>
  texts.flatMap((text) => text.split(',')).flatMap((name) => name.trim() || []);

/** Returns the value, or throws a `FlagError` that begins with the flag if the text could not be read. */
export function takeValue<T>(flag: string, read: Read<T>): T {
  if (read.ok) return read.value;
  throw new FlagError(`${flag} ${read.failure.message}`);
}

/** Refuses a value: `rule` completes "must be". */
export const mustBe = (
  text: string,
  rule: string,
): { readonly ok: false; readonly failure: { readonly message: string } } => ({
  ok: false,
  failure: { message: `${shown(text)}: must be ${rule}` },
});

const shown = (text: string): string => text || '(nothing)';

/** Joins values, as in `text or json`. */
const choice = (values: readonly string[]): string =>
  values.length === 1 ? `${values[0]}` : `${values.slice(0, -1).join(', ')} or ${values.at(-1)}`;

/** Adds flags to a command, under their headings. */
export function addFlags(command: Command, groups: readonly FlagGroup[]): void {
  for (const { heading, flags } of groups) {
    for (const flag of flags) command.addOption(optionOf(flag).helpGroup(`${heading}:`));
  }
}

/** Returns the name under which commander keeps the value of a flag. */
export const attributeOf = (flag: Pick<Flag, 'name'>): string =>
  flag.name.replaceAll(/-([a-z0-9])/g, (_, first: string) => first.toUpperCase());

const valuesOfOptions = new WeakMap<Option, readonly string[]>();

/** Returns all values that an option takes; `undefined` if they are not a closed set. */
export const valuesOf = (option: Option): readonly string[] | undefined =>
  option.argChoices ?? valuesOfOptions.get(option);

function optionOf({ name, value, about, byDefault, otherwise, values, repeatable, deprecated }: Flag): Option {
  const notes = `${otherwise === undefined ? '' : ` (default: ${otherwise})`}${deprecated ? ` (deprecated: ${deprecated.instead})` : ''}`;
  const option = new Option(value === undefined ? `--${name}` : `--${name} ${value}`, about + notes);
  // Not with `choices`, which checks only the command line: `readText` checks values from all sources.
  if (values) valuesOfOptions.set(option, values);
  if (repeatable) {
    option.argParser((given: string, before: readonly string[]) => [...before, given]);
    return option.default([], 'none');
  }
  return byDefault === undefined ? option : option.default(byDefault, byDefault === '' ? 'none' : undefined);
}
