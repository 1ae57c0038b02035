/** Reads how a version is converted; what is missing or of a wrong type counts as absent, since `check` reports it. */
import type { ConversionStep, JsonValue } from '../../runtime/contract/index.js';
import {
  boolean,
  compact,
  get,
  isObject,
  list,
  oneOf,
  type Raw,
  string,
  strings,
} from '../../runtime/schema/reading/read.js';
import type { ConversionModel } from './model.js';

const TYPES = ['string', 'number', 'boolean', 'object', 'array'] as const;
const FORMS = ['json', 'text'] as const;
const SIDES = ['this', 'stored'] as const;

/** The conversion of a version, where one is written. */
export function readConversion(raw: Raw): ConversionModel | undefined {
  if (!isObject(raw)) return undefined;
  return compact<ConversionModel>({
    steps: readSteps(get(raw, 'steps')),
    function: string(get(raw, 'function')),
    oneOf: list(get(raw, 'oneOf')).map((each) => ({
      of: oneOf(SIDES)(get(each, 'of')) ?? 'this',
      fields: strings(get(each, 'fields')),
    })),
    lost: list(get(raw, 'lost')).flatMap((each): ConversionModel['lost'] => {
      const [field, stored] = [string(get(each, 'field')), string(get(each, 'stored'))];
      return [
        ...(field === undefined ? [] : [{ of: 'this' as const, path: field }]),
        ...(stored === undefined ? [] : [{ of: 'stored' as const, path: stored }]),
      ];
    }),
  });
}

function readSteps(raw: Raw): readonly ConversionStep[] {
  return list(raw).flatMap((each) => {
    const step = readStep(each);
    return step === undefined ? [] : [step];
  });
}

function readStep(raw: Raw): ConversionStep | undefined {
  const [[kind = '', step = undefined] = []] = isObject(raw) ? Object.entries(raw) : [];
  const read = Object.hasOwn(readers, kind) ? readers[kind] : undefined;
  return read?.(step);
}

const text = (raw: Raw, key: string): string => string(get(raw, key)) ?? '';

const readers: Readonly<Record<string, (raw: Raw) => ConversionStep>> = {
  move: (raw) => ({
    move: compact({
      field: text(raw, 'field'),
      stored: text(raw, 'stored'),
      type: oneOf(TYPES)(get(raw, 'type')),
      absent: get(raw, 'absent'),
    }),
  }),
  split: (raw) => ({
    split: { field: text(raw, 'field'), stored: strings(get(raw, 'stored')), separator: text(raw, 'separator') },
  }),
  item: (raw) => ({
    item: compact({
      field: text(raw, 'field'),
      stored: text(raw, 'stored'),
      where: readValues(get(raw, 'where')),
      value: text(raw, 'value'),
      copied: boolean(get(raw, 'copied')),
    }),
  }),
  annotation: (raw) => {
    const steps = readSteps(get(raw, 'steps'));
    return {
      annotation: compact({
        key: text(raw, 'key'),
        field: string(get(raw, 'field')),
        stored: string(get(raw, 'stored')),
        as: oneOf(FORMS)(get(raw, 'as')),
        steps: steps.length === 0 ? undefined : steps,
      }),
    };
  },
  values: (raw) => ({
    values: {
      field: text(raw, 'field'),
      stored: text(raw, 'stored'),
      pairs: list(get(raw, 'pairs')).map((pair) => ({
        field: get(pair, 'field') ?? null,
        stored: get(pair, 'stored') ?? null,
      })),
    },
  }),
  derived: (raw) => ({ derived: { stored: text(raw, 'stored'), from: readTexts(get(raw, 'from')) } }),
  within: (raw) => ({ within: { path: text(raw, 'path'), steps: readSteps(get(raw, 'steps')) } }),
};

function readTexts(raw: Raw): Readonly<Record<string, string>> {
  if (!isObject(raw)) return {};
  return Object.fromEntries(Object.keys(raw).map((key) => [key, text(raw, key)]));
}

function readValues(raw: Raw): Readonly<Record<string, JsonValue>> {
  if (!isObject(raw)) return {};
  const values: [string, JsonValue][] = [];
  for (const [key, value] of Object.entries(raw)) if (value !== undefined) values.push([key, value]);
  return Object.fromEntries(values);
}
