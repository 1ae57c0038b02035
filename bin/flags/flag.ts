/** A flag of a command: the one record from which help, environment variables, the configuration file and docs follow. */
import { type Command, Option } from 'commander';

/** How far a flag has come; how long it stays once it is deprecated follows from that. */
export type Stability = 'alpha' | 'beta' | 'stable';

/** One flag. It is set on the command line, by an environment variable, or in the configuration file. */
export interface Flag {
  /** Without its dashes, as in `http-port`. */
  readonly name: string;
  /** The placeholder of its value, as in `<port>`; absent for a switch. */
  readonly value?: string;
  readonly about: string;
  /** Its value where it is not set; absent where there is none. */
  readonly byDefault?: string;
  /** All that its value can be, where that is a closed set: shells complete these. */
  readonly values?: readonly string[];
  /** The default in words, where it depends on other flags. */
  readonly otherwise?: string;
  /** Whether it may be given more than once. */
  readonly repeatable?: true;
  /** Stands between several values in an environment variable. Default: a comma. */
  readonly separator?: string;
  readonly stability: Stability;
  /** The release that it came with, as in `0.1`. */
  readonly since: string;
  readonly deprecated?: Deprecation;
}

/** The value that a flag is set to: several where it may be repeated, `true` or `false` for a switch. */
export type FlagValue = string | readonly string[] | boolean;

export interface Deprecation {
  /** The release since which it is deprecated. */
  readonly since: string;
  /** The advice to users, as in `use --bind-address`. */
  readonly instead: string;
}

/** Flags that belong together, under one heading of the help. */
export interface FlagGroup<Flags extends readonly Flag[] = readonly Flag[]> {
  readonly heading: string;
  readonly flags: Flags;
}

type CamelCase<Name extends string> = Name extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Name;

type AlwaysSet = { readonly byDefault: string } | { readonly repeatable: true };

type ValueOf<F extends Flag> = F extends { readonly repeatable: true }
  ? readonly string[]
  : F extends { readonly value: string }
    ? string
    : boolean;

/** The values of flags by their names in camel case. Those that have a default are always there. */
export type FlagValues<Flags extends readonly Flag[]> = {
  readonly [F in Extract<Flags[number], AlwaysSet> as CamelCase<F['name']>]: ValueOf<F>;
} & {
  readonly [F in Exclude<Flags[number], AlwaysSet> as CamelCase<F['name']>]?: ValueOf<F>;
};

/** Adds flags to a command, under their headings. */
export function addFlags(command: Command, groups: readonly FlagGroup[]): void {
  for (const { heading, flags } of groups) {
    for (const flag of flags) command.addOption(optionOf(flag).helpGroup(`${heading}:`));
  }
}

/** The name under which commander keeps the value of a flag. */
export const attributeOf = (flag: Flag): string => optionOf(flag).attributeName();

const valuesOfOptions = new WeakMap<Option, readonly string[]>();

/** All that the value of an option can be; `undefined` where that is no closed set. */
export const valuesOf = (option: Option): readonly string[] | undefined =>
  option.argChoices ?? valuesOfOptions.get(option);

function optionOf({ name, value, about, byDefault, otherwise, values, repeatable, deprecated }: Flag): Option {
  const notes = `${otherwise === undefined ? '' : ` (default: ${otherwise})`}${deprecated ? ` (deprecated: ${deprecated.instead})` : ''}`;
  const option = new Option(value === undefined ? `--${name}` : `--${name} ${value}`, about + notes);
  // Not by `choices`: the readers of flags judge values, wherever these were set.
  if (values) valuesOfOptions.set(option, values);
  if (repeatable) {
    option.argParser((given: string, before: readonly string[]) => [...before, given]);
    return option.default([], 'none');
  }
  return byDefault === undefined ? option : option.default(byDefault, byDefault === '' ? 'none' : undefined);
}
