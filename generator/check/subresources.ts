/** Rules on subresources: the schema must have the fields that they name. */
import type { Subresource } from '../../runtime/contract/index.js';
import { get, isObject, type Raw, string } from '../../runtime/schema/read.js';
import type { Path, Report } from '../diagnostics/problem.js';
import type { VersionModel } from '../model/model.js';
import { followObject, parsePath, type Step } from './json-path.js';
import { checkTargetType } from './path-types.js';

/** The allowed places for the paths of a scale subresource. */
const SCALE: Readonly<Record<string, readonly string[]>> = {
  specReplicasPath: ['spec'],
  statusReplicasPath: ['status'],
  labelSelectorPath: ['spec', 'status'],
};

/** Checks the subresources of one version; `index` is its place in `spec.versions`. */
export function checkSubresources(
  raw: Raw,
  version: VersionModel,
  index: number,
  isNative: boolean,
  report: Report,
): void {
  const written = get(raw, 'subresources');
  if (!isObject(written)) return;
  for (const subresource of version.subresources) {
    const path = ['spec', 'versions', index, 'subresources', subresource.name];
    if (!/^[a-z]+$/.test(subresource.name)) {
      report({
        code: 'KF3003',
        path,
        at: 'key',
        message: `"${subresource.name}" cannot be a subresource: use lower-case letters`,
      });
    }
    checkScale(get(written, subresource.name), subresource, path, version, report);
    if (subresource.name === 'scale') checkScaleTypes(raw, get(written, 'scale'), { version, index, isNative }, report);
    if (subresource.name !== 'scale') checkWrites(get(written, subresource.name), subresource, path, version, report);
    checkKind(subresource, path, report);
  }
}

/** Checks a subresource with its own kind, or one that connects: it must not write any part of the object. */
function checkKind({ name, kind, connects, writes }: Subresource, path: Path, report: Report): void {
  if (kind === undefined && connects === undefined) return;
  const key = kind === undefined ? 'connects' : 'kind';
  const say = (message: string): void => report({ code: 'KF4027', path: [...path, key], at: 'key', message });
  if (name === 'scale' || name === 'status') say(`${name} already has a kind`);
  else if (writes.length > 0) say(`a subresource with \`${key}\` cannot write fields of the object`);
}

/** Checks that every field that a subresource writes exists. */
function checkWrites(raw: Raw, { writes }: Subresource, path: Path, version: VersionModel, report: Report): void {
  writes.forEach((field, index) => {
    const steps = field.split('.').map((name): Step => ({ kind: 'field', name }));
    const target = followObject(version.schema, steps);
    if (target.found !== undefined) return;
    const isWritten = Array.isArray(get(raw, 'writes'));
    const at = isWritten ? [...path, 'writes', index] : path;
    const message = `the subresource writes \`${field}\`, which is not a field of the schema`;
    report({
      code: 'KF4011',
      path: at,
      at: isWritten ? 'value' : 'key',
      message,
      suggestion: target.nearest,
    });
  });
}

function checkScale(raw: Raw, { name }: Subresource, path: Path, version: VersionModel, report: Report): void {
  for (const [key, roots] of Object.entries(SCALE)) {
    const text = string(get(raw, key));
    if (name !== 'scale') {
      if (text !== undefined)
        report({
          code: 'KF4012',
          path: [...path, key],
          at: 'key',
          message: `\`${key}\` is only for the subresource scale`,
        });
    } else if (text !== undefined && text !== '') checkScalePath(text, key, roots, [...path, key], version, report);
    else if (key !== 'labelSelectorPath')
      report({
        code: 'KF4012',
        path,
        at: 'key',
        message: `scale must have \`${key}\``,
        suggestion: `write \`${key}: .${roots[0]}.replicas\``,
      });
  }
}

/** A version, with its place in `spec.versions`. */
interface Scaled {
  readonly version: VersionModel;
  readonly index: number;
  readonly isNative: boolean;
}

/** Returns the steps of a path as servers read it, without brackets and backslashes. */
function plainSteps(text: string): readonly Step[] | undefined {
  const parsed = parsePath(text);
  const steps = 'steps' in parsed ? parsed.steps : [];
  const isPlain = steps.length > 1 && steps.every((step) => step.kind === 'field') && !/[[\\]/.test(text);
  return isPlain ? steps : undefined;
}

/** Checks the types: replicas must be integers, and a selector must be a text, or an object in a native kind. */
function checkScaleTypes(raw: Raw, scale: Raw, { version, index, isNative }: Scaled, report: Report): void {
  for (const key of Object.keys(SCALE)) {
    const steps = plainSteps(string(get(scale, key)) ?? '');
    if (steps === undefined) continue;
    const selector = isNative ? (['string', 'object'] as const) : (['string'] as const);
    const types = key === 'labelSelectorPath' ? selector : (['integer'] as const);
    const path = ['spec', 'versions', index, 'subresources', 'scale', key];
    checkTargetType(raw, version, index, { steps, path, types, user: `\`${key}\`` }, report);
  }
}

function checkScalePath(
  text: string,
  key: string,
  roots: readonly string[],
  path: Path,
  version: VersionModel,
  report: Report,
): void {
  const places = roots.map((root) => `.${root}`);
  const steps = plainSteps(text);
  if (!places.some((place) => text.startsWith(`${place}.`))) {
    const message = `\`${key}\` must be a plain path below ${places.join(' or ')}, not "${text}"`;
    report({ code: 'KF4012', path, message });
  } else if (steps === undefined) report({ code: 'KF4014', path, message: `"${text}" is not a plain path of fields` });
  else {
    const target = followObject(version.schema, steps);
    if (target.found !== undefined) return;
    report({ code: 'KF4014', path, message: `the path leads nowhere: ${target.why}`, suggestion: target.nearest });
  }
}
