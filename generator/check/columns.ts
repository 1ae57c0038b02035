/** Rules on printed columns. */
import type { Schema } from '../../runtime/contract/index.js';
import { didYouMean } from '../../runtime/objects/suggest.js';
import { get, list, type Raw, string } from '../../runtime/schema/read.js';
import type { Report } from '../diagnostics/problem.js';
import { COLUMN_TYPES } from '../model/columns.js';
import type { VersionModel } from '../model/model.js';
import { followObject, parsePath, type Step } from './json-path.js';
import { checkTargetType } from './path-types.js';

/** Formats a column can have in a CustomResourceDefinition; `name` marks the column of names in built-in tables. */
const FORMATS = ['int32', 'int64', 'float', 'double', 'byte', 'date', 'date-time', 'password', 'name'];

/** Checks the columns of one version; `index` is its place in `spec.versions`. */
export function checkColumns(raw: Raw, version: VersionModel, index: number, isNative: boolean, report: Report): void {
  const key = 'additionalPrinterColumns';
  const names = new Set<string>();
  list(get(raw, key)).forEach((column, at) => {
    const path = ['spec', 'versions', index, key, at];
    const name = string(get(column, 'name'));
    if (name !== undefined && names.has(name))
      report({ code: 'KF4023', path: [...path, 'name'], message: `column "${name}" is written twice` });
    names.add(name ?? '');
    for (const [part, known] of [
      ['type', COLUMN_TYPES],
      ['format', FORMATS],
    ] as const) {
      if (part === 'type' && isNative) continue;
      const value = string(get(column, part));
      const mayBeEmpty = part === 'format' && value === '';
      if (value === undefined || mayBeEmpty || known.some((each) => each === value)) continue;
      const suggestion = didYouMean(value, known) ?? `there are ${known.join(', ')}`;
      report({ code: 'KF4015', path: [...path, part], message: `a column cannot have ${part} "${value}"`, suggestion });
    }
    const text = string(get(column, 'jsonPath'));
    const steps = checkPath(text, [...path, 'jsonPath'], version, report);
    const types = typesOf(string(get(column, 'type')), isNative);
    if (steps === undefined || types === undefined) return;
    const pointer = { steps, path: [...path, 'jsonPath'], types, user: `column "${name ?? ''}"` };
    checkTargetType(raw, version, index, pointer, report);
  });
}

/** Types of fields whose values a column shows; a column of texts shows all. */
const TYPES: Readonly<Record<string, readonly Schema['type'][]>> = {
  integer: ['integer'],
  number: ['number', 'integer'],
  boolean: ['boolean'],
  date: ['string'],
};

/** The types that fit a column. That of a native kind may count the items of a list. */
function typesOf(type: string | undefined, isNative: boolean): readonly Schema['type'][] | undefined {
  const types = TYPES[type ?? ''];
  return types && isNative && type === 'integer' ? [...types, 'array'] : types;
}

/** The steps of a path that leads somewhere. */
function checkPath(
  text: string | undefined,
  path: readonly (string | number)[],
  version: VersionModel,
  report: Report,
): readonly Step[] | undefined {
  if (text === undefined) return undefined;
  const parsed = parsePath(text);
  if ('problem' in parsed) {
    const suggestion = /^[a-z]/i.test(text) ? { suggestion: `begin with a dot: \`.${text}\`` } : {};
    report({ code: 'KF4013', path, message: `the JSONPath ${parsed.problem}`, ...suggestion });
    return undefined;
  }
  const target = followObject(version.schema, parsed.steps);
  if (target.found !== undefined) return parsed.steps;
  report({ code: 'KF4014', path, message: `the path leads nowhere: ${target.why}`, suggestion: target.nearest });
  return undefined;
}
