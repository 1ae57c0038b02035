/** The values of flags that were given to kube-apiserver, once all that were given more than once are put together. */
import type { GivenFlag } from './read-arguments.js';
import type { ApiServerFlag, FlagValueKind } from './table/api-server-flag.js';

/** Values by the names of their flags. Lists and mappings have commas between their parts. */
export type Settings = ReadonlyMap<string, Setting>;

export interface Setting {
  readonly flag: ApiServerFlag;
  /** Several only where the flag takes one value at a time. */
  readonly texts: readonly string[];
}

const joined: ReadonlySet<FlagValueKind | undefined> = new Set([
  'mapStringBool',
  'mapStringString',
  'strings',
  'stringToString',
]);
const separate: ReadonlySet<FlagValueKind | undefined> = new Set(['namedCertKey', 'stringArray']);

/** Lists grow with each time that they are given; of anything else the last value counts. An empty value is none. */
export function settingsOf(given: readonly GivenFlag[]): Settings {
  const settings = new Map<string, Setting>();
  for (const { flag, text } of given) {
    const before = settings.get(flag.name)?.texts ?? [];
    settings.set(flag.name, { flag, texts: together(flag, before, text) });
  }
  for (const [name, { texts }] of settings) if (texts.every((text) => text === '')) settings.delete(name);
  return settings;
}

function together({ value }: ApiServerFlag, before: readonly string[], text: string): readonly string[] {
  if (separate.has(value)) return [...before, text];
  if (!joined.has(value)) return [text];
  return [[...before, text].filter((one) => one !== '').join(',')];
}

/** The value of a flag that has one; absent where it was not given. */
export const textOf = (settings: Settings, name: string): string | undefined => settings.get(name)?.texts[0];
