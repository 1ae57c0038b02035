/** Asks every rule about one resource definition. */

import type { Schema, Verb } from '../../runtime/contract/index.js';
import { nameFormat, nameFormats } from '../../runtime/objects/names/names.js';
import { isReached } from '../../runtime/objects/release.js';
import { didYouMean } from '../../runtime/objects/suggest.js';
import { boolean, get, isObject, list, type Raw, string } from '../../runtime/schema/read.js';
import type { Path, Report, Suggestion } from '../diagnostics/problem.js';
import { COLUMN_TYPES } from '../model/columns.js';
import type { ResourceModel, VersionModel } from '../model/model.js';
import { checkConversion } from './conversion/conversion.js';
import { checkVersionClashes } from './conversion/version-clashes.js';
import { checkVersionConversions } from './conversion/version-conversion.js';
import type { Definition } from './document-kind.js';
import { checkFormat } from './format.js';
import { followObject, parsePath, type Step } from './json-path.js';
import { checkTargetType } from './path-types.js';
import { checkRelations } from './relations.js';
import { checkResourceNames } from './resource-names.js';
import { checkSchema } from './schema/check-schema.js';
import { listFormats } from './schema/markers.js';
import type { ReferenceContext } from './schema/references.js';
import { checkSubresources } from './subresources.js';
import { checkVersions } from './versions.js';

/** Reports mistakes that prevent reading a definition. Does not check whether its content makes sense. */
export function checkShape(definition: Definition, resource: ResourceModel, report: Report): void {
  checkFormat(definition, report);
  checkResourceNames(definition, report);
  checkVersions(definition, resource, report);
}

/** Reports all mistakes of a definition by itself; `resource` is the resource read from it. */
export function checkDefinition(
  definition: Definition,
  resource: ResourceModel,
  context: ReferenceContext,
  report: Report,
): void {
  const { kind, value } = definition;
  const isNative = kind === 'ResourceDefinition';
  checkShape(definition, resource, report);
  if (isNative) {
    checkNameRule(definition, report);
    checkVerbs(definition, resource, report);
    checkVersionConversions(resource, report);
    checkRelations(value, resource, report);
  } else checkConversion(value, report);
  checkVersionClashes(value, resource, report);
  list(get(get(value, 'spec'), 'versions')).forEach((raw, index) => {
    const version = resource.versions[index];
    if (version === undefined || !isObject(raw)) return;
    const path: Path = ['spec', 'versions', index, 'schema', 'openAPIV3Schema'];
    const root = get(get(raw, 'schema'), 'openAPIV3Schema');
    const { schema } = version;
    const hasStatus = version.subresources.some(({ name }) => name === 'status');
    const checked = { raw: root, schema, path, level: 'root', isNative, hasStatus } as const;
    if (!checkSchema(checked, context, report)) return;
    checkColumns(raw, version, index, isNative, report);
    checkSubresources(raw, version, index, isNative, report);
    checkSelectableFields(raw, version, index, isNative, report);
  });
}

function checkNameRule({ value }: Definition, report: Report): void {
  const format = string(get(get(get(value, 'spec'), 'nameRule'), 'format'));
  if (format === undefined || nameFormat(format) !== undefined) return;
  const suggestion = didYouMean(format, nameFormats) ?? listFormats();
  report({
    code: 'KF4020',
    path: ['spec', 'nameRule', 'format'],
    message: `name format \`${format}\` does not exist`,
    suggestion,
  });
}

// Rules on verbs: a stored resource has some, and a virtual resource only has verbs that a handler can answer.

const PATH = ['spec', 'verbs'];

/** The verbs that a handler can serve. */
const ANSWERED: readonly Verb[] = ['create', 'get', 'list'];

/** Checks the verbs of a native definition. */
function checkVerbs({ value }: Definition, resource: ResourceModel, report: Report): void {
  const { verbs, virtual, withoutMetadata } = resource;
  if (withoutMetadata && verbs.length > 0)
    report({ code: 'KF4028', path: ['spec', 'withoutMetadata'], message: 'a kind with verbs must have metadata' });
  const written = get(get(value, 'spec'), 'verbs');
  if (!Array.isArray(written)) return;
  if (!virtual) {
    if (written.length === 0)
      report({ code: 'KF4028', path: PATH, message: 'only a virtual kind can be without verbs' });
    return;
  }
  list(written).forEach((verb, index) => {
    const isAnswered = ANSWERED.some((each) => each === verb) || !verbs.some((each) => each === verb);
    if (isAnswered) return;
    const message = `a virtual kind cannot have the verb ${String(verb)}, because its objects are not stored`;
    report({ code: 'KF4028', path: [...PATH, index], message, suggestion: `it can have ${ANSWERED.join(', ')}` });
  });
}

/** Maximum number of selectable fields of a custom resource. */
const MOST_FIELDS = 8;

/** A problem of one field. */
interface Flaw {
  readonly message: string;
  readonly suggestion?: Suggestion;
}

/** Checks the selectable fields of one version; `index` is its place in `spec.versions`. */
export function checkSelectableFields(
  raw: Raw,
  version: VersionModel,
  index: number,
  isNative: boolean,
  report: Report,
): void {
  const path = ['spec', 'versions', index, 'selectableFields'];
  const fields = list(get(raw, 'selectableFields'));
  if (!isNative && fields.length > MOST_FIELDS) {
    report({ code: 'KF4016', path, at: 'key', message: `at most ${MOST_FIELDS} fields can be selectable` });
  }
  const seen = new Set<string>();
  fields.forEach((field, at) => {
    const text = string(get(field, 'jsonPath'));
    if (text === undefined) return;
    const given = isNative && boolean(get(field, 'byStrategy')) === true;
    const flaw = seen.has(text) ? { message: `"${text}" is written twice` } : flawOf(text, version, isNative, given);
    if (flaw !== undefined) report({ code: 'KF4016', path: [...path, at, 'jsonPath'], ...flaw });
    seen.add(text);
  });
}

/** Returns what is wrong with a path. With `given`, the strategy provides the values, so the field need not exist. */
function flawOf(text: string, version: VersionModel, isNative: boolean, given: boolean): Flaw | undefined {
  const steps = plainSteps(text);
  if (steps === undefined) return { message: `"${text}" is not a plain path of fields, such as .spec.nodeName` };
  const [first] = steps;
  if (first?.kind === 'field' && first.name === 'metadata') {
    return { message: 'name and namespace are always selectable, other fields of metadata never' };
  }
  if (given) return undefined;
  const target = followObject(version.schema, steps);
  if (target.found === undefined) return { message: target.why, suggestion: target.nearest };
  // Handlers may give a field of a built-in kind a value that no path leads to.
  const isFit = isNative || isScalar(target.found);
  return isFit ? undefined : { message: `"${text}" is not a string, integer or boolean` };
}

function plainSteps(text: string): readonly Step[] | undefined {
  const parsed = parsePath(text);
  if ('problem' in parsed || text.includes('[')) return undefined;
  return parsed.steps.every((step) => step.kind === 'field') ? parsed.steps : undefined;
}

function isScalar(found: VersionModel['schema'] | 'anything'): boolean {
  return found !== 'anything' && (found.type === 'string' || found.type === 'integer' || found.type === 'boolean');
}

/** Formats a column can have in a CustomResourceDefinition; `name` marks the column of names in built-in tables. */
const FORMATS = ['int32', 'int64', 'float', 'double', 'byte', 'date', 'date-time', 'password', 'name'];

/** Checks the columns of one version; `index` is its place in `spec.versions`. */
function checkColumns(raw: Raw, version: VersionModel, index: number, isNative: boolean, report: Report): void {
  const key = 'additionalPrinterColumns';
  /** The first release without the column of this name; empty if the column stays. */
  const names = new Map<string, string>();
  list(get(raw, key)).forEach((column, at) => {
    const path = ['spec', 'versions', index, key, at];
    const name = string(get(column, 'name'));
    const known = name === undefined ? undefined : names.get(name);
    // Two columns may have one name if the first is removed before the second is introduced.
    const follows = known !== undefined && known !== '' && isReached(known, string(get(column, 'introduced')) ?? '');
    if (known !== undefined && !follows)
      report({ code: 'KF4023', path: [...path, 'name'], message: `column "${name}" is written twice` });
    names.set(name ?? '', string(get(column, 'removed')) ?? '');
    for (const [part, known] of [
      ['type', COLUMN_TYPES],
      ['format', FORMATS],
    ] as const) {
      if (part === 'type' && isNative) continue;
      const value = string(get(column, part));
      const mayBeEmpty = part === 'format' && value === '';
      if (value === undefined || mayBeEmpty || known.some((each) => each === value)) continue;
      const suggestion = didYouMean(value, known) ?? `choose one of ${known.join(', ')}`;
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

/** The field types that a column of each type can show. A column of type string can show all. */
const TYPES: Readonly<Record<string, readonly Schema['type'][]>> = {
  integer: ['integer'],
  number: ['number', 'integer'],
  boolean: ['boolean'],
  date: ['string'],
};

/** Returns the types that fit a column. A column of a native kind may count the items of a list. */
function typesOf(type: string | undefined, isNative: boolean): readonly Schema['type'][] | undefined {
  const types = TYPES[type ?? ''];
  return types && isNative && type === 'integer' ? [...types, 'array'] : types;
}

/** Returns the steps of a path to an existing field, and reports any other path. */
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
