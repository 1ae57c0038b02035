/** Reads the settings of `kindforge serve` in a project's configuration. */
import { resolve } from 'node:path';
import { didYouMean } from '../../../runtime/objects/suggest.js';
import { type SettingValue, serveSettingKinds } from '../serve-settings.js';
import type { Mistake } from './mistake.js';
import { wordFor } from './read-parts.js';

const kinds: ReadonlyMap<string, 'switch' | 'text' | 'path' | 'store'> = new Map(Object.entries(serveSettingKinds));

/** Settings that the configuration has at its top, for all commands. */
const atTheTop: readonly string[] = ['schemas', 'naming'];

/** The settings by their names; relative paths become those of the folder of the configuration. */
export function readServe(
  value: unknown,
  directory: string,
  refuse: (mistake: Mistake) => void,
): Readonly<Record<string, SettingValue>> {
  if (value === undefined) return {};
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    refuse({ path: ['serve'], problem: `is ${wordFor(value)}; expected settings, as in { 'http-port': 8080 }` });
    return {};
  }
  const settings: Record<string, SettingValue> = {};
  for (const [name, given] of Object.entries(value)) {
    const path = ['serve', name];
    const kind = kinds.get(name);
    if (kind === undefined) refuse({ path, problem: `is no setting of kindforge serve; ${hintFor(name)}`, at: 'key' });
    else if (!isSetting(given, kind)) {
      const expected = kind === 'switch' ? 'true or false' : 'text, a number, a list of these, or names with values';
      refuse({ path, problem: `is ${wordFor(given)}; expected ${expected}` });
    } else settings[name] = kind === 'path' || kind === 'store' ? placed(given, kind, directory) : given;
  }
  return settings;
}

function hintFor(name: string): string {
  if (atTheTop.includes(name)) return `set ${name} beside serve`;
  return didYouMean(name, kinds.keys()) ?? 'they are the flags of kindforge serve --help, without dashes';
}

function isSetting(value: unknown, kind: string): value is SettingValue {
  if (kind === 'switch') return typeof value === 'boolean';
  if (typeof value === 'object' && value !== null) return Object.values(value).every(isScalar);
  return isScalar(value);
}

const isScalar = (value: unknown): value is string | number | boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

function placed(value: SettingValue, kind: 'path' | 'store', directory: string): SettingValue {
  const place = (text: string | number | boolean): string | number | boolean => {
    if (typeof text !== 'string') return text;
    return kind === 'path' ? resolve(directory, text) : placedStore(text, directory);
  };
  if (typeof value !== 'object') return place(value);
  return Array.isArray(value) ? value.map(place) : value;
}

/** Of the stores, `lmdb:<folder>` and `fs:<folder>` have a path. */
export function placedStore(text: string, directory: string): string {
  const [, driver, folder = ''] = /^(lmdb|fs):(.*)$/s.exec(text) ?? [];
  return driver === undefined ? text : `${driver}:${resolve(directory, folder)}`;
}
