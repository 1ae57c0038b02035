/**
 * Reads the conversion of a version. Missing parts and parts of a wrong type count as absent, because `check` reports
 * them.
 */

import type { ConvertedSchemas } from '../../runtime/cel/index.js';
import type { ConversionStep, JsonValue } from '../../runtime/contract/index.js';
import { compareVersions } from '../../runtime/objects/names/names.js';
import { compact, isObject, type Raw, string } from '../../runtime/schema/read.js';
import type { Conversion, Steps } from '../load/definition-format.js';
import type { ConversionModel, ResourceModel, VersionModel } from './model.js';
import type { Part } from './part.js';

const TYPES = ['string', 'number', 'boolean', 'object', 'array'] as const;
const FORMS = ['json', 'text'] as const;
const LISTS = ['field', 'stored'] as const;
const SIDES = ['this', 'stored'] as const;

/** Reads the conversion of a version, if it has one. */
export function readConversion(written: Part<Conversion>): ConversionModel | undefined {
  if (!written.isWritten) return undefined;
  return compact<ConversionModel>({
    steps: readSteps(written.parts('steps')),
    function: written.string('function'),
    oneOf: written.parts('oneOf').map((each) => ({
      of: each.choice('of', SIDES) ?? 'this',
      fields: each.strings('fields'),
    })),
    lost: written.parts('lost').flatMap((each): ConversionModel['lost'] => {
      const [field, stored] = [each.string('field'), each.string('stored')];
      return [
        ...(field === undefined ? [] : [{ of: 'this' as const, path: field }]),
        ...(stored === undefined ? [] : [{ of: 'stored' as const, path: stored }]),
      ];
    }),
  });
}

type WrittenStep = Steps[number];

function readSteps(steps: readonly Part<WrittenStep>[]): readonly ConversionStep[] {
  return steps.flatMap((each) => readStep(each) ?? []);
}

/** Reads a step: a mapping with one key, the kind of step. */
function readStep(step: Part<WrittenStep>): ConversionStep | undefined {
  const [kind = ''] = isObject(step.raw) ? Object.keys(step.raw) : [];
  return isStepKind(kind) ? readers[kind](step) : undefined;
}

const readers: { readonly [K in keyof WrittenStep]-?: (step: Part<WrittenStep>) => ConversionStep } = {
  move: (step) => {
    const move = step.part('move');
    return {
      move: compact({
        field: move.string('field') ?? '',
        stored: move.string('stored') ?? '',
        type: move.choice('type', TYPES),
        absent: move.get('absent'),
        introduced: move.string('introduced'),
      }),
    };
  },
  split: (step) => {
    const split = step.part('split');
    return {
      split: {
        field: split.string('field') ?? '',
        stored: split.strings('stored'),
        separator: split.string('separator') ?? '',
      },
    };
  },
  join: (step) => {
    const join = step.part('join');
    return {
      join: {
        fields: join.strings('fields'),
        stored: join.string('stored') ?? '',
        separator: join.string('separator') ?? '',
      },
    };
  },
  wrap: (step) => {
    const wrap = step.part('wrap');
    return {
      wrap: compact({
        field: wrap.string('field') ?? '',
        stored: wrap.string('stored') ?? '',
        list: wrap.choice('list', LISTS),
        annotation: wrap.string('annotation'),
      }),
    };
  },
  default: (step) => {
    const written = step.part('default');
    return {
      default: compact({
        field: written.string('field'),
        stored: written.string('stored'),
        value: written.get('value') ?? null,
        annotation: written.string('annotation'),
      }),
    };
  },
  constant: (step) => {
    const constant = step.part('constant');
    return {
      constant: compact({
        field: constant.string('field'),
        stored: constant.string('stored'),
        value: constant.get('value') ?? null,
      }),
    };
  },
  expression: (step) => {
    const expression = step.part('expression');
    return {
      expression: {
        field: expression.string('field') ?? '',
        stored: expression.string('stored') ?? '',
        toStored: expression.string('toStored') ?? '',
        fromStored: expression.string('fromStored') ?? '',
      },
    };
  },
  item: (step) => {
    const item = step.part('item');
    return {
      item: compact({
        field: item.string('field') ?? '',
        stored: item.string('stored') ?? '',
        where: readValues(item.get('where')),
        value: item.string('value') ?? '',
        copied: item.boolean('copied'),
      }),
    };
  },
  annotation: (step) => {
    const annotation = step.part('annotation');
    const steps = readSteps(annotation.parts('steps'));
    return {
      annotation: compact({
        key: annotation.string('key') ?? '',
        field: annotation.string('field'),
        stored: annotation.string('stored'),
        as: annotation.choice('as', FORMS),
        replaceable: annotation.boolean('replaceable'),
        steps: steps.length === 0 ? undefined : steps,
      }),
    };
  },
  values: (step) => {
    const values = step.part('values');
    return {
      values: {
        field: values.string('field') ?? '',
        stored: values.string('stored') ?? '',
        pairs: values.parts('pairs').map((pair) => ({
          field: pair.get('field') ?? null,
          stored: pair.get('stored') ?? null,
        })),
      },
    };
  },
  derived: (step) => {
    const derived = step.part('derived');
    return { derived: { stored: derived.string('stored') ?? '', from: readTexts(derived.get('from')) } };
  },
  within: (step) => {
    const within = step.part('within');
    return { within: { path: within.string('path') ?? '', steps: readSteps(within.parts('steps')) } };
  },
};

const isStepKind = (word: string): word is keyof WrittenStep => Object.hasOwn(readers, word);

function readTexts(raw: Raw): Readonly<Record<string, string>> {
  if (!isObject(raw)) return {};
  return Object.fromEntries(Object.entries(raw).map(([key, value]) => [key, string(value) ?? '']));
}

function readValues(raw: Raw): Readonly<Record<string, JsonValue>> {
  if (!isObject(raw)) return {};
  const values: [string, JsonValue][] = [];
  for (const [key, value] of Object.entries(raw)) if (value !== undefined) values.push([key, value]);
  return Object.fromEntries(values);
}

/**
 * Returns the schemas of a version and of the stored one. The latter is unknown if objects are stored as another
 * resource.
 */
export function convertedSchemas(resource: ResourceModel, { schema }: VersionModel): ConvertedSchemas {
  const stored = storedVersion(resource)?.schema;
  return { own: schema, ...(stored ? { stored } : {}) };
}

/**
 * Returns the version that the other versions of a resource are converted to: the stored one, or the best one of a
 * virtual kind. `undefined` if objects are stored as another resource.
 */
export function storedVersion({ versions, virtual, storedAs }: ResourceModel): VersionModel | undefined {
  if (storedAs) return undefined;
  const [best] = virtual ? [...versions].sort((a, b) => compareVersions(a.name, b.name)) : [];
  return versions.find(({ storage }) => storage) ?? best;
}
