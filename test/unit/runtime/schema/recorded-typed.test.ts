/** The functions of the kinds of this project against recorded creates of their counterparts. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadDefinitions } from '../../../../generator/check/load-definitions.js';
import type { JsonObject, SchemaFunctions } from '../../../../runtime/contract/index.js';
import { equal } from '../../../../runtime/objects/equality.js';
import { functionsOf, type Outcome, run } from '../../../support/compiled.js';
import {
  asRecorded,
  type Create,
  causesOf,
  createsIn,
  lineOf,
  partOf,
  scenariosOf,
} from '../../../support/recorded-creates.js';
import { hasShared, root } from '../../../support/shared.js';

/** Returns the differences between a recorded response and the result of the functions. */
function differences(create: Create, functions: SchemaFunctions): string[] {
  const { object, code, answer, step } = create;
  if (object === undefined || String(answer.message).startsWith('CreateOptions')) return [];
  const outcome = run(functions, object);
  const found = code === 201 ? accepted(outcome, answer) : refused(outcome, create);
  return found.map((text) => `${step}: ${text}`);
}

/** Errors that come from the runtime or a strategy: rules for keys are not part of the schema. */
const elsewhere = (text: string): boolean => /^(apiVersion|kind|metadata|status|data\[)/.test(text);

function accepted({ errors, object, unreadable }: Outcome, answer: JsonObject): string[] {
  if (unreadable !== undefined || errors.length > 0) return [`is refused: ${unreadable ?? errors.map(lineOf).join()}`];
  return Object.entries(answer).flatMap(([path, value]) => {
    const own = asRecorded(partOf(object, path) ?? null);
    return elsewhere(path) || equal(own, value) ? [] : [`${path} is ${JSON.stringify(own)}`];
  });
}

function refused({ errors, unreadable }: Outcome, { code, answer }: Create): string[] {
  const expected =
    causesOf(answer)
      ?.filter((cause) => !elsewhere(cause))
      .sort() ?? [];
  const found = errors.map(lineOf).sort();
  if (code === 422) return found.join() === expected.join() ? [] : [`causes ${found.join()}`];
  const message = String(answer.message);
  if (code !== 400 || !/json: .*\.(spec|data)/.test(message)) return [];
  return unreadable !== undefined && message.endsWith(unreadable) ? [] : [`${message} is ${unreadable}`];
}

describe.skipIf(!hasShared)('recorded creates (skipped where the recordings are not beside the checkout)', () => {
  const { resources } = loadDefinitions(join(root, 'schemas')).model;
  const creates = hasShared ? ['resources', 'metadata'].flatMap((area) => scenariosOf(area).flatMap(createsIn)) : [];

  it.each(['configmaps', 'csidrivers', 'ipaddresses', 'leases', 'podschedulingcontexts'])('%s', (plural) => {
    const resource = resources.find(({ names }) => names.plural === plural);
    const version = resource?.versions.find(({ storage }) => storage);
    if (resource === undefined || version === undefined) throw new Error(`no definition of ${plural}`);
    const functions = functionsOf(version.schema, {
      decoding: 'typed',
      kind: resource.names.kind,
      version: version.name,
    });
    const own = creates.filter((create) => create.plural === plural);
    expect(own).not.toEqual([]);
    expect(own.flatMap((create) => differences(create, functions))).toEqual([]);
  });
});
